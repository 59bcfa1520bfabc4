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
import org.orcagrid.ddp.store.KeyHash;

/** Delinquency of nodes that the grid has lost; all else has scenarios of its own. */
class DelinquencyTest {
  private static final int LOST = 2;

  private final Delinquency bits = new Delinquency(3, 2, true);
  private final MissedKeys missed = new MissedKeys();

  private boolean isDelinquentAfterReset(long id) {
    boolean is = bits.onAcquire(LOST, 0, id, missed);
    bits.onReset(LOST, 0, id);
    return is;
  }

  @Test
  void aNodeThatIsLostIsDelinquentWhateverItHasDone() {
    assertFalse(isDelinquentAfterReset(1));
    bits.onView(5, 0b011, 0b100);
    assertTrue(isDelinquentAfterReset(2));
    assertTrue(isDelinquentAfterReset(3), "it goes on missing writes");
    assertFalse(bits.onAcquire(1, 0, 1, missed), "another node is not");
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

  @Test
  void whatIsMissedIsKeptUntilItWasToldAndActedOn() {
    MissedKeys one = new MissedKeys();
    one.add(KeyHash.hash(new byte[] {7}));
    bits.onSlowRelease(0b010, one);
    MissedKeys other = new MissedKeys();
    other.add(KeyHash.hash(new byte[] {8}));
    bits.onSlowRelease(0b010, other);
    assertTrue(bits.onAcquire(1, 0, 1, missed));
    assertTrue(
        missed.has(KeyHash.hash(new byte[] {7})) && missed.has(KeyHash.hash(new byte[] {8})));
    assertFalse(missed.has(KeyHash.hash(new byte[] {9})));
    MissedKeys late = new MissedKeys();
    late.add(KeyHash.hash(new byte[] {9}));
    bits.onSlowRelease(0b010, late);
    bits.onReset(1, 0, 1);
    missed.clear();
    assertTrue(bits.onAcquire(1, 0, 2, missed), "a slow release has come between");
    assertTrue(missed.has(KeyHash.hash(new byte[] {9})));
    bits.onReset(1, 0, 2);
    missed.clear();
    bits.onSlowRelease(0b010, one);
    assertTrue(bits.onAcquire(1, 0, 3, missed));
    assertFalse(missed.has(KeyHash.hash(new byte[] {9})), "it was acted on");
  }

  /** Bits without keys stand for every key. */
  @Test
  void whatIsNotToldMayBeAnything() {
    bits.onLearned(0b010);
    assertTrue(bits.onAcquire(1, 0, 1, missed));
    assertTrue(missed.isDense());
  }

  /** Sessions of a node acquire together: each would find a bit that waits for the last of them. */
  @Test
  void theFirstThatFindsItResetsIt() {
    bits.onSlowRelease(0b010, missed);
    assertTrue(bits.onAcquire(1, 0, 1, missed));
    assertTrue(bits.onAcquire(1, 1, 1, missed));
    assertTrue(bits.onAcquire(1, 0, 2, missed));
    bits.onReset(1, 0, 1);
    assertFalse(bits.onAcquire(1, 0, 3, missed));
  }

  @Test
  void aResetThatIsLostIsNotWaitedForForEver() {
    bits.onSlowRelease(0b010, missed);
    long id = 0;
    while (bits.onAcquire(1, 0, ++id, missed) && id < 100) {
      if (id > 1) {
        bits.onReset(1, 0, id);
      }
    }
    assertTrue(id > 2 && id < 100, "asked " + id + " times");
  }
}
