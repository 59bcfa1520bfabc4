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
package org.orcagrid.ddp.kite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** A grid loses a place: message by message. */
class RemovalScenarioTest {
  private static final long LONG = 2_000_000_000L;

  private static void offer(Scenario s, KiteView view, int... nodes) {
    for (int node : nodes) {
      s.machine(node).offer(view);
    }
  }

  /** Of three nodes 2 leaves, and nobody but it answers node 0. */
  private static boolean endsWithTheLeavingOne(Set<KiteRule> rules) {
    Scenario s = new Scenario(3, rules);
    offer(s, KiteView.first(3).leaving(2), 0, 1, 2);
    s.pass(1);
    KiteSession add = s.begin(0, 0, OperationKind.GET_AND_ADD, "n", 1);
    for (int i = 0; i < 4; i++) {
      s.drop(0, 1);
      s.exchange(0, 2);
      s.pass(LONG);
    }
    return add.isIdle();
  }

  @Test
  void anAnswerOfTheLeavingNodeDoesNotCount() {
    assertFalse(endsWithTheLeavingOne(KiteRule.all()));
    assertTrue(endsWithTheLeavingOne(KiteRule.without(KiteRule.LEAVING_COUNTS_NOT)), "the mutant");
  }

  @Test
  void whatWaitsForTheLeavingNodeEndsWhenItDoesNotCount() {
    for (OperationKind kind :
        new OperationKind[] {
          OperationKind.RELEASE, OperationKind.ACQUIRE, OperationKind.GET_AND_ADD
        }) {
      Scenario s = new Scenario(2, KiteRule.all());
      KiteSession waits = s.begin(0, 0, kind, "n", 1);
      s.dropAll(0);
      assertFalse(waits.isIdle(), "a majority of two are both");
      offer(s, KiteView.first(2).leaving(1), 0);
      s.pass(1);
      s.pass(LONG);
      assertTrue(waits.isIdle(), kind + " waits for nobody");
    }
  }

  @Test
  void aReleaseBehindAWriteEndsWithoutTheLeavingNode() {
    Scenario s = new Scenario(2, KiteRule.all());
    s.begin(0, 0, OperationKind.WRITE, "data", 5);
    KiteSession release = s.begin(0, 0, OperationKind.RELEASE, "flag", 1);
    s.dropAll(0);
    KiteView leaving = KiteView.first(2).leaving(1);
    offer(s, leaving, 0);
    offer(s, leaving.without(), 0);
    s.pass(1);
    assertTrue(release.isIdle(), "it has gone, and nobody is to acknowledge");
    assertEquals(0, s.worker(0).pendingWrites());
  }

  @Test
  void theOthersLearnWhatTheLeavingNodeCountedFor() {
    Scenario s = new Scenario(3, KiteRule.all());
    KiteSession release = s.begin(0, 0, OperationKind.RELEASE, "flag", 7);
    for (int i = 0; i < 3; i++) {
      s.drop(0, 1);
      s.exchange(0, 2);
    }
    assertTrue(release.isIdle(), "nodes 0 and 2 have it");
    KiteView leaving = KiteView.first(3).leaving(2);
    offer(s, leaving, 0, 1, 2);
    s.pass(1);
    assertEquals(leaving.number(), refreshed(s, 0, 1));
    offer(s, leaving.without(), 0, 1);
    s.pass(1);
    KiteSession read = s.begin(1, 0, OperationKind.READ, "flag");
    assertEquals(7, Scenario.result(read), "without asking anybody");
  }

  /** What node 1 is refreshed since, when it has heard of node 0. */
  private static int refreshed(Scenario s, int... among) {
    assertEquals(0, s.machine(1).refreshed(), "it has heard of nobody");
    s.exchange(among);
    s.pass(LONG);
    s.exchange(among);
    s.pass(1);
    return s.machine(1).refreshed();
  }

  @Test
  void aPlaceThatIsGoneSaysNothingThatCounts() {
    Scenario s = new Scenario(3, KiteRule.all());
    KiteView gone = KiteView.first(3).leaving(2).without();
    s.begin(2, 0, OperationKind.WRITE, "late", 1);
    offer(s, gone, 0, 1);
    s.pass(1);
    s.exchange(0, 1, 2);
    assertEquals(
        Scenario.ABSENT, Scenario.result(s.begin(0, 0, OperationKind.READ, "late")), "too late");
    offer(s, gone, 2);
    s.pass(1);
    assertTrue(s.machine(2).isReplaced());
    assertTrue(s.worker(2).isOver());
  }

  @Test
  void aNodeThatFollowsAnotherAsksTheLeavingOneToo() {
    Scenario s = new Scenario(3, KiteRule.all());
    KiteSession release = s.begin(1, 0, OperationKind.RELEASE, "flag", 7);
    for (int i = 0; i < 3; i++) {
      s.drop(1, 0);
      s.exchange(1, 2);
    }
    assertTrue(release.isIdle(), "nodes 1 and 2 have it");
    KiteView leaving = KiteView.first(3).leaving(2);
    offer(s, leaving, 0, 1, 2);
    s.pass(1);
    KiteView view = leaving.withNewNode(1);
    s.begin(1, view);
    offer(s, view, 0, 2);
    s.exchange(0, 1);
    s.pass(1);
    s.exchange(0, 1);
    assertFalse(s.machine(1).isServing(), "node 0 knows nothing of it");
    for (int i = 0; i < 4; i++) {
      s.exchange(0, 1, 2);
      s.pass(LONG);
    }
    assertTrue(s.machine(1).isServing());
    assertEquals(7, Scenario.result(s.begin(1, 0, OperationKind.READ, "flag")));
  }
}
