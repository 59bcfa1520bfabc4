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

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class PacerTest {
  @Test
  void keepsTheRateWhateverTheCallerDoes() {
    Pacer pacer = new Pacer(3, 1_000);
    assertEquals(1_000, pacer.nextDueNanos());
    assertEquals(333_334_333, pacer.nextDueNanos());
    assertEquals(666_667_667, pacer.nextDueNanos());
    assertEquals(1_000_001_000, pacer.nextDueNanos());
  }
}
