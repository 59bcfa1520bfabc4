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
package org.orcagrid.ddp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The highest number of a kind that is known, and how far above it another one may lie: a single
 * forged or damaged packet with a number near the last one would stop all later writes.
 *
 * <p>A node that joins knows nothing, so it takes over what the others hold. What is known is kept
 * to half a step, so that it hardly ever changes. Safe for use by many threads.
 */
public final class NumberBound {
  /** Of versions: at ten million writes a second, almost two hours. */
  public static final long VERSIONS_STEP = 1L << 36;

  /** How often a number must be claimed that is more than a step ahead. */
  public static final int CLAIMS = 8;

  private final AtomicLong known = new AtomicLong();
  private final long step;
  private final long max;

  // Guarded by this.
  private long claimed;
  private int claims;

  /**
   * A bound that knows 0.
   *
   * @param step how far ahead a number may lie
   * @param max the last number of the kind; those of its last step are refused to everybody
   */
  public NumberBound(long step, long max) {
    this.step = step;
    this.max = max;
  }

  /** A bound of the version numbers in clocks. */
  public static NumberBound ofVersions() {
    return new NumberBound(VERSIONS_STEP, Timestamp.version(Long.MAX_VALUE));
  }

  /** A number was seen, or made here. */
  public void note(long number) {
    if (number > known.get() + step / 2) {
      known.accumulateAndGet(number, Math::max);
    }
  }

  /**
   * Whether a number that has come from outside lies within a step, or has been claimed often.
   *
   * @param any whether this node is still learning what the others hold
   */
  public boolean admits(long number, boolean any) {
    return number >= 0
        && (number <= known.get() + step || (number <= max - step && (any || isBelieved(number))));
  }

  private synchronized boolean isBelieved(long number) {
    if (Math.abs(number - claimed) > step / 2) {
      claimed = number;
      claims = 0;
    }
    claims++;
    return claims >= CLAIMS;
  }
}
