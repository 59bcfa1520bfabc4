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
package org.orcagrid.client.concurrent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for what can only be looked at: often at first, then a hundred times a second. */
final class Lookout {
  private static final long PAUSE_NANOS_MIN = 100_000;
  private static final long PAUSE_NANOS_MAX = 10_000_000;

  private final long endNanos;
  private long pauseNanos = PAUSE_NANOS_MIN;

  Lookout(Duration timeout) {
    this.endNanos = System.nanoTime() + timeout.toNanos();
  }

  /** Waits until it is time to look again; false if the time is over. */
  boolean pause() throws InterruptedException {
    long left = endNanos - System.nanoTime();
    if (left <= 0) {
      return false;
    }
    TimeUnit.NANOSECONDS.sleep(Math.min(left, pauseNanos));
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
    return true;
  }
}
