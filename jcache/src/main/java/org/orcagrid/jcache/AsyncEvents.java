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
package org.orcagrid.jcache;

import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs the asynchronous listeners of a manager: one thread, which is there while there are events,
 * and a queue of at most {@value #QUEUE_MAX} events. An event that finds it full is dropped, since
 * a cache cannot wait for its listeners; that is counted, and logged the first, second, fourth…
 * time.
 */
final class AsyncEvents {
  static final int QUEUE_MAX = 16_384;

  private static final System.Logger LOG = System.getLogger("org.orcagrid.jcache");
  private static final int IDLE_SECONDS_MAX = 10;
  private static final int CLOSE_SECONDS_MAX = 2;

  private final ThreadPoolExecutor executor;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile Thread thread;

  AsyncEvents(String name) {
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE_MAX),
            work -> {
              Thread made = new Thread(work, name);
              made.setDaemon(true);
              thread = made;
              return made;
            },
            (work, full) -> drop(1));
    executor.allowCoreThreadTimeOut(true);
  }

  /** Runs a delivery after those that were submitted before. */
  void submit(Runnable delivery) {
    executor.execute(
        () -> {
          try {
            delivery.run();
          } catch (RuntimeException e) {
            hasFailed(e);
          }
        });
  }

  /** A listener has failed that no operation waits for. */
  void hasFailed(RuntimeException reason) {
    if (isPowerOfTwo(failed.incrementAndGet())) {
      LOG.log(
          Level.WARNING, "A listener that nobody waits for has failed (" + failed + ")", reason);
    }
  }

  private void drop(int events) {
    long before = dropped.getAndAdd(events);
    if (isPowerOfTwo(before + events) || before == 0) {
      LOG.log(
          Level.WARNING,
          "Events for asynchronous listeners were dropped ({0} by now): {1} are waiting already, or"
              + " the cache manager is closed",
          dropped.get(),
          QUEUE_MAX);
    }
  }

  private static boolean isPowerOfTwo(long count) {
    return (count & (count - 1)) == 0;
  }

  /** Events that were dropped since the queue was full, or the manager closed. */
  long dropped() {
    return dropped.get();
  }

  /** Deliveries that have failed. */
  long failed() {
    return failed.get();
  }

  /** Ends; waits a moment for the events that are there, and drops those that are still left. */
  void close() {
    executor.shutdown();
    try {
      if (Thread.currentThread() == thread
          || executor.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    int left = executor.shutdownNow().size();
    if (left > 0) {
      drop(left);
    }
  }
}
