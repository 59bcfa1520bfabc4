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
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class TailTest {
  @Test
  void eachFigureIsOneOfTheValues() {
    List<Double> values = DoubleStream.iterate(10, each -> each - 1).limit(10).boxed().toList();
    assertEquals(new Tail(5, 9, 10), Tail.of(values));
    assertEquals(new Tail(7, 7, 7), Tail.of(List.of(7.0)));
    assertEquals(new Tail(2, 3, 3), Tail.of(List.of(1.0, 3.0, 2.0)));
  }

  @Test
  void nothingHasNone() {
    assertThrows(IllegalArgumentException.class, () -> Tail.of(List.of()));
  }
}
