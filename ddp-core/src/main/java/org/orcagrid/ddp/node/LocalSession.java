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
package org.orcagrid.ddp.node;

import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.ddp.kite.LocalCopy;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.store.Bytes;

/**
 * A session for a thread of the same process. Its operations take effect in session order (Kite,
 * section 2.1).
 *
 * <p>Relaxed accesses of keys that are in-epoch touch the node's store at once, in the caller's
 * thread, if nothing of this session is under way that they would overtake; a write is then
 * announced to the other nodes by the worker. Everything else goes through a bounded queue to the
 * session's worker.
 *
 * <p>To be used by one thread at a time.
 */
public final class LocalSession implements NodeSession {
  private final RequestQueue requests;
  private final ProtocolEngine worker;
  private final int slot;
  private final LocalCopy local;

  /** The last request that relaxed accesses must not overtake, by its number. */
  private long lastOrdered;

  private volatile boolean closed;

  /** How often its end was asked for since somebody is at it, 0 if nobody is. */
  private final AtomicInteger ends = new AtomicInteger();

  LocalSession(ProtocolEngine worker, int slot, LocalCopy local, int depth) {
    this.requests = new RequestQueue(depth);
    this.worker = worker;
    this.slot = slot;
    this.local = local;
  }

  int slot() {
    return slot;
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
    lastOrdered = requests.submitted() + 1;
    publish();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The session is closed; open another one");
    }
    if (worker.isEnded()) {
      throw new IllegalStateException(worker.whyEnded(), failure());
    }
  }

  @Override
  public boolean isEnded() {
    return closed || worker.isEnded();
  }

  @Override
  public Object keys() {
    return worker.keys();
  }

  @Override
  public Throwable failure() {
    return worker.failure();
  }

  private void publish() {
    checkOpen();
    requests.submit();
    worker.onSubmitted(slot);
    if (worker.isEnded()) {
      worker.end(this);
    }
  }

  @Override
  public boolean isWorker() {
    return worker.isMe();
  }

  @Override
  public boolean awaitRoom(long nanosMax) {
    return requests.awaitRoom(nanosMax, worker.clock());
  }

  @Override
  public boolean await(Request request, long nanosMax) {
    return request.await(nanosMax, worker.clock());
  }

  private boolean mayTouchTheStore() {
    // A listener is told before it counts, and may go on at once.
    return requests.completed() >= lastOrdered
        || (worker.isMe() && requests.ended() >= lastOrdered);
  }

  @Override
  public boolean read(Bytes key, Bytes into) {
    checkOpen();
    return mayTouchTheStore() && local.read(key, into);
  }

  @Override
  public Outcome write(Bytes key, Bytes value) {
    checkOpen();
    if (!mayTouchTheStore() || room() == 0) {
      return null;
    }
    Request request = next();
    Outcome outcome = local.write(key, value);
    if (outcome == Outcome.DONE) {
      request.kind(OperationKind.WRITE);
      request.key().set(key);
      request.announced = true;
      publish();
    }
    return outcome;
  }

  RequestQueue requests() {
    return requests;
  }

  AtomicInteger ends() {
    return ends;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      worker.onClosed(this);
    }
  }
}
