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
package org.orcagrid.processes;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.function.Supplier;

/** Waits for a condition that other processes bring about. */
final class Eventually {
  private static final long POLL_INTERVAL_MS = 20;

  private Eventually() {}

  /** A condition that is asked again and again. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }

  /** Polls until the condition holds; fails with {@code otherwise} when the time is over. */
  static void await(Duration limit, Condition condition, Supplier<String> otherwise)
      throws Exception {
    long endNanos = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - endNanos >= 0) {
        fail("After " + limit.toSeconds() + " s: " + otherwise.get());
      }
      Thread.sleep(POLL_INTERVAL_MS);
    }
  }
}
