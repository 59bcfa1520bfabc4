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

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * How operations are waited for. Classes that implement {@link View} use it; programs call {@link
 * View#timeout} and {@link View#executor}.
 *
 * @param timeout how long an operation may take before its outcome is unknown
 * @param executor completes stages
 */
public record Waiting(Duration timeout, Executor executor) {
  /** Unless the caller says: 10 s, and the common pool. */
  public static final Waiting USUAL = new Waiting(Duration.ofSeconds(10), Callbacks.DEFAULT);

  /**
   * Refuses what cannot be.
   *
   * @throws IllegalArgumentException if the time-out is not positive
   */
  public Waiting {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("A time-out must be positive, not " + timeout);
    }
    Objects.requireNonNull(executor, "An executor cannot be null");
  }

  /** The same with another time-out. */
  public Waiting withTimeout(Duration other) {
    return new Waiting(other, executor);
  }

  /** The same with another executor. */
  public Waiting withExecutor(Executor other) {
    return new Waiting(timeout, other);
  }
}
