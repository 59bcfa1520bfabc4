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

/** Where stages are completed, and with them what depends on them. */
public final class Callbacks {
  /**
   * Where that is unless the caller says: as for {@link java.util.concurrent.CompletableFuture},
   * the common pool, or a new thread for each where the pool has none. What blocks there or throws
   * holds up no node.
   */
  public static final Executor DEFAULT =
      ForkJoinPool.getCommonPoolParallelism() > 0
          ? ForkJoinPool.commonPool()
          : work -> new Thread(work, "orca-grid-callback").start();

  private Callbacks() {}

  /** Completes a stage there; an executor that refuses, as it is shut down, is the default one. */
  public static void run(Executor executor, Runnable completion) {
    try {
      executor.execute(completion);
    } catch (RuntimeException | Error e) {
      // Neither may the stage stay open, nor what depends on it run in the node's thread.
      DEFAULT.execute(completion);
    }
  }
}
