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
package org.orcagrid.geo.clock;

import java.util.Set;
import org.orcagrid.geo.GeoRule;

/**
 * A hybrid logical clock (Kulkarni et al., OPODIS '14; NuKV, Algorithm 2, lines 14 to 21). A
 * timestamp has milliseconds since 1970 in its upper 48 bits and a count in its lower 16. A count
 * that is full carries into the milliseconds, so the order never breaks.
 *
 * <p>Invariant: what {@link #next} returns is later than all that it returned and {@link #observe
 * observed}.
 */
public final class HybridClock {
  /** A dependency that is further ahead of this clock is refused. */
  public static final long AHEAD_MILLIS_MAX = 500;

  private static final int COUNT_BITS = 16;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final boolean carries;
  private long last;

  /** A clock that has seen nothing yet. */
  public HybridClock(Set<GeoRule> rules) {
    this.carries = rules.contains(GeoRule.COUNTS_CARRY);
  }

  /** The first timestamp of a millisecond. */
  public static long of(long millis) {
    return millis << COUNT_BITS;
  }

  /** The milliseconds of a timestamp. */
  public static long millis(long timestamp) {
    return timestamp >>> COUNT_BITS;
  }

  /** The latest timestamp that was returned or observed. */
  public long last() {
    return last;
  }

  /** Something with this timestamp happened. */
  public void observe(long timestamp) {
    last = Math.max(last, timestamp);
  }

  /** A timestamp for what happens now, later than all before. */
  public long next(long millis) {
    long after = last + 1;
    if (!carries && (after & COUNT_MASK) == 0) {
      after = last & ~COUNT_MASK;
    }
    last = Math.max(of(millis), after);
    return last;
  }

  /**
   * Whether a timestamp is too far ahead to have come from a sound clock. What this clock has seen
   * already is not.
   */
  public boolean isAhead(long timestamp, long millis) {
    return timestamp > last && millis(timestamp) > millis + AHEAD_MILLIS_MAX;
  }
}
