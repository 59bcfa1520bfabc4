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
package org.orcagrid.examples.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What is lost and what comes twice is counted, and nothing else is. */
class LedgerTest {
  private final Ledger ledger = new Ledger();

  private void offer(int from, int to) {
    for (int job = from; job <= to; job++) {
      ledger.offered(job);
    }
  }

  private void take(int from, int to) {
    for (int job = from; job <= to; job++) {
      ledger.taken(job);
    }
  }

  @Test
  void whatWaitsIsNotLost() {
    offer(1, 100);
    take(1, 40);
    assertEquals(new Ledger.Counts(100, 40, 60, 0, 0, 0), ledger.counts());
  }

  @Test
  void whatLaterOnesHaveOvertakenIsLost() {
    offer(1, 100);
    take(1, 10);
    take(51, 100);
    Ledger.Counts counts = ledger.counts();
    assertEquals(40, counts.lost());
    assertEquals(0, counts.waiting());
  }

  @Test
  void whatComesALittleLateIsNot() {
    offer(1, 30);
    take(2, 17);
    assertEquals(0, ledger.counts().lost());
    take(18, 20);
    assertEquals(1, ledger.counts().lost());
    take(1, 1);
    assertEquals(0, ledger.counts().lost(), "it has come after all");
  }

  @Test
  void whatWasPutInBeforeTheQueueWasEmptyIsLost() {
    offer(1, 3);
    int mark = ledger.mark();
    offer(4, 5);
    ledger.empty(mark);
    assertEquals(new Ledger.Counts(5, 0, 2, 3, 0, 0), ledger.counts());
  }

  @Test
  void whatComesAgainIsCounted() {
    offer(1, 2);
    take(1, 2);
    take(1, 1);
    assertEquals(new Ledger.Counts(2, 2, 0, 0, 1, 0), ledger.counts());
  }

  @Test
  void whatComesBeforeItIsAcknowledgedWaitsNoMore() {
    ledger.taken(1);
    ledger.offered(1);
    assertEquals(new Ledger.Counts(1, 1, 0, 0, 0, 0), ledger.counts());
  }

  @Test
  void countsOfProducersAreAdded() {
    offer(1, 3);
    ledger.pollInDoubt();
    assertEquals(new Ledger.Counts(6, 0, 6, 0, 0, 2), ledger.counts().and(ledger.counts()));
  }
}
