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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheException;
import javax.cache.integration.CompletionListener;

/**
 * Runs the {@code loadAll} of a manager's caches: {@value #THREADS} threads, which are there while
 * there is something to load, and a queue of at most {@value #QUEUE_MAX} calls. A call that finds
 * it full fails.
 */
final class Loads {
  private static final System.Logger LOG = System.getLogger("org.orcagrid.jcache");
  private static final int THREADS = 2;
  private static final int QUEUE_MAX = 1024;
  private static final int IDLE_SECONDS_MAX = 10;

  private final ThreadPoolExecutor executor;

  Loads(String name) {
    executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE_MAX),
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  /** A call, and who wants to know what came of it; null for nobody. */
  private record Load(Runnable work, CompletionListener listener) implements Runnable {
    @Override
    public void run() {
      try {
        work.run();
      } catch (RuntimeException e) {
        failed(e);
        return;
      }
      if (listener != null) {
        listener.onCompletion();
      }
    }

    /** The one who is told knows; a failure that nobody asked for is logged. */
    void failed(RuntimeException reason) {
      if (listener == null) {
        LOG.log(
            Level.WARNING, "loadAll has failed, and has no listener that could be told", reason);
        return;
      }
      listener.onException(
          reason instanceof CacheException
              ? reason
              : new CacheException(reason.toString(), reason));
    }
  }

  void submit(Runnable work, CompletionListener listener) {
    Load load = new Load(work, listener);
    try {
      executor.execute(load);
    } catch (RejectedExecutionException e) {
      load.failed(
          new CacheException(
              "Nothing is loaded: "
                  + QUEUE_MAX
                  + " calls of loadAll wait already, or the cache manager is closed",
              e));
    }
  }

  /** Ends; what has not begun fails. */
  void close() {
    for (Runnable left : executor.shutdownNow()) {
      ((Load) left).failed(new CacheException("The cache manager was closed before it was loaded"));
    }
  }
}
