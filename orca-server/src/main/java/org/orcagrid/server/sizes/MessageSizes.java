/*
 * Copyright 2026 The Orca Grid authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.orcagrid.server.sizes;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.jute.BinaryInputArchive;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what was too long for one server, and says so in its log: a line for each kind in ten
 * seconds at most. Safe for use by many threads.
 */
public final class MessageSizes {

  /**
   * Who is on the other end of a connection.
   *
   * @param session its session
   * @param address where it is
   */
  public record Client(long session, SocketAddress address) {
    @Override
    public String toString() {
      return "session=0x" + Long.toHexString(session) + " client=" + address;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(MessageSizes.class);
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final String FIX =
      "Set -Djute.maxbuffer=BYTES to more, the same in the JVMs of all servers and clients";

  private final Kind requests = new Kind();
  private final Kind replies = new Kind();
  private final Kind transactions = new Kind();

  /** What was counted of one kind, and when it may be said again. */
  private static final class Kind {
    private final LongAdder count = new LongAdder();
    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

    /** Counts one; whether the log may say it. */
    boolean add() {
      count.increment();
      long now = System.nanoTime();
      long next = nextNanos.get();
      return now - next >= 0 && nextNanos.compareAndSet(next, now + AGAIN_NANOS);
    }
  }

  /** A request was too long, and was refused or has cost the client its connection. */
  public void onRequest(Client client, LongFrame frame) {
    if (requests.add()) {
      LOG.warn(
          "{}: {} operation={} path={} bytes={} jute.maxbuffer={} total={}. {}; or write less at"
              + " once",
          frame.isAnswered()
              ? "Refused a request that is too long, with BadArguments"
              : "Closing a connection with a request that is too long",
          client,
          frame.operation(),
          frame.path(),
          frame.bytes(),
          BinaryInputArchive.maxBuffer,
          requests.count,
          FIX);
    }
  }

  /**
   * An answer has left, of whatever size: the limit of the client is not known.
   *
   * @param what the operation, the path, and of how many parts the answer is
   */
  public void onReply(Client client, ReplyContent what, int bytes) {
    if (bytes > BinaryInputArchive.maxBuffer && replies.add()) {
      LOG.warn(
          "Sent an answer that clients with this server's jute.maxbuffer cannot read: {} {}"
              + " bytes={} jute.maxbuffer={} total={}. Such a client loses its connection, and may"
              + " ask again for ever. {}; or keep fewer children, or less data, in one node",
          client,
          what,
          bytes,
          BinaryInputArchive.maxBuffer,
          replies.count,
          FIX);
    }
  }

  /** A write was refused since no other server could read its transaction. */
  public void onTransaction(long session, String path, long bytes, long limit) {
    if (transactions.add()) {
      LOG.warn(
          "Refused a write, with BadArguments: no server could read its transaction."
              + " session=0x{} path={} bytes={} limit={} total={}. Set"
              + " -Dzookeeper.jute.maxbuffer.extrasize=BYTES to more at all servers; or write less"
              + " at once",
          Long.toHexString(session),
          LongFrame.printable(path),
          bytes,
          limit,
          transactions.count);
    }
  }

  /** A session ends whose nodes do not all have a place in the transaction that ends it. */
  public void onSessionEnd(long session, int nodes, int named) {
    if (transactions.add()) {
      LOG.warn(
          "A session ends with more ephemeral nodes than a transaction can name; all are deleted."
              + " session=0x{} nodes={} named={} total={}",
          Long.toHexString(session),
          nodes,
          named,
          transactions.count);
    }
  }

  /** Requests that were too long. */
  public long requests() {
    return requests.count.sum();
  }

  /** Answers that clients with this server's limit could not read. */
  public long replies() {
    return replies.count.sum();
  }

  /** Transactions that no server could have read as they were asked for. */
  public long transactions() {
    return transactions.count.sum();
  }
}
