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
package org.orcagrid.bench.load;

/**
 * The part of a run that counts, on {@link System#nanoTime()}'s scale.
 *
 * @param fromNanos the first instant that counts
 * @param untilNanos the first that does not; clients stop here
 */
record MeasuredInterval(long fromNanos, long untilNanos) {

  /** Returns whether an operation that ended at this time counts. */
  boolean holds(long nanos) {
    return nanos - fromNanos >= 0 && nanos - untilNanos < 0;
  }

  boolean isOver(long nanos) {
    return nanos - untilNanos >= 0;
  }

  double seconds() {
    return (untilNanos - fromNanos) / 1e9;
  }
}
