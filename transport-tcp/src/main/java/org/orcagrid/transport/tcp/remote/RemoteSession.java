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
package org.orcagrid.transport.tcp.remote;

import io.netty.buffer.ByteBuf;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestQueue;
import org.orcagrid.ddp.store.Bytes;

/**
 * A session at a node, over a {@link Line}: it outlives a lost connection. When the line is lost
 * the session is, too: what was under way has an unknown outcome, and nothing more can be
 * submitted. It does not go on at another node, as its relaxed writes may not be there.
 */
public final class RemoteSession implements NodeSession {
  private final RemoteNode node;
  private final int id;
  private final int valueBytesMax;
  private final RequestQueue requests = new RequestQueue(GatewaySession.DEPTH);

  /** How many requests were written to the connection; by its thread. */
  private long sent;

  private volatile boolean closed;

  RemoteSession(RemoteNode node, int id, int valueBytesMax) {
    this.node = node;
    this.id = id;
    this.valueBytesMax = valueBytesMax;
  }

  int id() {
    return id;
  }

  /** The most bytes of a value. */
  public int valueBytesMax() {
    return valueBytesMax;
  }

  @Override
  public int room() {
    return requests.room();
  }

  @Override
  public Request next() {
    return requests.next();
  }

  @Override
  public void submit(Request request) {
    if (closed) {
      throw new IllegalStateException("The session is closed; open another one");
    }
    String lost = node.lost();
    if (lost != null) {
      throw new IllegalStateException(
          "The session's connection to " + node + " is lost (" + lost + "); open another session");
    }
    requests.submit();
    node.signal();
  }

  @Override
  public boolean isEnded() {
    return closed || node.lost() != null;
  }

  @Override
  public RemoteNode keys() {
    return node;
  }

  @Override
  public boolean withdraw(Request request, long use) {
    return request.withdraw(use);
  }

  @Override
  public boolean isWorker() {
    return node.isItsThread();
  }

  @Override
  public boolean awaitRoom(long nanosMax) {
    return requests.awaitRoom(nanosMax, System::nanoTime);
  }

  @Override
  public boolean await(Request request, long nanosMax) {
    return request.await(nanosMax, System::nanoTime);
  }

  @Override
  public boolean read(Bytes key, Bytes into) {
    return false;
  }

  @Override
  public Outcome write(Bytes key, Bytes value) {
    return null;
  }

  // --- the connection's thread -------------------------------------------------------------------

  /** Writes what was submitted, as long as there is less than that in the buffer. */
  void send(ByteBuf out, int bytesMax) {
    for (Request each = requests.at(sent);
        each != null && out.readableBytes() < bytesMax;
        each = requests.at(sent)) {
      if (each.begin()) {
        ClientRecord.writeRequest(out, id, each);
      }
      sent++;
    }
    endWithdrawn();
  }

  /** Ends what was withdrawn before it was sent, when it is its turn: there is no answer to it. */
  private void endWithdrawn() {
    while (requests.completed() < sent && requests.first().isWithdrawn()) {
      Request withdrawn = requests.first();
      withdrawn.notBegun();
      requests.complete(withdrawn);
    }
  }

  boolean hasMore() {
    return requests.at(sent) != null;
  }

  void onResponse(ByteBuf in) throws ClientRecord.MalformedException {
    Request first = sent == requests.completed() ? null : requests.first();
    if (first == null) {
      throw new ClientRecord.MalformedException("an answer that nobody has asked for");
    }
    ClientRecord.readResponse(in, first, valueBytesMax);
    requests.complete(first);
    endWithdrawn();
  }

  /** The connection is lost. */
  void onLost() {
    for (Request each = requests.first(); each != null; each = requests.first()) {
      if (requests.completed() < sent && !each.isWithdrawn()) {
        each.unknown();
      } else {
        each.notBegun();
      }
      requests.complete(each);
    }
    sent = requests.completed();
  }

  /** Whether it can be forgotten. */
  boolean isOver() {
    return closed && requests.first() == null;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      node.signal();
    }
  }
}
