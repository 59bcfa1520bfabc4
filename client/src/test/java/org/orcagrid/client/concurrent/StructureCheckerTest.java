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
package org.orcagrid.client.concurrent;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.client.concurrent.StructureOperation.Kind;

/** The checker takes what is right and finds each thing that is wrong. */
class StructureCheckerTest {
  private final List<StructureOperation> history = new ArrayList<>();
  private int now;

  /** One after the other. */
  private StructureCheckerTest then(Kind kind, int item, int answer) {
    history.add(new StructureOperation(0, kind, item, answer, ++now, ++now));
    return this;
  }

  /** Beside whatever else there is, with an end or without. */
  private StructureCheckerTest beside(Kind kind, int item, int answer, boolean ended) {
    history.add(
        new StructureOperation(
            1, kind, item, answer, 0, ended ? 1_000_000 : StructureOperation.NEVER));
    return this;
  }

  private void right() {
    assertNull(StructureChecker.fault(history));
  }

  private void wrong() {
    assertNotNull(StructureChecker.fault(history), () -> "found nothing wrong: " + history);
  }

  @Test
  void aQueueInOrder() {
    then(Kind.POLL, 0, 0).then(Kind.OFFER, 1, 0).then(Kind.OFFER, 2, 0);
    then(Kind.POLL, 0, 1).then(Kind.POLL, 0, 2).then(Kind.POLL, 0, 0).right();
  }

  @Test
  void aQueueOutOfOrder() {
    then(Kind.OFFER, 1, 0).then(Kind.OFFER, 2, 0).then(Kind.POLL, 0, 2).wrong();
  }

  @Test
  void anItemThatIsLost() {
    then(Kind.OFFER, 1, 0).then(Kind.POLL, 0, 0).wrong();
  }

  @Test
  void anItemThatComesTwice() {
    then(Kind.OFFER, 1, 0).then(Kind.POLL, 0, 1).then(Kind.POLL, 0, 1).wrong();
  }

  @Test
  void anItemThatNobodyPutIn() {
    then(Kind.POLL, 0, 1).wrong();
  }

  @Test
  void anItemThatComesBackToAnEmptyQueue() {
    beside(Kind.OFFER, 1, 0, false).then(Kind.POLL, 0, 0).then(Kind.POLL, 0, 1).right();
  }

  @Test
  void whatNeverEndedTookEffectOnceAtMost() {
    beside(Kind.OFFER, 1, 0, false).then(Kind.POLL, 0, 1).then(Kind.POLL, 0, 1).wrong();
  }

  @Test
  void whatNeverEndedMayHaveTakenAnItem() {
    then(Kind.OFFER, 1, 0).beside(Kind.POLL, 0, 0, false).then(Kind.POLL, 0, 0).right();
  }

  @Test
  void aStackInOrderAndOutOfIt() {
    then(Kind.PUSH, 1, 0).then(Kind.PUSH, 2, 0).then(Kind.POP, 0, 2).right();
    then(Kind.POP, 0, 2).wrong();
  }

  @Test
  void aSetAsItIs() {
    then(Kind.ADD, 2, 1).then(Kind.ADD, 2, 0).then(Kind.CONTAINS, 2, 1).then(Kind.ADD, 1, 1);
    then(Kind.REMOVE, 2, 1).then(Kind.REMOVE, 2, 0).then(Kind.CONTAINS, 2, 0).right();
  }

  @Test
  void aSetThatHasAnItemTwice() {
    then(Kind.ADD, 2, 1).then(Kind.ADD, 2, 1).wrong();
  }

  @Test
  void aSetThatLosesAnItem() {
    then(Kind.ADD, 2, 1).then(Kind.CONTAINS, 2, 0).wrong();
  }

  @Test
  void aCounterThatSkipsOnlyWhatNeverEnded() {
    then(Kind.COUNT, 0, 1).beside(Kind.COUNT, 0, 0, false).then(Kind.COUNT, 0, 3).right();
    then(Kind.COUNT, 0, 5).wrong();
  }

  @Test
  void aCounterThatForgets() {
    then(Kind.COUNT, 0, 1).then(Kind.COUNT, 0, 1).wrong();
  }

  @Test
  void operationsBesideEachOther() {
    beside(Kind.OFFER, 1, 0, true).then(Kind.OFFER, 2, 0).then(Kind.POLL, 0, 1).right();
  }
}
