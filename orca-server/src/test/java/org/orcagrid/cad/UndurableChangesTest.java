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

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UndurableChangesTest {
  private final UndurableChanges changes = new UndurableChanges();

  @Test
  void aPathThatNobodyChangedNeedsNothing() {
    changes.onNodeChanged("/a", 5);

    assertEquals(0, changes.indexOfNode("/b"));
    assertEquals(0, changes.indexOfChildren("/b"));
  }

  @Test
  void aChangedNodeNeedsItsLastChange() {
    changes.onNodeChanged("/a", 5);
    changes.onNodeChanged("/a", 8);

    assertEquals(8, changes.indexOfNode("/a"));
    assertEquals(0, changes.indexOfChildren("/a"), "its children's names are as they were");
  }

  @Test
  void theStatOfAParentNeedsTheLastChangeOfItsChildren() {
    changes.onNodeChanged("/a", 5);
    changes.onChildrenChanged("/a", 7);

    assertEquals(7, changes.indexOfNode("/a"));
    assertEquals(7, changes.indexOfChildren("/a"));
    changes.onNodeChanged("/a", 9);
    assertEquals(9, changes.indexOfNode("/a"));
    assertEquals(7, changes.indexOfChildren("/a"));
  }

  @Test
  void theAbsenceOfADeletedNodeNeedsItsDeletion() {
    changes.onNodeChanged("/a", 5);
    changes.onNodeChanged("/a", 6);
    changes.onDurable(5);

    assertEquals(6, changes.indexOfNode("/a"));
    changes.onDurable(6);
    assertEquals(0, changes.indexOfNode("/a"));
  }

  @Test
  void aNodeThatWasCreatedDeletedAndCreatedAgainNeedsTheLastOfThem() {
    changes.onNodeChanged("/a", 5);
    changes.onNodeChanged("/a", 6);
    changes.onNodeChanged("/a", 7);
    changes.onDurable(6);

    assertEquals(7, changes.indexOfNode("/a"));
    assertEquals(1, changes.size());
  }

  @Test
  void whatIsDurableIsForgotten() {
    for (int i = 1; i <= 1_000; i++) {
      changes.onNodeChanged("/n" + i, i);
      changes.onChildrenChanged("/", i);
      changes.onDurable(i - 10);
    }
    assertEquals(11, changes.size(), "ten nodes and their parent");
    changes.onDurable(1_000);
    assertEquals(0, changes.size());
  }

  @Test
  void severalChangesOfOneTransactionAreOneEntry() {
    changes.onNodeChanged("/a", 5);
    changes.onChildrenChanged("/a", 5);
    changes.onDurable(4);
    assertEquals(5, changes.indexOfChildren("/a"));

    changes.onDurable(5);
    assertEquals(0, changes.size());
  }

  @Test
  void whatWasLoadedFromDiskNeedsAllOfIt() {
    changes.onNodeChanged("/a", 5);
    changes.startFrom(100);

    assertEquals(0, changes.size());
    assertEquals(100, changes.indexOfNode("/a"));
    assertEquals(100, changes.indexOfNode("/never-seen"));
    assertEquals(100, changes.indexOfChildren("/a"));
    changes.onNodeChanged("/a", 101);
    assertEquals(101, changes.indexOfNode("/a"));
    assertEquals(100, changes.indexOfNode("/b"));
  }

  @Test
  void aSessionIsToldOfTheLastChangeThatItDidNotMake() {
    changes.onNodeChanged("/a", 5, 1);
    changes.onNodeChanged("/a", 6, 1);
    assertEquals(0, changes.indexOfOthers("/a", 1), "all is its own");
    assertEquals(6, changes.indexOfOthers("/a", 2));

    changes.onNodeChanged("/a", 7, 2);
    assertEquals(7, changes.indexOfOthers("/a", 1));
    assertEquals(6, changes.indexOfOthers("/a", 2));
    assertEquals(7, changes.indexOfOthers("/a", 3));
  }

  @Test
  void childrenThatOthersCreatedAreInTheStat() {
    changes.onNodeChanged("/a", 5, 1);
    changes.onChildrenChanged("/a", 6, 2);

    assertEquals(6, changes.indexOfOthers("/a", 1));
    assertEquals(5, changes.indexOfOthers("/a", 2));
  }

  @Test
  void whatOthersChangedIsNoMatterOnceItIsDurable() {
    changes.startFrom(4);
    assertEquals(4, changes.indexOfOthers("/never-seen", 1), "anybody may have changed it");
    changes.onNodeChanged("/a", 5, 1);
    changes.onNodeChanged("/a", 6, 2);
    changes.onDurable(5);

    assertEquals(0, changes.indexOfOthers("/never-seen", 1));
    assertEquals(0, changes.indexOfOthers("/a", 2));
    assertEquals(6, changes.indexOfOthers("/a", 1));
  }

  @Test
  void theChangesOfOthersAreThoseOfTheWholeHistory() {
    SplittableRandom random = new SplittableRandom(7);
    for (int run = 0; run < 200; run++) {
      UndurableChanges noted = new UndurableChanges();
      long[] lastBySession = new long[4];
      long durable = 0;
      for (long index = 1; index <= 60; index++) {
        int session = 1 + random.nextInt(3);
        if (random.nextBoolean()) {
          noted.onNodeChanged("/a", index, session);
        } else {
          noted.onChildrenChanged("/a", index, session);
        }
        lastBySession[session] = index;
        if (random.nextInt(4) == 0) {
          durable += random.nextLong(index - durable + 1);
          noted.onDurable(durable);
        }
        for (int asked = 1; asked <= 3; asked++) {
          long others = 0;
          for (int other = 1; other <= 3; other++) {
            others = other == asked ? others : Math.max(others, lastBySession[other]);
          }
          assertEquals(others <= durable ? 0 : others, noted.indexOfOthers("/a", asked));
        }
      }
    }
  }
}
