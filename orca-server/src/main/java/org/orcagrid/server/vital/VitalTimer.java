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
package org.orcagrid.server.vital;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Does something at a fixed rate on a {@link VitalThread}. A scheduled executor would put an {@link
 * Error} of its task into a future that nobody asks, and never run the task again.
 */
public final class VitalTimer implements AutoCloseable {

  private static final long CLOSE_MILLIS_MAX = 1_000;

  private final Runnable task;
  private final long periodNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final VitalThread thread;
  private boolean closed;

  /**
   * Begins at once.
   *
   * @param firstNanos when the task is done first, from now
   * @param periodNanos from one time to the next; a time that was missed is made up for once
   * @param onDeath told what the task has thrown, after which it is not done again
   */
  public VitalTimer(
      String name,
      long firstNanos,
      long periodNanos,
      Runnable task,
      Consumer<? super Throwable> onDeath) {
    this.task = task;
    this.periodNanos = periodNanos;
    long first = System.nanoTime() + firstNanos;
    this.thread = new VitalThread(name, () -> run(first), onDeath);
    thread.start();
  }

  private void run(long first) throws InterruptedException {
    long next = first;
    while (awaitUntil(next)) {
      task.run();
      next += periodNanos;
      long now = System.nanoTime();
      if (now - next > 0) {
        next = now;
      }
    }
  }

  /** Returns at that time, or false when the timer is closed. */
  private boolean awaitUntil(long time) throws InterruptedException {
    lock.lock();
    try {
      long left = time - System.nanoTime();
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Ends it; waits for up to a second for what is under way. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      TimeUnit.MILLISECONDS.timedJoin(thread, CLOSE_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
