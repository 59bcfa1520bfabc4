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
package org.orcagrid.cad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PendingPublicationsTest {
  private final PendingPublications<String> pending = new PendingPublications<>();

  @Test
  void nothingIsReadyBeforeAllOfItIsDurable() {
    pending.add("a", 10);

    assertEquals(List.of(), pending.takeReady(9));
    assertFalse(pending.isEmpty());
    assertEquals(List.of("a"), pending.takeReady(10));
    assertTrue(pending.isEmpty());
    assertEquals(List.of(), pending.takeReady(10), "taken once");
  }

  @Test
  void theReadyOnesComeOldestFirstAndTheOthersStay() {
    pending.add("a", 10);
    pending.add("b", 30);
    pending.add("c", 20);

    assertEquals(List.of("a", "c"), pending.takeReady(20));
    assertEquals(List.of("b"), pending.takeReady(30));
  }

  @Test
  void allOfThemCanBeThrownAway() {
    pending.add("a", 10);
    pending.add("b", 5);

    assertEquals(List.of("a", "b"), pending.takeAll());
    assertTrue(pending.isEmpty());
    assertEquals(List.of(), pending.takeReady(Long.MAX_VALUE));
  }
}
