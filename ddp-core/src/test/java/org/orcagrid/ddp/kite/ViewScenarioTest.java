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

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.membership.GridView;

/** A node follows another one: what was acknowledged to the last is not lost with it. */
class ViewScenarioTest {
  private static final int WRITER = 0;
  private static final int WITNESS = 1;
  private static final int LOST = 2;

  /** A release of node 0 that nodes 0 and 2 have, of five; and then node 2 is lost. */
  private static KiteSession releaseThatTwoHave(Scenario s) {
    KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.drop(WRITER, WITNESS);
    s.exchange(WRITER, LOST, 3);
    // The first round is over, and so is half of the second one: node 3 has the write as well now.
    return release;
  }

  private static KiteSession halfARelease(Scenario s) {
    KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.deliver(WRITER, LOST);
    s.deliver(WRITER, 3);
    s.deliver(LOST, WRITER);
    s.deliver(3, WRITER);
    // A majority has told its versions: the writes are on their way.
    s.drop(WRITER, WITNESS);
    s.drop(WRITER, 3);
    s.drop(WRITER, 4);
    s.deliver(WRITER, LOST);
    s.deliver(LOST, WRITER);
    assertFalse(release.isIdle(), "two of five have it");
    return release;
  }

  private static void catchUp(Scenario s, KiteView view) {
    for (int node : new int[] {WITNESS, 3, 4}) {
      s.machine(node).offer(view);
    }
    s.exchange(WITNESS, LOST, 3, 4);
    assertTrue(s.machine(LOST).isServing(), "it has caught up with three of the others");
    s.drop(LOST, WRITER);
  }

  private static long acquire(Scenario s, int node, int... among) {
    KiteSession acquire = s.begin(node, 0, OperationKind.ACQUIRE, "flag");
    s.exchange(among);
    assertTrue(acquire.isIdle());
    return Scenario.result(acquire);
  }

  /**
   * Node 1 gets the write after the new node has asked it; node 0 knows of the new view, or not.
   */
  private static boolean endsWithoutAMajority(Set<KiteRule> rules, boolean writerKnows) {
    Scenario s = new Scenario(5, rules);
    KiteSession release = halfARelease(s);
    KiteView view = s.follow(LOST);
    if (writerKnows) {
      s.machine(WRITER).offer(view);
    }
    catchUp(s, view);
    s.pass(2_000_000_000L);
    s.drop(WRITER, 3);
    s.drop(WRITER, 4);
    s.drop(WRITER, LOST);
    s.exchange(WRITER, WITNESS);
    boolean ended = release.isIdle();
    s.dropAll(WRITER);
    s.dropAll(WITNESS);
    assertEquals(Scenario.ABSENT, acquire(s, 4, LOST, 3, 4), "nodes 0 and 1 are not asked");
    return ended;
  }

  @Test
  void whatALostNodeHasAcknowledgedIsNotCountedInTheNextView() {
    assertFalse(endsWithoutAMajority(KiteRule.all(), true));
    assertTrue(endsWithoutAMajority(KiteRule.without(KiteRule.COUNT_ANEW), true), "the mutant");
  }

  @Test
  void anAcknowledgementOfTheNextViewIsNotCountedInThisOne() {
    assertFalse(endsWithoutAMajority(KiteRule.all(), false));
    assertTrue(endsWithoutAMajority(KiteRule.without(KiteRule.VIEW_FIRST), false), "the mutant");
  }

  /**
   * Nodes 1 and 2 are cut off with the old view, the others know the new one: a release must not
   * end with an acknowledgement of the newcomer, while an acquire can end with one of its
   * predecessor.
   */
  private static boolean endsWithANewcomerThatKnowsNothing(Set<KiteRule> rules) {
    Scenario s = new Scenario(3, rules);
    KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.deliver(WRITER, LOST);
    s.deliver(LOST, WRITER);
    assertFalse(release.isIdle());
    s.dropAll(WITNESS);
    KiteView view = s.follow(LOST);
    s.machine(WRITER).offer(view);
    s.pass(2_000_000_000L);
    s.drop(WRITER, WITNESS);
    s.drop(LOST, WITNESS);
    s.exchange(WRITER, LOST);
    return release.isIdle();
  }

  @Test
  void aNodeThatIsCatchingUpIsNotCountedOn() {
    assertFalse(endsWithANewcomerThatKnowsNothing(KiteRule.all()));
    assertTrue(
        endsWithANewcomerThatKnowsNothing(KiteRule.without(KiteRule.SILENT_UNTIL_CAUGHT_UP)),
        "the mutant");
  }

