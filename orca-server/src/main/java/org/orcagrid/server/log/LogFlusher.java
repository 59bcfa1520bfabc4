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
package org.orcagrid.server.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.orcagrid.cad.FlushSchedule;
import org.orcagrid.server.vital.VitalThread;

/**
 * Forces one server's log apart from the thread that appends to it: the driver of {@link
 * FlushSchedule}. As many threads as flushes may run at once; they live as long as the server's
 * role.
 */
public final class LogFlusher implements AutoCloseable {

  /** What a flush took, for the metrics. */
  @FunctionalInterface
  public interface FlushListener {
    /** A flush has ended. */
    void onFlush(long nanos);
  }

  private final OrcaTxnSnapLog log;
  private final FlushSchedule schedule;
  private final LongConsumer onPersisted;
  private final FlushListener onFlush;
  private final Consumer<? super Throwable> onFailure;
  private final ReentrantLock lock = new ReentrantLock();

  /** Where the one thread waits that also minds the interval. */
  private final Condition due = lock.newCondition();

  /** Where the threads wait that only start a flush beside a running one. */
  private final Condition dueBesideAnother = lock.newCondition();

  private final List<Thread> threads = new ArrayList<>();
  private boolean mainBusy;
  private boolean closed;

  /**
   * Starts flushing.
   *
   * @param onPersisted told the persisted-index after each flush, by several threads at once: an
   *     older index may come after a newer one
   * @param onFlush told how long each flush took
   * @param onFailure told why nothing is flushed any more: the disk has failed, or a thread has
   */
  public LogFlusher(
      String name,
      OrcaTxnSnapLog log,
      FlushSchedule schedule,
      LongConsumer onPersisted,
      FlushListener onFlush,
      Consumer<? super Throwable> onFailure) {
    this.log = log;
    this.schedule = schedule;
    this.onPersisted = onPersisted;
    this.onFlush = onFlush;
    this.onFailure = onFailure;
    threads.add(new VitalThread(name, this::flushAsMain, this::fail));
    for (int i = 2; i <= FlushSchedule.RUNNING_MAX; i++) {
      threads.add(new VitalThread(name + "-" + i, this::flushBesideMain, this::fail));
    }
  }

  /** Starts the threads. */
  public void start() {
    threads.forEach(Thread::start);
  }

  /** Everything up to {@code index} is in the log. */
  public void appended(long index) {
    lock.lock();
    try {
      boolean wasClean = schedule.isClean();
      schedule.onAppended(index);
      wake(wasClean);
    } finally {
      lock.unlock();
    }
  }

  /** Everything up to {@code index} is to be on disk soon. */
  public void demand(long index) {
    lock.lock();
    try {
      schedule.onDemand(index);
      wake(false);
    } finally {
      lock.unlock();
    }
  }

  private void wake(boolean intervalBegins) {
    boolean isDue = schedule.isDue(System.nanoTime());
    if (!mainBusy && (isDue || intervalBegins)) {
      due.signal();
    } else if (isDue) {
      dueBesideAnother.signal();
    }
  }

  /** The index up to which the log is on disk. */
  public long persisted() {
    lock.lock();
    try {
      return schedule.persisted();
    } finally {
      lock.unlock();
    }
  }

  /** The index of the last entry of the log. */
  public long appended() {
    lock.lock();
    try {
      return schedule.appended();
    } finally {
      lock.unlock();
    }
  }

  private void flushAsMain() throws IOException, InterruptedException {
    while (awaitDue()) {
      flush();
    }
  }

  private void flushBesideMain() throws IOException, InterruptedException {
    while (awaitDueBesideAnother()) {
      flush();
    }
  }

  private void flush() throws IOException {
    long start = System.nanoTime();
    log.commit();
    long persisted = log.log().persisted();
    long duration = System.nanoTime() - start;
    lock.lock();
    try {
      schedule.onFlushed(persisted, duration);
      if (!schedule.isClean()) {
        // The main thread may have found that nothing was due while this flush ran.
        wake(true);
      }
    } finally {
      lock.unlock();
    }
    onFlush.onFlush(duration);
    onPersisted.accept(persisted);
  }

  private boolean awaitDue() throws InterruptedException {
    lock.lock();
    try {
      mainBusy = false;
      while (!closed) {
        long wait = schedule.nanosUntilDue(System.nanoTime());
        if (wait == 0) {
          mainBusy = true;
          schedule.onFlushStarted(System.nanoTime());
          return true;
        }
        if (wait == Long.MAX_VALUE) {
          due.await();
        } else {
          due.awaitNanos(wait);
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitDueBesideAnother() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        // The main thread, if it is free, has been woken for it.
        if (mainBusy && schedule.isDue(System.nanoTime())) {
          schedule.onFlushStarted(System.nanoTime());
          return true;
        }
        dueBesideAnother.await();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Without one of its threads nothing would become durable any more: reads would wait. */
  private void fail(Throwable failure) {
    boolean first;
    lock.lock();
    try {
      first = !closed;
      closed = true;
      due.signalAll();
      dueBesideAnother.signalAll();
    } finally {
      lock.unlock();
    }
    if (first) {
      onFailure.accept(failure);
    }
  }

  /** Stops the threads; waits for flushes that run. What is not flushed yet is the caller's. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      due.signalAll();
      dueBesideAnother.signalAll();
    } finally {
      lock.unlock();
    }
    if (threads.contains(Thread.currentThread())) {
      return;
    }
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
