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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.orcagrid.geo.GeoRule;

class HybridClockTest {
  private static final long NOW = 1_700_000_000_000L;

  private final HybridClock clock = new HybridClock(GeoRule.all());

  @Test
  void itIsThePhysicalTimeWhileThatIsAhead() {
    assertEquals(HybridClock.of(NOW), clock.next(NOW));
    assertEquals(HybridClock.of(NOW) + 1, clock.next(NOW));
    assertEquals(HybridClock.of(NOW + 1), clock.next(NOW + 1));
    assertEquals(HybridClock.of(NOW + 1) + 1, clock.next(NOW - 100));
    assertEquals(NOW + 1, HybridClock.millis(clock.last()));
  }

  @Test
  void itIsLaterThanAllThatItHasSeen() {
    clock.observe(HybridClock.of(NOW + 50) + 7);
    assertEquals(HybridClock.of(NOW + 50) + 8, clock.next(NOW));
    clock.observe(HybridClock.of(NOW));
    assertEquals(HybridClock.of(NOW + 50) + 9, clock.next(NOW));
  }

  @Test
  void aCountThatIsFullCarries() {
    clock.observe(HybridClock.of(NOW + 1) - 1);
    assertEquals(HybridClock.of(NOW + 1), clock.next(NOW));
    HybridClock wraps = new HybridClock(GeoRule.without(GeoRule.COUNTS_CARRY));
    wraps.observe(HybridClock.of(NOW + 1) - 1);
    assertTrue(wraps.next(NOW) < HybridClock.of(NOW + 1) - 1, "without it the clock goes back");
  }

  @Test
  void whatIsFarAheadIsKnownUnlessItWasSeen() {
    long far = HybridClock.of(NOW + HybridClock.AHEAD_MILLIS_MAX + 1);
    assertTrue(clock.isAhead(far, NOW));
    assertFalse(clock.isAhead(HybridClock.of(NOW + HybridClock.AHEAD_MILLIS_MAX), NOW));
    clock.observe(far);
    assertFalse(clock.isAhead(far, NOW));
  }
}