  @Test
  void aNodeThatFollowsAnotherKnowsWhatWasReleased() {
    Scenario s = new Scenario(5, KiteRule.all());
    KiteSession release = releaseThatTwoHave(s);
    assertTrue(release.isIdle(), "nodes 0, 2 and 3 have it");
    s.dropAll(WRITER);
    KiteView view = s.follow(LOST);
    catchUp(s, view);
    s.dropAll(3);
    assertEquals(1, acquire(s, 4, WITNESS, LOST, 4), "neither node 0 nor node 3 is asked");
  }

  @Test
  void aNodeThatWasFollowedDoesNothingMore() {
    Scenario s = new Scenario(3, KiteRule.all());
    KiteView view = s.machine(LOST).view().withNewNode(LOST);
    s.machine(LOST).offer(view);
    assertTrue(s.machine(LOST).isReplaced());
    s.pass(1);
    s.begin(WRITER, 0, OperationKind.ACQUIRE, "flag");
    s.deliver(WRITER, LOST);
    assertEquals(0, s.deliver(LOST, WRITER), "it does not answer");
  }

  /**
   * Nodes 2 and 3 of four are followed in one view, after they and node 0 have acknowledged a
   * release: only node 0 knows of it, and both newcomers have to ask it.
   */
  private static boolean catchUpWithEachOther(Set<KiteRule> rules) {
    Scenario s = new Scenario(4, rules);
    KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.exchange(WRITER, 2, 3);
    assertTrue(release.isIdle(), "nodes 0, 2 and 3 have it");
    s.dropAll(WRITER);
    KiteView view = s.machine(WITNESS).view().withNewNodes(0b1100);
    s.begin(2, view);
    s.begin(3, view);
    s.machine(WITNESS).offer(view);
    s.exchange(WITNESS, 2, 3);
    if (!s.machine(2).isServing()) {
      s.machine(WRITER).offer(view);
      s.pass(2_000_000_000L);
      s.exchange(WRITER, WITNESS, 2, 3);
      s.dropAll(WRITER);
    }
    assertTrue(s.machine(2).isServing() && s.machine(3).isServing());
    return acquire(s, WITNESS, WITNESS, 2, 3) == 1;
  }

  @Test
  void severalNewcomersLearnNothingFromEachOther() {
    assertTrue(catchUpWithEachOther(KiteRule.all()));
    assertFalse(catchUpWithEachOther(KiteRule.without(KiteRule.STATE_OF_SERVING)), "the mutant");
  }

  @Test
  void aNodeThatWasFollowedBeginsNothing() {
    Scenario s = new Scenario(3, KiteRule.all());
    s.machine(LOST).offer(s.machine(LOST).view().withNewNode(LOST));
    s.pass(1);
    s.begin(LOST, 0, OperationKind.WRITE, "data", 1);
    assertEquals(0, s.deliver(LOST, WRITER), "the others would take it for the new node's");
  }

  /** Nobody of these has had a place before; the process at place 2 is not known yet. */
  private static GridView anew(int number) {
    return new GridView(
        7,
        number,
        0b011,
        number,
        0,
        List.of(
            new GridView.Place(3, 31, "a", true, 2, new GridView.Memory(8, number, 0, true)),
            new GridView.Place(3, 32, "b", true, 2, new GridView.Memory(9, number, 0, true)),
            new GridView.Place(2, 33, "c", false, 0, new GridView.Memory(0, number, 0, true))));
  }

  @Test
  void nodesBeginWithNothingWhenMemoryBeginsAnew() {
    Scenario s = new Scenario(3, KiteRule.all());
    s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.exchange(WRITER, WITNESS, LOST);
    KiteView view = KiteView.of(anew(5));
    assertEquals(new KiteView(5, 5, 0, List.of(5, 5, 5), List.of(0, 0, 0), 0b100, false), view);
    s.machine(WRITER).offer(view);
    assertTrue(s.machine(WRITER).isReplaced(), "by one that holds nothing");
    s.begin(WRITER, view);
    s.begin(WITNESS, view);
    assertTrue(s.machine(WRITER).isServing());
    assertEquals(Scenario.ABSENT, acquire(s, WRITER, WRITER, WITNESS));
  }

  @Test
  void whereNobodyWasNobodyIsAsked() {
    Scenario s = new Scenario(KiteView.of(anew(5)));
    s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.exchange(WRITER, WITNESS);
    KiteView view = s.follow(WITNESS);
    s.machine(WRITER).offer(view);
    s.exchange(WRITER, WITNESS);
    assertTrue(s.machine(WITNESS).isServing());
    assertEquals(1, acquire(s, WITNESS, WITNESS, WRITER));
  }
}
