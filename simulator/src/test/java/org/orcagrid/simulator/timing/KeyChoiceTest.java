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
package org.orcagrid.simulator.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class KeyChoiceTest {
  private static final int RECORDS = 1000;
  private static final int DRAWS = 200_000;

  /** The shares of the records, the most popular first. */
  private static double[] shares(KeyChoice choice) {
    SplittableRandom random = new SplittableRandom(1);
    KeyChoice.Draw draw = choice.over(RECORDS);
    double[] shares = new double[RECORDS];
    for (int i = 0; i < DRAWS; i++) {
      shares[draw.next(random)] += 1.0 / DRAWS;
    }
    Arrays.sort(shares);
    for (int low = 0, high = RECORDS - 1; low < high; low++, high--) {
      double other = shares[low];
      shares[low] = shares[high];
      shares[high] = other;
    }
    return shares;
  }

  @Test
  void uniformIsAlike() {
    double[] shares = shares(KeyChoice.UNIFORM);
    assertTrue(shares[0] < 0.0016 && shares[RECORDS - 1] > 0.0005, "from " + shares[0]);
  }

  @Test
  void zipfianHalvesWithTheRank() {
    double[] shares = shares(KeyChoice.ZIPFIAN);
    assertEquals(0.129, shares[0], 0.004);
    assertEquals(shares[0] / 2, shares[1], 0.004);
  }

  @Test
  void scrambledIsLessSkewedAsInYcsb() {
    double[] shares = shares(KeyChoice.SCRAMBLED_ZIPFIAN);
    assertEquals(0.038, shares[0], 0.003);
    assertEquals(0.019, shares[1], 0.003);
  }
}
