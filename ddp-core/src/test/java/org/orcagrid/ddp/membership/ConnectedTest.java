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
package org.orcagrid.ddp.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.Quorum;

class ConnectedTest {

  /** Of all sets, by looking at each. */
  private static int largest(int candidates, int[] hears) {
    int best = 0;
    for (int set = 1; set < 1 << hears.length; set++) {
      if ((set & ~candidates) == 0 && isConnected(set, hears) && isBetter(set, best)) {
        best = set;
      }
    }
    return best;
  }

  private static boolean isBetter(int set, int than) {
    int more = Integer.bitCount(set) - Integer.bitCount(than);
    return more > 0 || (more == 0 && (set & Integer.lowestOneBit(set ^ than)) != 0);
  }

  private static boolean isConnected(int set, int[] hears) {
    for (int one = 0; one < hears.length; one++) {
      for (int other = 0; other < hears.length; other++) {
        boolean both = (set & Quorum.of(one)) != 0 && (set & Quorum.of(other)) != 0;
        if (both && one != other && (hears[one] & Quorum.of(other)) == 0) {
          return false;
        }
      }
    }
    return true;
  }

  @Test
  void itIsTheOneThatLookingAtAllSetsFinds() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 5_000; round++) {
      int[] hears = new int[1 + random.nextInt(7)];
      for (int node = 0; node < hears.length; node++) {
        hears[node] = ~(random.nextInt(1 << hears.length) & random.nextInt());
      }
      int candidates = random.nextInt(1 << hears.length);
      assertEquals(largest(candidates, hears), Connected.largest(candidates, hears));
    }
  }

  @Test
  void aLargeGridTakesNoLongTime() {
    int[] hears = new int[Quorum.NODES_MAX];
    java.util.Arrays.fill(hears, Quorum.all(hears.length));
    assertEquals(Quorum.all(hears.length), Connected.largest(Quorum.all(hears.length), hears));
  }
}
