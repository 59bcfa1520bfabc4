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

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/** Executors that complete stages, and so run what depends on them. */
public final class Callbacks {
  /**
   * The default executor, as of {@link java.util.concurrent.CompletableFuture}: the common pool, or
   * a new thread for each callback where the pool has no thread. A callback that waits or throws
   * there holds up no node.
   */
  public static final Executor DEFAULT =
      ForkJoinPool.getCommonPoolParallelism() > 0
          ? ForkJoinPool.commonPool()
          : work -> new Thread(work, "orca-grid-callback").start();

  private Callbacks() {}

  /** Completes a stage in an executor, or in the default one if that refuses, as when shut down. */
  public static void run(Executor executor, Runnable completion) {
    try {
      executor.execute(completion);
    } catch (RuntimeException | Error e) {
      // The stage must not stay open, and its dependents must not run in the node's thread.
      DEFAULT.execute(completion);
    }
  }
}
