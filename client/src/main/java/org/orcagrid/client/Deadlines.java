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
package org.orcagrid.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The deadlines of a grid's asynchronous operations: one sweep, every {@value #TICK_MILLIS} ms,
 * over all that is under way. No operation has a timer of its own. Its thread is there while
 * something is under way, and ends by itself.
 *
 * <p>Time is counted in ticks, of which none is shorter: a deadline may pass late, by about two of
 * them, and never early.
 *
 * <p>Classes that host a node use it; programs set {@link GridSession#timeout}. Safe for use by
 * many threads.
 */
public final class Deadlines {
  /** How long a tick is at least. */
  static final long TICK_MILLIS = 50;

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);

  /** How long the thread stays when it has nothing to do. */
  private static final long IDLE_SECONDS = 5;

  private final ScheduledThreadPoolExecutor thread;
  private final Set<UnderWay> watched = ConcurrentHashMap.newKeySet();
  private final LongAdder passed = new LongAdder();
  private final LongAdder late = new LongAdder();

  /** Written by the sweep only. */
  private volatile long now = 1;

  /** Whether another sweep is scheduled; guarded by this object's monitor. */
  private boolean sweeping;

  /** Deadlines of nothing yet. */
  public Deadlines() {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread made = new Thread(work, "orca-grid-deadlines");
              made.setDaemon(true);
              return made;
            });
    thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    thread.allowCoreThreadTimeOut(true);
  }

  /** Operations that have deadlines. */
  public abstract static class UnderWay {
    private final Deadlines deadlines;

    /** Whether the sweep looks here. A thread that has begun an operation reads it afterwards. */
    private volatile boolean watched;

    /** Operations of a grid. */
    protected UnderWay(Deadlines deadlines) {
      this.deadlines = deadlines;
    }

    /** The deadlines of the grid. */
    protected final Deadlines deadlines() {
      return deadlines;
    }

    /**
     * An operation was begun, whose deadline was published by a volatile write. So either this
     * method sees that the sweep does not look here, or the sweep sees the operation as it leaves.
     */
    protected final void begun() {
      if (!watched) {
        deadlines.watch(this);
      }
    }

    /**
     * Ends what is due at this tick. Must not wait.
     *
     * @return whether anything is left under way
     */
    protected abstract boolean expire(long tick);
  }

  /** The first tick at which all of this time has passed. */
  public long due(long nanos) {
    // The next tick may be now.
    return now + 1 + nanos / TICK_NANOS + (nanos % TICK_NANOS == 0 ? 0 : 1);
  }

  /** {@link #due} for a duration. */
  public long due(Duration time) {
    return due(nanos(time));
  }

  /** A duration in nanoseconds; the longest there is stands for all that are longer. */
  static long nanos(Duration time) {
    return time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? time.toNanos() : Long.MAX_VALUE;
  }

  /** The deadline of an operation has passed. */
  public void passed() {
    passed.increment();
  }

  /** An operation has ended whose deadline had passed: nobody is told of it. */
  public void late() {
    late.increment();
  }

  /** What was counted so far. */
  public DeadlineFigures figures() {
    return new DeadlineFigures(passed.sum(), late.sum());
  }

  /** Looks there from the next tick on. */
  synchronized void watch(UnderWay what) {
    what.watched = true;
    watched.add(what);
    if (!sweeping) {
      sweeping = true;
      next();
    }
  }

  // A sweep handles by itself what it throws.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void next() {
    // Not at a fixed rate: after a pause of the process no ticks are made up for.
    thread.schedule(this::sweep, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  // Of the sweep's thread only.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void sweep() {
    now++;
    for (UnderWay each : watched) {
      if (!expire(each)) {
        leave(each);
      }
    }
    synchronized (this) {
      sweeping = !watched.isEmpty();
      if (sweeping) {
        next();
      }
    }
  }

  private synchronized void leave(UnderWay what) {
    what.watched = false;
    // What was begun before that may not have asked to be watched.
    if (expire(what)) {
      what.watched = true;
    } else {
      watched.remove(what);
    }
  }

  /** A failure of one must not end the deadlines of the others. */
  private boolean expire(UnderWay what) {
    try {
      return what.expire(now);
    } catch (RuntimeException | Error e) {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, e);
      return true;
    }
  }
}
