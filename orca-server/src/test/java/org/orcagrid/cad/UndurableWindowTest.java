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

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UndurableWindowTest {
  private static final long BYTES_MAX = 6_400;
  private static final long AGE_MAX = 64_000;

  private final UndurableWindow window = new UndurableWindow(BYTES_MAX, AGE_MAX, 10);

  @Test
  void anEmptyWindowIsOpenHoweverLate() {
    assertTrue(window.isOpen(Long.MAX_VALUE));
    assertEquals(0, window.bytes());
    assertEquals(0, window.oldestAgeNanos(Long.MAX_VALUE));
  }

  @Test
  void itClosesWhenTheOldestEntryIsTooOldAndOpensWhenThatIsDurable() {
    window.onLogged(11, 1, 0);
    window.onLogged(12, 1, AGE_MAX);
    assertTrue(window.isOpen(AGE_MAX));
    assertFalse(window.isOpen(AGE_MAX + 1));

    window.onDurable(11);
    assertTrue(window.isOpen(AGE_MAX + 1));
    assertEquals(1, window.oldestAgeNanos(AGE_MAX + 1));
    window.onDurable(12);
    assertTrue(window.isOpen(Long.MAX_VALUE));
  }

  @Test
  void itClosesBeyondItsBytesAndOpensWhenEnoughIsDurable() {
    window.onLogged(11, BYTES_MAX, 0);
    assertTrue(window.isOpen(0));
    window.onLogged(12, 1, 0);
    assertFalse(window.isOpen(0));

    window.onDurable(11);
    assertTrue(window.isOpen(0));
    assertEquals(1, window.bytes());
  }

  @Test
  void whatIsDurableBeforeItIsLoggedHereNeverCounts() {
    window.onLogged(10, 2 * BYTES_MAX, 0);
    window.onDurable(20);
    window.onLogged(20, 2 * BYTES_MAX, 0);
    window.onDurable(15);
    window.onLogged(19, 2 * BYTES_MAX, 0);

    assertEquals(0, window.bytes());
    assertTrue(window.isOpen(Long.MAX_VALUE));
  }

  @Test
  void aDiskThatKeepsUpNeverClosesItHoweverLongTheLoadLasts() {
    // A write each microsecond; a force takes 5 ms, and what it took is durable 5 ms later.
    UndurableWindow busy = new UndurableWindow(64L << 20, 1_000_000_000, 0);
    for (long write = 1; write <= 1_000_000; write++) {
      busy.onLogged(write, 100, write * 1_000);
      if (write % 5_000 == 0) {
        busy.onDurable(write - 5_000);
      }
      assertTrue(busy.isOpen(write * 1_000));
    }
  }

  @Test
  void theLongestHangTakesLittleMemory() {
    for (long write = 11; write < 1_000_000; write++) {
      window.onLogged(write, 0, write);
    }

    // One for each part of the bound in time.
    assertTrue(window.parts() <= 1_000_000 * UndurableWindow.PARTS / AGE_MAX + 1);
    assertEquals(1_000_000 - 11, window.oldestAgeNanos(1_000_000));
  }

  @Test
  void besideAnExactAccountItMissesByAPartAtMost() {
    Random random = new Random(7);
    TreeMap<Long, long[]> exact = new TreeMap<>();
    long now = 0;
    long durable = 10;
    for (long index = 11; index < 20_000; index++) {
      now += random.nextInt(3_000);
      long size = random.nextInt(300);
      window.onLogged(index, size, now);
      exact.put(index, new long[] {size, now});
      if (random.nextInt(10) == 0) {
        durable += random.nextLong(index - durable + 1);
        window.onDurable(durable);
        exact.headMap(durable, true).clear();
      }
      long bytes = exact.values().stream().mapToLong(each -> each[0]).sum();
      long age = exact.isEmpty() ? 0 : now - exact.firstEntry().getValue()[1];
      assertTrue(window.bytes() >= bytes, "counts all that is not durable");
      assertTrue(window.bytes() <= bytes + BYTES_MAX / UndurableWindow.PARTS);
      assertTrue(window.oldestAgeNanos(now) >= age, "from when it was logged");
      assertTrue(window.oldestAgeNanos(now) <= age + AGE_MAX / UndurableWindow.PARTS);
    }
  }
}
