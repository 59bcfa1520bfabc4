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
package org.orcagrid.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
  @Test
  void takesTheMiddleOne() {
    assertEquals(new Spread(3, 1, 100), Spread.of(List.of(100.0, 1.0, 3.0)));
  }

  @Test
  void takesTheMeanOfTheTwoInTheMiddle() {
    assertEquals(new Spread(2.5, 1, 9), Spread.of(List.of(9.0, 2.0, 3.0, 1.0)));
  }

  @Test
  void refusesNothing() {
    assertThrows(IllegalArgumentException.class, () -> Spread.of(List.of()));
  }

  @Test
  void spreadsEachMeasureOnItsOwn() {
    LatencySpread spread =
        LatencySpread.of(
            List.of(
                new LatencySummary(10, 1, 2, 3, 4, 5, 60),
                new LatencySummary(20, 2, 1, 4, 3, 6, 50)));
    assertEquals(30, spread.count());
    assertEquals(new Spread(1.5, 1, 2), spread.mean());
    assertEquals(new Spread(1.5, 1, 2), spread.p50());
    assertEquals(new Spread(55, 50, 60), spread.max());
  }
}
