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
package org.orcagrid.bench.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class StandstillTest {
  private final Standstill standstill = new Standstill(100);

  @Test
  void theLongestTimeBetweenTwoAcknowledgements() {
    standstill.acknowledged(110);
    standstill.acknowledged(150);
    standstill.acknowledged(155);
    assertEquals(40, standstill.longest(156));
    assertEquals(1, standstill.open(156));
  }

  @Test
  void aTimeThatGoesOnCounts() {
    standstill.acknowledged(110);
    assertEquals(390, standstill.longest(500));
  }

  @Test
  void aMarkForgetsWhatHasEnded() {
    standstill.acknowledged(300);
    standstill.mark();
    standstill.acknowledged(303);
    assertEquals(3, standstill.longest(304));
  }

  @Test
  void aTimeThatBeganBeforeTheMarkCountsInFull() {
    standstill.acknowledged(110);
    standstill.mark();
    standstill.acknowledged(900);
    assertEquals(790, standstill.longest(901));
  }
}
