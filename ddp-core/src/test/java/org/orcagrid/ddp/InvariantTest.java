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

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class InvariantTest {
  @Test
  void aBrokenInvariantNamesItsRuleAndTheValuesThatBreakIt() {
    IllegalStateException broken =
        assertThrows(
            IllegalStateException.class, () -> Invariant.check(false, "a <= b", "a", 0x1f, "b", 2));

    assertEquals("Invariant broken: a <= b (a=0x1f, b=0x2)", broken.getMessage());
  }

  @Test
  void anInvariantThatHoldsSaysNothing() {
    assertDoesNotThrow(() -> Invariant.check(true, "a <= b", "a", 1, "b", 2));
  }
}
