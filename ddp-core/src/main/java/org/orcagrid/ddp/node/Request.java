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
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.ddp.kite.Operation;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.transport.Clock;

/**
 * An operation in a session's queue, on its way to the worker and back. Filled in by the session's
 * thread between {@link NodeSession#next} and {@link NodeSession#submit}; whoever is told of the
 * end may read the result until the session's next {@link NodeSession#next}.
 */
public final class Request extends Operation {
  private static final VarHandle DONE;
  private static final VarHandle TURN;

  // What TURN's last two bits say.
  private static final int BEGUN = 1;
  private static final int WITHDRAWN = 2;
  private static final int PHASES = 4;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      DONE = lookup.findVarHandle(Request.class, "done", boolean.class);
      TURN = lookup.findVarHandle(Request.class, "turn", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whether its key was written already and is to be announced; no operation then. */
  boolean announced;

  RequestListener listener;

  // Read and written through DONE only.
  @SuppressWarnings("UnusedVariable")
  private boolean done;

  /** Which use of it this is, and whether it was begun or withdrawn. */
  private volatile long turn;

  private volatile Thread waiter;

  private final int index;

  Request(int index) {
    this.index = index;
  }

  /** Its place in the session's queue, below {@link RequestQueue#DEPTH}. */
  public int index() {
    return index;
  }

  /** Who is told of the end, by the worker's thread; null for nobody. */
  public void listener(RequestListener next) {
    this.listener = next;
  }

  /** Says that nothing more will come of it. */
  public void unknown() {
    result().length(-1);
    outcome(Outcome.UNKNOWN);
  }

  /** Its session has ended before it was begun. */
  public void notBegun() {
    result().length(-1);
    outcome(Outcome.NOT_BEGUN);
  }

  /** Whether it has ended; its result may be read then. */
  public boolean isDone() {
    return (boolean) DONE.getAcquire(this);
  }

  void reset() {
    announced = false;
    listener = null;
    DONE.set(this, false);
    // Nobody withdraws a former one any more.
    TURN.setRelease(this, (turn / PHASES + 1) * PHASES);
  }

  /** Which use of this request it is, from {@link NodeSession#next} on. */
  public long turn() {
    return turn;
  }

  /** Begins it; false if it was withdrawn. For sessions that can withdraw. */
  public boolean begin() {
    long now = turn;
    return now % PHASES == 0 && TURN.compareAndSet(this, now, now + BEGUN);
  }

  /**
   * Withdraws it in this use of it, if it was not begun; any thread.
   *
   * @return whether it was withdrawn
   */
  public boolean withdraw(long use) {
    return TURN.compareAndSet(this, use, use + WITHDRAWN);
  }

  /** Whether it was withdrawn. */
  public boolean isWithdrawn() {
    return turn % PHASES == WITHDRAWN;
  }

  /** The worker has put in the result. */
  void complete() {
    RequestListener told = listener;
    if (told != null) {
      told.onCompleted(this);
    }
    DONE.setRelease(this, true);
    VarHandle.fullFence();
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * Waits for the end.
   *
   * @return false if the time was over or the thread was interrupted before
   */
  public boolean await(long nanosMax, Clock clock) {
    if (isDone()) {
      return true;
    }
    long deadline = clock.nanoTime() + nanosMax;
    waiter = Thread.currentThread();
    VarHandle.fullFence();
    try {
      while (!isDone()) {
        long left = deadline - clock.nanoTime();
        if (left <= 0 || Thread.currentThread().isInterrupted()) {
          return false;
        }
        LockSupport.parkNanos(this, left);
      }
      return true;
    } finally {
      waiter = null;
    }
  }
}
