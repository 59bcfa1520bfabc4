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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.LocalAccess;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.Reading;

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
public final class NodeSession implements AutoCloseable {
  /** How many operations of a session may be under way. */
  public static final int DEPTH = 256;

  private static final VarHandle COMPLETED;
  private static final VarHandle SUBMITTED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      COMPLETED = lookup.findVarHandle(NodeSession.class, "completed", long.class);
      SUBMITTED = lookup.findVarHandle(NodeSession.class, "submitted", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Request[] requests = new Request[DEPTH];
  private final WorkerThread worker;
  private final int slot;
  private final LocalAccess local;
  private final Reading reading = new Reading();

  // The session's thread writes submitted, the worker's thread completed.
  private long submitted;
  private long completed;

  /** The last request that relaxed accesses must not overtake, by its number. */
  private long lastOrdered;

  private volatile boolean closed;

  NodeSession(WorkerThread worker, int slot, KiteNode node) {
    this.worker = worker;
    this.slot = slot;
    this.local = new LocalAccess(node);
  }

  int slot() {
    return slot;
  }

  /** How many more operations can be submitted now. */
  public int room() {
    return DEPTH - (int) (submitted - (long) COMPLETED.getAcquire(this));
  }

  /**
   * A request to fill in and {@link #submit}.
   *
   * @return null if too many are under way
   */
  public Request next() {
    if (room() == 0) {
      return null;
    }
    int index = (int) submitted & (DEPTH - 1);
    Request request = requests[index];
    if (request == null) {
      request = new Request(index);
      requests[index] = request;
    }
    request.reset();
    return request;
  }

  /** Hands the request of {@link #next} to the worker. */
  public void submit(Request request) {
    lastOrdered = submitted + 1;
    publish();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The session is closed; open another one");
    }
    if (worker.isEnded()) {
      throw new IllegalStateException("The node of the session was closed, or has failed");
    }
  }

  private void publish() {
    checkOpen();
    SUBMITTED.setRelease(this, submitted + 1);
    worker.onSubmitted(slot);
  }

  /**
   * Whether the calling thread is the one that does this session's work: it must not wait for it.
   */
  public boolean isWorker() {
    return worker.isMe();
  }

  /**
   * Waits until more operations can be submitted; false if the time was over. What is waited for is
   * room for half a queue, so that a session that is faster than its worker wakes up seldom.
   */
  public boolean awaitRoom(long nanosMax) {
    if (room() > 0) {
      return true;
    }
    Request middle = requests[(int) (submitted - DEPTH / 2 - 1) & (DEPTH - 1)];
    middle.await(nanosMax, worker.clock());
    while (middle.isDone() && room() == 0) {
      // Its end is told before it is counted.
      Thread.onSpinWait();
    }
    return room() > 0;
  }

  /**
   * Waits for a request's end.
   *
   * @return false if the time was over or the thread interrupted: the operation goes on, and those
   *     submitted after it wait for it
   */
  public boolean await(Request request, long nanosMax) {
    return request.await(nanosMax, worker.clock());
  }

  private boolean mayTouchTheStore() {
    return (long) COMPLETED.getAcquire(this) >= lastOrdered;
  }

  /**
   * A relaxed read, if it needs nobody else.
   *
   * @return false if it does: submit it
   */
  public boolean read(Bytes key, Bytes into) {
    checkOpen();
    return mayTouchTheStore() && local.read(key, into, reading);
  }

  /**
   * A relaxed write, if it needs nobody else but to be announced.
   *
   * @return null if it does, or too much is under way: submit it
   */
  public Outcome write(Bytes key, Bytes value) {
    checkOpen();
    if (!mayTouchTheStore() || room() == 0) {
      return null;
    }
    Request request = next();
    Outcome outcome = local.write(key, value);
    if (outcome == Outcome.DONE) {
      request.kind = OperationKind.WRITE;
      request.announced = local.record();
      publish();
    }
    return outcome;
  }

  // --- the worker's side -------------------------------------------------------------------------

  /** The next request that the worker has not begun, null if there is none. */
  Request toBegin() {
    return completed == (long) SUBMITTED.getAcquire(this)
        ? null
        : requests[(int) completed & (DEPTH - 1)];
  }

  boolean isClosed() {
    return closed;
  }

  void onCompleted(Request request) {
    // The request is the session's again when the count says so: what it holds must be told first.
    request.complete();
    COMPLETED.setRelease(this, completed + 1);
  }

  /** Gives the session back once everything that was submitted has ended. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      worker.onClosed(this);
    }
  }
}
