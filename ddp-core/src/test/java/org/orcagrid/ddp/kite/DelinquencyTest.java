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
package org.orcagrid.ddp.kite;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Delinquency of nodes that the grid has lost; all else has scenarios of its own. */
class DelinquencyTest {
  private static final int LOST = 2;

  private final Delinquency bits = new Delinquency(3, 2, true);

  private boolean isDelinquentAfterReset(long id) {
    boolean is = bits.onAcquire(LOST, 0, id);
    bits.onReset(LOST, 0, id);
    return is;
  }

  @Test
  void aNodeThatIsLostIsDelinquentWhateverItHasDone() {
    assertFalse(isDelinquentAfterReset(1));
    bits.onView(5, 0b011, 0b100);
    assertTrue(isDelinquentAfterReset(2));
    assertTrue(isDelinquentAfterReset(3), "it goes on missing writes");
    assertFalse(bits.onAcquire(1, 0, 1), "another node is not");
  }

  @Test
  void oneThatHasThePlaceLaterIsToldOnce() {
    bits.onView(5, 0b011, 0b100);
    bits.onView(7, 0b111, 0);
    // Another worker is late.
    bits.onView(6, 0b011, 0b100);
    assertTrue(isDelinquentAfterReset(1));
    assertFalse(isDelinquentAfterReset(2));
  }
}
