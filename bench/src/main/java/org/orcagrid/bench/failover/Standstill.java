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
package org.orcagrid.bench.failover;

/**
 * The longest time between two acknowledgements, of those that end after a mark. Moments come from
 * the caller's clock, in nanoseconds. Safe for use by many threads.
 */
final class Standstill {
  private long last;
  private long longest;

  /** Nothing was acknowledged before this moment. */
  Standstill(long now) {
    this.last = now;
  }

  /** Forgets what ended before now. A time that began earlier and goes on counts in full. */
  synchronized void mark() {
    longest = 0;
  }

  /** An operation was acknowledged. */
  synchronized void acknowledged(long now) {
    longest = Math.max(longest, now - last);
    last = now;
  }

  /** How long nothing was acknowledged, up to now. */
  synchronized long open(long now) {
    return now - last;
  }

  /** The longest time, which may go on. */
  synchronized long longest(long now) {
    return Math.max(longest, now - last);
  }
}
