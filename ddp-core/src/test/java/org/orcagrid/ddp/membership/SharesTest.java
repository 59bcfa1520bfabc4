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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.Quorum;

/** How maps are divided among places. */
class SharesTest {
  private static final int MAPS = 10_000;

  @Test
  void everyPlaceHasAboutAsManyMaps() {
    for (int copies = 2; copies <= 5; copies++) {
      int[] maps = new int[5];
      for (int map = 1; map <= MAPS; map++) {
        int homes = Shares.NONE.homes(map, copies, 0b11111);
        assertEquals(copies, Integer.bitCount(homes));
        for (int place = 0; place < maps.length; place++) {
          maps[place] += homes >> place & 1;
        }
      }
      int even = MAPS * copies / maps.length;
      for (int each : maps) {
        assertTrue(Math.abs(each - even) <= even / 20, () -> each + " maps, not about " + even);
      }
    }
  }

  @Test
  void aPlaceThatComesTakesMapsAndNothingElseMoves() {
    int moved = 0;
    for (int map = 1; map <= MAPS; map++) {
      int before = Shares.NONE.homes(map, 3, 0b11110);
      int after = Shares.NONE.homes(map, 3, 0b11111);
      assertEquals(0, after & ~before & ~1, "only the new place is a new home");
      moved += after & 1;
      Shares moving = new Shares(3, 0, 0, 0);
      assertEquals(before | after, moving.homes(map, 3, 0b11111));
      assertEquals(before | after, moving.keepers(map, 3, 0b11111));
      Shares givenUp = moving.givenUp(9);
      assertEquals(before | after, givenUp.homes(map, 3, 0b11111));
      assertEquals(after, givenUp.keepers(map, 3, 0b11111));
    }
    int even = MAPS * 3 / 5;
    int taken = moved;
    assertTrue(Math.abs(moved - even) <= even / 20, () -> taken + " maps, not about " + even);
  }

  @Test
  void aGridWithFewerPlacesThanCopiesHasThemAll() {
    assertEquals(0b101, Shares.NONE.homes(7, 3, 0b101));
    assertEquals(0b111, Shares.NONE.homes(7, 0, 0b111));
  }

  @Test
  void soManyServeThatEveryMapHasAHomeAmongThem() {
    int copies = 3;
    int size = 5;
    Shares shares = new Shares(copies, -1, 0, 0);
    for (int serving = 0; serving < 1 << size; serving++) {
      boolean someMapHasNone = false;
      for (int homes = 0; homes < 1 << size; homes++) {
        someMapHasNone |= Integer.bitCount(homes) == copies && (homes & serving) == 0;
      }
      assertEquals(someMapHasNone, shares.isTooFew(Quorum.all(size), serving));
    }
  }

  @Test
  void aPlaceThatLeavesKeepsItsShareForTheNextOne() {
    Shares left = new Shares(3, -1, 0, 0).without(2);
    for (int map = 1; map <= 100; map++) {
      int before = Shares.NONE.homes(map, 3, 0b11111);
      assertEquals(before & ~0b100, left.homes(map, 3, 0b11011));
      assertEquals(before, left.toward(2).homes(map, 3, 0b11111));
    }
    assertEquals(5, left.size(0b11011));
    assertEquals(new Shares(3, -1, 0, 0), left.toward(2));
    assertEquals(Optional.empty(), left.whyNotLeave(0b11011, 3));
    assertTrue(left.without(3).whyNotLeave(0b10011, 4).isPresent(), "some map has one home left");
  }

  @Test
  void aPlaceThatNeverServedLeavesNothing() {
    Shares moving = new Shares(2, -1, 0, 0).toward(3);
    assertEquals(Optional.empty(), moving.whyNotLeave(0b1111, 3));
    assertTrue(moving.whyNotLeave(0b1111, 0).isPresent(), "copies are on their way");
    assertEquals(new Shares(2, -1, 0, 0), moving.without(3));
    assertTrue(moving.givenUp(7).whyNotLeave(0b1111, 3).isPresent(), "it is a home");
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Shares(-1, -1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new Shares(2, -1, 5, 0));
  }
}
