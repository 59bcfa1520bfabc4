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
package org.orcagrid.ddp.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/**
 * The JVM's memory outside the heap, as all stores of a node ask for it. When it has ended the JVM
 * takes half a second to say so: it collects garbage first, and waits. So the first store to be
 * refused finds out for all of them, and only one asks again, some time later.
 *
 * <p>Safe for use by many threads; none waits while another one asks.
 */
public final class DirectMemory {
  private static final long ASK_AGAIN_NANOS = 10_000_000_000L;

  private enum State {
    THERE,
    ENDED,
    /** The next one that needs some asks. */
    ASKS_AGAIN,
    /** Somebody does. */
    ASKED
  }

  private final IntFunction<ByteBuffer> jvm;
  private final Runnable whenEnded;

  /** Changed under this. */
  private volatile State state = State.THERE;

  /** When it was first seen that it has ended; only while {@link #timed}. */
  private long endedNanos;

  private boolean timed;

  /**
   * Direct memory that is there as far as is known.
   *
   * @param whenEnded is told when it has ended, by who needs some; not again while it is not back
   */
  public DirectMemory(Runnable whenEnded) {
    this(ByteBuffer::allocateDirect, whenEnded);
  }

  DirectMemory(IntFunction<ByteBuffer> jvm, Runnable whenEnded) {
    this.jvm = jvm;
    this.whenEnded = whenEnded;
  }

  /** Whether it had ended when somebody last asked for some. */
  public boolean hasEnded() {
    return state != State.THERE;
  }

  /** Acts as if it had ended. */
  synchronized void endForTest() {
    state = State.ENDED;
  }

  /** Has the next one who needs some ask the JVM. */
  synchronized void askAgain() {
    if (state == State.ENDED) {
      state = State.ASKS_AGAIN;
    }
  }

  /** Time has passed: memory that has ended is asked for again some time. */
  public void tick(long nowNanos) {
    if (hasEnded()) {
      tickEnded(nowNanos);
    }
  }

  private synchronized void tickEnded(long nowNanos) {
    if (state != State.ENDED) {
      timed = false;
    } else if (!timed) {
      timed = true;
      endedNanos = nowNanos;
    } else if (nowNanos - endedNanos >= ASK_AGAIN_NANOS) {
      timed = false;
      state = State.ASKS_AGAIN;
    }
  }

  /** A little-endian buffer of zeros, aligned to {@code alignment}; null if there is no memory. */
  ByteBuffer make(int size, int alignment) {
    State before = state;
    if (before != State.THERE && !mayAsk()) {
      return null;
    }
    boolean made = false;
    try {
      ByteBuffer buffer = jvm.apply(size + alignment);
      made = true;
      return buffer.alignedSlice(alignment).order(ByteOrder.LITTLE_ENDIAN);
    } catch (OutOfMemoryError e) {
      // The JVM's limit for direct memory, which is not the heap.
      return null;
    } finally {
      answered(made, before);
    }
  }

  private synchronized boolean mayAsk() {
    boolean may = state == State.ASKS_AGAIN;
    if (may) {
      state = State.ASKED;
    }
    return may;
  }

  private void answered(boolean made, State before) {
    if (made && before == State.THERE) {
      return;
    }
    boolean tell;
    synchronized (this) {
      tell = !made && state == State.THERE;
      state = made ? State.THERE : State.ENDED;
    }
    if (tell) {
      whenEnded.run();
    }
  }
}
