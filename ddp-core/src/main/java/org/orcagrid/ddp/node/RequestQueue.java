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
import org.orcagrid.ddp.transport.Clock;

/**
 * The requests of a session: a bounded queue between the session's thread, which submits, and the
 * thread that does the work, which completes them in the order in which they were submitted.
 * Requests are used again.
 */
public final class RequestQueue {
  /** How many operations of a session may be under way at most. */
  public static final int DEPTH = 256;

  private static final VarHandle COMPLETED;
  private static final VarHandle SUBMITTED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      COMPLETED = lookup.findVarHandle(RequestQueue.class, "completed", long.class);
      SUBMITTED = lookup.findVarHandle(RequestQueue.class, "submitted", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int depth;

  /** What was submitted, by its number. */
  private final Request[] requests;

  // The session's thread only. Requests that have ended are used again, the last one first, so that
  // a session with few of them under way has few, and finds them in the processor's cache.
  private final Request[] free;
  private int freeCount;
  private int made;
  private long reclaimed;
  private Request next;

  // The session's thread writes submitted, the worker's thread completed.
  private long submitted;
  private long completed;

  /** The number of the request whose listener is being told; the worker's thread only. */
  private long telling;

  private long warm;

  /**
   * A queue.
   *
   * @param depth how many may be under way: a power of two, at most {@link #DEPTH}
   */
  public RequestQueue(int depth) {
    if (Integer.bitCount(depth) != 1 || depth > DEPTH) {
      throw new IllegalArgumentException(
          "A depth is a power of two up to " + DEPTH + ", not " + depth);
    }
    this.depth = depth;
    this.requests = new Request[depth];
    this.free = new Request[depth];
  }

  // --- the session's side ------------------------------------------------------------------------

  /** How many more operations can be submitted now. */
  public int room() {
    return depth - (int) (submitted - completed());
  }

  /** How many requests were submitted so far. */
  public long submitted() {
    return submitted;
  }

  /** How many requests have ended so far. */
  public long completed() {
    return (long) COMPLETED.getAcquire(this);
  }

  /** A request to fill in and {@link #submit}; null if too many are under way. */
  public Request next() {
    if (room() == 0) {
      return null;
    }
    if (next == null) {
      next = takeFree();
    }
    next.reset();
    return next;
  }

  private Request takeFree() {
    for (long ended = completed(); reclaimed < ended; reclaimed++) {
      free[freeCount++] = requests[(int) reclaimed & (depth - 1)];
    }
    if (freeCount > 0) {
      return free[--freeCount];
    }
    Request another = new Request(made);
    // Not earlier: memory for it may be short.
    made++;
    return another;
  }

  /** Hands over the request of {@link #next}. */
  public void submit() {
    requests[(int) submitted & (depth - 1)] = next;
    next = null;
    SUBMITTED.setRelease(this, submitted + 1);
  }

  /**
   * Waits until more operations can be submitted; false if the time was over. What is waited for is
   * room for half a queue, so that a session that is faster than its worker wakes up seldom.
   */
  public boolean awaitRoom(long nanosMax, Clock clock) {
    if (room() > 0) {
      return true;
    }
    Request middle = requests[(int) (submitted - depth / 2 - 1) & (depth - 1)];
    middle.await(nanosMax, clock);
    while (middle.isDone() && room() == 0) {
      // Its end is told before it is counted.
      Thread.onSpinWait();
    }
    return room() > 0;
  }

  // --- the worker's side -------------------------------------------------------------------------

  /** How many requests the store was made ready for; at least those that have ended. */
  long warm() {
    return Math.max(warm, completed);
  }

  void warm(long requestsSoFar) {
    warm = requestsSoFar;
  }

  /** How many were submitted and have not ended. */
  int waiting() {
    return (int) ((long) SUBMITTED.getAcquire(this) - completed);
  }

  /** The first request that has not ended; null if there is none. */
  public Request first() {
    return at(completed);
  }

  /** The request number {@code sequence}, which has not ended; null if it was not submitted yet. */
  public Request at(long sequence) {
    return sequence == (long) SUBMITTED.getAcquire(this)
        ? null
        : requests[(int) sequence & (depth - 1)];
  }

  /** The first request has ended; its result was put in. */
  public void complete(Request request) {
    // The request is the session's again when the count says so: what it holds must be told first.
    telling = completed + 1;
    request.complete();
    COMPLETED.setRelease(this, completed + 1);
  }

  /** How many have ended, with the one that is being told of; for the worker's thread. */
  long ended() {
    return telling;
  }
}
