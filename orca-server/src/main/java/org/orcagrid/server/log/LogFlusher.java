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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.orcagrid.cad.FlushSchedule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces one server's log apart from the thread that appends to it: the driver of {@link
 * FlushSchedule}. One thread, named after the server; lives as long as the server's role.
 */
public final class LogFlusher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogFlusher.class);

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
  private final Consumer<IOException> onFailure;
  private final Thread thread;
  private boolean closed;

  /**
   * Starts flushing.
   *
   * @param onPersisted told each new persisted-index, on the flusher's thread
   * @param onFlush told how long each flush took
   * @param onFailure told when the disk fails, after which nothing is flushed any more
   */
  public LogFlusher(
      String name,
      OrcaTxnSnapLog log,
      FlushSchedule schedule,
      LongConsumer onPersisted,
      FlushListener onFlush,
      Consumer<IOException> onFailure) {
    this.log = log;
    this.schedule = schedule;
    this.onPersisted = onPersisted;
    this.onFlush = onFlush;
    this.onFailure = onFailure;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Everything up to {@code index} is in the log. */
  public synchronized void appended(long index) {
    boolean wasClean = schedule.appended() == schedule.persisted();
    schedule.onAppended(index);
    if (wasClean || schedule.isDue(System.nanoTime())) {
      notifyAll();
    }
  }

  /** Everything up to {@code index} is to be on disk soon. */
  public synchronized void demand(long index) {
    schedule.onDemand(index);
    if (schedule.isDue(System.nanoTime())) {
      notifyAll();
    }
  }

  /** The index up to which the log is on disk. */
  public synchronized long persisted() {
    return schedule.persisted();
  }

  /** The index of the last entry of the log. */
  public synchronized long appended() {
    return schedule.appended();
  }

  private void run() {
    try {
      while (awaitDue()) {
        long start = System.nanoTime();
        log.commit();
        long persisted = log.log().persisted();
        synchronized (this) {
          schedule.onFlushed(persisted);
        }
        onFlush.onFlush(System.nanoTime() - start);
        onPersisted.accept(persisted);
      }
    } catch (IOException e) {
      LOG.error("The log cannot be forced; this server stops", e);
      onFailure.accept(e);
    } catch (RuntimeException e) {
      // Without this thread nothing would become durable any more, and every read would wait.
      LOG.error("The flusher failed; this server stops", e);
      onFailure.accept(new IOException("The flusher failed: " + e.getMessage(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean awaitDue() throws InterruptedException {
    while (!closed) {
      long wait = schedule.nanosUntilDue(System.nanoTime());
      if (wait == 0) {
        schedule.onFlushStarted(System.nanoTime());
        return true;
      }
      if (wait == Long.MAX_VALUE) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, wait);
      }
    }
    return false;
  }

  /** Stops the thread; waits for a flush that runs. What is not flushed yet is the caller's. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    if (Thread.currentThread() == thread) {
      return;
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
