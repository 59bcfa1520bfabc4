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
package org.orcagrid.ddp.replica.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares with a set of the JDK's. */
class AddressesTest {
  private static final int STEPS = 200_000;

  @Test
  void isWhatASetIs() {
    SplittableRandom random = new SplittableRandom(7);
    Addresses addresses = new Addresses();
    Set<Long> expected = new HashSet<>();
    for (int step = 0; step < STEPS; step++) {
      // It grows and shrinks: at times there are many, at times hardly any.
      boolean grows = step / 10_000 % 2 == 0;
      long address = 16L * (1 + random.nextInt(3_000));
      if (random.nextInt(100) < (grows ? 70 : 20)) {
        addresses.add(address);
        expected.add(address);
      } else {
        addresses.remove(address);
        expected.remove(address);
      }
      assertEquals(expected.contains(address), addresses.has(address));
      assertEquals(expected.size(), addresses.size());
    }
    Set<Long> found = new HashSet<>();
    addresses.forEach(address -> assertTrue(found.add(address), "once"));
    assertEquals(expected, found);
  }

  @Test
  void nothingIsNoAddress() {
    Addresses addresses = new Addresses();
    assertFalse(addresses.has(0));
    addresses.remove(16);
    assertEquals(0, addresses.size());
  }
}
