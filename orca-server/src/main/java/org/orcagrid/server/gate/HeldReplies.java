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
package org.orcagrid.server.gate;

import org.apache.jute.Record;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ReplyHeader;
import org.orcagrid.cad.ReplyQueue;

/**
 * The replies of one connection on their way through the gate.
 *
 * <p>Safe for use by many threads; what is delivered is delivered in order, by one thread at a
 * time.
 */
public final class HeldReplies {

  /** The connection behind the gate. */
  public interface Connection {

    /** Sends a reply to the client; returns its size in bytes. */
    int deliver(Reply reply);

    /** Stops reading requests: too many replies are held. */
    void pauseReading();

    /** Reads requests again. */
    void resumeReading();
  }

  /** Something that goes to the client. */
  public sealed interface Reply {}

  /** The arguments of {@code ServerCnxn.sendResponse}. */
  public record Response(
      ReplyHeader header, Record body, String tag, String cacheKey, Stat stat, int opCode)
      implements Reply {}

  /** The end of the connection, behind the replies before it. */
  public record Close() implements Reply {}

  private final Connection connection;
  private final ReplyGate gate;
  private final GateMetrics metrics;
  private final int limit;
  private final ReplyQueue<Reply> queue = new ReplyQueue<>();
  private boolean paused;
  private boolean closed;

  /** The highest indexes that those in the queue have asked the gate for. */
  private long askedDurable;

  private long askedApplied;

  /**
   * An empty queue.
   *
   * @param limit how many replies may be held before the connection is not read from any more
   */
  public HeldReplies(Connection connection, ReplyGate gate, GateMetrics metrics, int limit) {
    this.connection = connection;
    this.gate = gate;
    this.metrics = metrics;
    this.limit = limit;
  }

  /**
   * Sends a reply, now or when what it needs has come.
   *
   * @return the bytes that were sent, 0 if it is held
   */
  public int send(Reply reply, long needsDurable, long needsApplied, long needsLeaseEnd) {
    boolean isNew;
    synchronized (this) {
      if (closed) {
        return 0;
      }
      if (queue.isEmpty() && gate.permits(needsDurable, needsApplied, needsLeaseEnd)) {
        return connection.deliver(reply);
      }
      // What is durable stays so: then the reply does not wait for that.
      long undurable = needsDurable > gate.durable() ? needsDurable : 0;
      isNew = asks(needsDurable, needsApplied);
      queue.hold(reply, undurable, needsApplied, needsLeaseEnd, System.nanoTime());
      if (queue.size() >= limit) {
        // Also if it is paused: the stock server reads on after each reply that it has sent.
        paused = true;
        connection.pauseReading();
      }
    }
    if (!isNew) {
      return 0;
    }
    // Outside the monitor: the demand may open the gate at once, for other connections as well.
    gate.await(this, needsDurable, needsApplied);
    // The gate may have opened between the check and the registration.
    release();
    return 0;
  }

  /**
   * Whether a reply that is held next is the first one, or needs more than those before it. All
   * others leave when those do: a change that fires many watches asks the gate once.
   */
  private boolean asks(long needsDurable, long needsApplied) {
    boolean isNew = queue.isEmpty() || needsDurable > askedDurable || needsApplied > askedApplied;
    askedDurable = Math.max(askedDurable, needsDurable);
    askedApplied = Math.max(askedApplied, needsApplied);
    return isNew;
  }

  /** Sends what may leave by now. */
  void release() {
    synchronized (this) {
      ReplyQueue.Held<Reply> next =
          queue.pollReady(gate.durable(), gate.applied(), gate.leaseEnd());
      while (next != null) {
        metrics.onReleased(System.nanoTime() - next.sinceNanos(), next.durable() > 0);
        connection.deliver(next.reply());
        next = queue.pollReady(gate.durable(), gate.applied(), gate.leaseEnd());
      }
      if (paused && queue.size() <= limit / 2) {
        paused = false;
        connection.resumeReading();
      }
      if (queue.isEmpty()) {
        gate.forget(this);
      }
    }
  }

  /** The connection is gone. */
  public void close() {
    synchronized (this) {
      closed = true;
      queue.clear();
      gate.forget(this);
    }
  }

  synchronized int size() {
    return queue.size();
  }
}
