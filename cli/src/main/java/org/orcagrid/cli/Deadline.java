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
package org.orcagrid.cli;

import java.io.IOException;
import java.time.Duration;

/** A point in time by which a condition must hold, on the monotonic clock. */
final class Deadline {
  private static final long POLL_INTERVAL_MS = 20;

  private final long endNanos;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  /** A condition whose evaluation may find out that it can never hold. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws CommandFailure;
  }

  /** Something that may fail for a while. */
  @FunctionalInterface
  interface Step {
    void run() throws CommandFailure, IOException, InterruptedException;
  }

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  boolean passed() {
    return System.nanoTime() - endNanos >= 0;
  }

  /** How long it is until then; nothing once it has passed. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }

  /** Repeats what fails until it is done; with the last failure once the deadline has passed. */
  void untilDone(Step step) throws CommandFailure, IOException, InterruptedException {
    while (true) {
      try {
        step.run();
        return;
      } catch (CommandFailure e) {
        if (passed()) {
          throw e;
        }
      }
      Thread.sleep(POLL_INTERVAL_MS);
    }
  }

  /** Polls until the condition holds (true) or the deadline has passed (false). */
  boolean await(Condition condition) throws CommandFailure, InterruptedException {
    while (!condition.holds()) {
      if (passed()) {
        return false;
      }
      Thread.sleep(POLL_INTERVAL_MS);
    }
    return true;
  }
}
