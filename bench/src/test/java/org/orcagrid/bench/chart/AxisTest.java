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
package org.orcagrid.bench.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.chart.Axis.Scale;

final class AxisTest {
  @Test
  void putsLinearTicksAtRoundValues() {
    assertEquals(
        List.of(0.0, 20.0, 40.0, 60.0, 80.0, 100.0), new Axis("x", Scale.LINEAR, 0, 100).ticks());
  }

  @Test
  void putsLogarithmicTicksAtPowersOfTen() {
    assertEquals(
        List.of(1.0, 10.0, 100.0, 1_000.0), new Axis("x", Scale.LOGARITHMIC, 0.5, 2_000).ticks());
  }

  @Test
  void dividesAShortLogarithmicAxisFiner() {
    assertEquals(List.of(2.0, 5.0, 10.0), new Axis("x", Scale.LOGARITHMIC, 1.5, 12).ticks());
  }

  @Test
  void placesValues() {
    assertEquals(0.25, new Axis("x", Scale.LINEAR, 0, 100).position(25), 1e-9);
    assertEquals(0.5, new Axis("x", Scale.LOGARITHMIC, 1, 100).position(10), 1e-9);
    assertEquals(1, new Axis("x", Scale.LINEAR, 0, 100).position(1_000), 1e-9);
  }

  @Test
  void writesLargeValuesShort() {
    assertEquals("0.5", Axis.tickLabel(0.5));
    assertEquals("1000", Axis.tickLabel(1_000));
    assertEquals("25k", Axis.tickLabel(25_000));
    assertEquals("2.5M", Axis.tickLabel(2_500_000));
  }

  @Test
  void refusesARangeThatHasNoScale() {
    assertThrows(IllegalArgumentException.class, () -> new Axis("x", Scale.LINEAR, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new Axis("x", Scale.LOGARITHMIC, 0, 1));
  }
}
