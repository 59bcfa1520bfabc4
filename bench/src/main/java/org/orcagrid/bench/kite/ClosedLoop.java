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
package org.orcagrid.bench.kite;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.kite.Outcome;

/** What goes on by itself in a worker's thread until it is stopped. */
interface ClosedLoop {
  /** How long a grid may take to end what is under way. */
  long STOP_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  /** It will be idle soon. */
  void stop();

  /** Whether nothing of it is under way. */
  boolean isIdle();

  /** How an access has ended that did not do what it was to do; null if all did. */
  Outcome bad();

  /**
   * Stops all of them, and waits until they are idle.
   *
   * @throws IllegalStateException if they do not end, or an access did not do what it was to do
   */
  static void stop(List<? extends ClosedLoop> loops, BenchGrid grid, String title)
      throws InterruptedException {
    loops.forEach(ClosedLoop::stop);
    long deadline = System.nanoTime() + STOP_NANOS_MAX;
    while (!loops.stream().allMatch(ClosedLoop::isIdle)) {
      if (grid.failure() != null || System.nanoTime() > deadline) {
        throw new IllegalStateException(title + " has stopped: " + grid.failure(), grid.failure());
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    for (ClosedLoop loop : loops) {
      if (loop.bad() != null) {
        throw new IllegalStateException(title + ": an access has ended with " + loop.bad());
      }
    }
  }
}
