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
package org.orcagrid.ddp.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told stays within the rate, the burst and a page, whenever somebody looks. */
class BudgetTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BURST = SECOND / 50;
  private static final int RATE = 1_000_000;
  private static final int PAGE = 64 << 10;

  /** Looks at random moments for so long; the bytes that were told. */
  private static long tell(Budget budget, long from, long nanos, SplittableRandom random) {
    long told = 0;
    for (long now = from; now - from < nanos; now += 1 + random.nextLong(BURST)) {
      while (budget.allows(now)) {
        int page = 1 + random.nextInt(PAGE);
        budget.take(page, now);
        told += page;
      }
    }
    return told;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5 * SECOND, -7 * SECOND, Long.MAX_VALUE - SECOND})
  void noMoreIsToldThanTheRateAndNotMuchLess(long from) {
    SplittableRandom random = new SplittableRandom(1);
    long told = tell(new Budget(RATE, BURST), from, 10 * SECOND, random);
    long burst = RATE * BURST / SECOND;
    assertTrue(told <= 10L * RATE + burst + PAGE, () -> told + " bytes in ten seconds");
    assertTrue(told >= 10L * RATE - burst - PAGE, () -> told + " bytes in ten seconds");
  }

  @Test
  void aLongPauseIsNotMadeUpFor() {
    SplittableRandom random = new SplittableRandom(2);
    Budget budget = new Budget(RATE, BURST);
    tell(budget, 0, SECOND, random);
    long told = tell(budget, 100 * SECOND, SECOND, random);
    long most = RATE + RATE * BURST / SECOND + PAGE;
    assertTrue(told <= most, () -> told + " bytes in a second");
  }

  @Test
  void aLargePageIsPaidForBeforeTheNext() {
    Budget budget = new Budget(RATE, 0);
    assertTrue(budget.allows(7));
    budget.take(3L * RATE, 7);
    assertFalse(budget.allows(6 + 3 * SECOND));
    assertTrue(budget.allows(7 + 3 * SECOND));
  }

  @Test
  void withoutABoundAllIsToldAtOnce() {
    Budget.UNBOUNDED.take(Integer.MAX_VALUE, 0);
    assertTrue(Budget.UNBOUNDED.allows(0));
    String message = assertThrows(IllegalArgumentException.class, () -> Budget.of(-1)).getMessage();
    assertEquals("Bytes a second and burst are at least 0, not -1 and 20000000", message);
  }
}
