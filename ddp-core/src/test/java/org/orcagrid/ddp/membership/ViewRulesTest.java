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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.Quorum;

/** Whose memory has what, view after view. */
class ViewRulesTest {
  /** A grid whose nodes come and go; each view is the one that the rules give. */
  private static final class Grid {
    private final List<Optional<ViewRules.Present>> present;
    private GridView view;
    private long lives;

    Grid(int nodes) {
      present = new ArrayList<>(Collections.nCopies(nodes, Optional.empty()));
      for (int node = 0; node < nodes; node++) {
        comes(node, node + 1);
      }
      view = ViewRules.first(7, present).orElseThrow();
    }

    /** A process begins a life at a place. */
    void comes(int node, long process) {
      present.set(node, Optional.of(new ViewRules.Present(++lives, process, "node")));
    }

    void goes(int node) {
      present.set(node, Optional.empty());
    }

    /** The next view, when these members have caught up in this one. */
    GridView next(int... caughtUp) {
      int mask = 0;
      for (int node : caughtUp) {
        mask |= Quorum.of(node);
      }
      view = ViewRules.next(view, present, mask).orElseThrow();
      return view;
    }

    GridView.Memory memory(int node) {
      return view.places().get(node).memory();
    }

    int holders() {
      int holders = 0;
      for (int node = 0; node < view.nodes(); node++) {
        holders |= memory(node).holds() ? Quorum.of(node) : 0;
      }
      return holders;
    }
  }

  @Test
  void memoryBeginsInTheFirstView() {
    Grid grid = new Grid(3);
    assertEquals(1, grid.view.memorySince());
    for (int node = 0; node < 3; node++) {
      assertEquals(new GridView.Memory(node + 1, 1, 0, true), grid.memory(node));
    }
  }

  @Test
  void aProcessThatIsLeftOutAndComesBackKeepsItsMemory() {
    Grid grid = new Grid(3);
    grid.goes(2);
    grid.next();
    assertEquals(new GridView.Memory(3, 1, 0, true), grid.memory(2), "it may come back");
    grid.comes(2, 3);
    assertEquals(0b011, grid.next().serving());
    assertEquals(new GridView.Memory(3, 1, 0, true), grid.memory(2), "though it does not serve");
    assertEquals(1, grid.view.memorySince());
  }

  @Test
  void anotherProcessHasJoinedAndHoldsNothingBeforeItServes() {
    Grid grid = new Grid(3);
    grid.goes(2);
    grid.next();
    grid.comes(2, 30);
    grid.next();
    assertEquals(new GridView.Memory(30, 3, 1, false), grid.memory(2));
    assertEquals(0b111, grid.next(2).serving());
    assertEquals(new GridView.Memory(30, 3, 1, true), grid.memory(2));
    assertEquals(1, grid.view.memorySince());
  }

  @Test
  void severalMayBeNewInOneView() {
    Grid grid = new Grid(5);
    grid.comes(1, 20);
    grid.comes(4, 50);
    grid.next();
    assertEquals(1, grid.view.memorySince(), "three of five hold: one of them is in any majority");
    assertEquals(0b01101, grid.holders());
    assertEquals(new GridView.Memory(20, 2, 1, false), grid.memory(1));
    assertEquals(new GridView.Memory(50, 2, 1, false), grid.memory(4));
  }

  @Test
  void memoryBeginsAnewWhenTooFewHoldIt() {
    Grid grid = new Grid(5);
    grid.comes(1, 20);
    grid.comes(4, 50);
    grid.next();
    grid.goes(0);
    grid.next();
    assertEquals(1, grid.view.memorySince(), "the process at place 0 may come back");
    grid.comes(0, 10);
    grid.next(4);
    assertEquals(1, grid.view.memorySince(), "node 4 has caught up before");
    assertEquals(0b11100, grid.holders());
    grid.goes(2);
    grid.comes(3, 40);
    grid.next();
    assertEquals(5, grid.view.memorySince());
    assertEquals(0b11111, grid.holders());
    for (int node : new int[] {0, 1, 3, 4}) {
      assertEquals(new GridView.Memory(10L * (node + 1), 5, 0, true), grid.memory(node));
    }
    assertEquals(new GridView.Memory(0, 5, 0, true), grid.memory(2), "nobody has it yet");
    assertTrue(grid.view.serves(4), "what is durable goes on");
  }

  @Test
  void theFirstProcessAtAPlaceSinceMemoryBeganHoldsWhatThePlaceHasAcknowledged() {
    Grid grid = new Grid(3);
    grid.goes(2);
    grid.next();
    grid.comes(0, 10);
    grid.comes(1, 20);
    grid.next();
    assertEquals(3, grid.view.memorySince());
    assertEquals(new GridView.Memory(0, 3, 0, true), grid.memory(2));
    grid.next(0, 1);
    grid.comes(2, 30);
    grid.next();
    assertEquals(new GridView.Memory(30, 3, 0, true), grid.memory(2), "nothing");
    grid.comes(2, 31);
    grid.next();
    assertEquals(new GridView.Memory(31, 6, 1, false), grid.memory(2), "what 30 has had");
  }

  /** All processes are lost: nobody serves in the next view, and memory begins in it. */
  @Test
  void memoryThatBeginsWhileNobodyServesIsHeldByWhoeverIsThere() {
    Grid grid = new Grid(3);
    for (int node = 0; node < 3; node++) {
      grid.comes(node, 10L * (node + 1));
    }
    grid.next();
    assertEquals(0, grid.view.serving());
    assertEquals(2, grid.view.memorySince());
    assertEquals(0b111, grid.holders());
    assertEquals(0b111, grid.next(0, 1, 2).serving());
    assertEquals(2, grid.view.memorySince(), "those who were there serve");
    assertEquals(new GridView.Memory(20, 2, 0, true), grid.memory(1));
  }

  @Test
  void memoryGoesOnWhileNobodyServesIfItsProcessesAreThere() {
    Grid grid = new Grid(3);
    for (int node = 0; node < 3; node++) {
      grid.comes(node, node == 0 ? 10 : node + 1);
    }
    grid.next();
    assertEquals(0, grid.view.serving());
    assertEquals(1, grid.view.memorySince());
    assertEquals(0b110, grid.holders());
    grid.next(0, 1, 2);
    assertEquals(0b111, grid.holders());
    assertEquals(1, grid.view.memorySince());
  }

  /** Nobody but those who served last is let in: memory of others does not help them to begin. */
  @Test
  void memoryOfThoseWhoAreNotLetInIsNotWaitedFor() {
    Grid grid = new Grid(3);
    grid.goes(2);
    grid.next();
    grid.comes(0, 1);
    grid.comes(1, 20);
    grid.comes(2, 3);
    grid.next();
    assertEquals(0b011, grid.view.members());
    assertEquals(3, grid.view.memorySince());
    grid.next(0, 1);
    grid.next();
    assertEquals(0b011, grid.view.serving());
    assertEquals(3, grid.view.memorySince());
    assertEquals(new GridView.Memory(3, 3, 0, true), grid.memory(2), "as the first at its place");
  }

  @Test
  void memoryGoesOnWhereAllMembersHoldItThoughNobodyServes() {
    Grid grid = new Grid(3);
    grid.goes(2);
    grid.next();
    grid.goes(1);
    grid.next();
    grid.comes(0, 1);
    grid.next();
    assertEquals(0, grid.view.serving());
    assertEquals(0b001, grid.view.members());
    assertEquals(1, grid.view.memorySince(), "the others may come back");
  }

  @Test
  void aPlaceThatNobodyHasHadNeedNotBeAsked() {
    Grid grid = new Grid(3);
    grid.goes(2);
    grid.next();
    grid.comes(0, 10);
    grid.comes(1, 20);
    grid.next();
    grid.comes(1, 21);
    grid.next();
    assertEquals(0, grid.view.serving());
    assertEquals(3, grid.view.memorySince(), "places 0 and 2 hold what was acknowledged");
    assertFalse(grid.memory(1).holds());
  }

  @Test
  void aGridOfOneNodeBeginsAnewWithItsProcess() {
    Grid grid = new Grid(1);
    grid.comes(0, 10);
    grid.next();
    assertEquals(2, grid.view.memorySince());
    grid.comes(0, 10);
    grid.next();
    assertEquals(2, grid.view.memorySince());
  }

  @Test
  void aPurgeViewHasTheSameMembersAndLaterOnesSayWhichItWas() {
    Grid grid = new Grid(3);
    GridView purge = ViewRules.purge(grid.view).orElseThrow();
    assertEquals(
        new GridView(7, 2, grid.view.lastServing(), 1, 2, grid.view.places()),
        purge,
        "nothing else has changed");
    grid.view = purge;
    grid.goes(2);
    assertEquals(2, grid.next().purgedIn());
    assertEquals(2, grid.view.again().purgedIn());
  }

  @Test
  void aViewInWhichAPlaceDoesNotServeIsFollowedByNoPurgeView() {
    Grid grid = new Grid(3);
    grid.goes(2);
    grid.next();
    assertEquals(Optional.empty(), ViewRules.purge(grid.view), "a place has no member");
    grid.comes(2, 3);
    grid.next();
    assertEquals(Optional.empty(), ViewRules.purge(grid.view), "a member does not serve");
    grid.next(2);
    assertEquals(5, ViewRules.purge(grid.view).orElseThrow().purgedIn());
  }

  @Test
  void aViewIsReadAsItWasWritten() {
    Grid grid = new Grid(3);
    grid.view = ViewRules.purge(grid.view).orElseThrow();
    grid.goes(1);
    grid.next();
    assertEquals(2, grid.view.purgedIn());
    assertEquals(grid.view, MembershipText.view(new ArrayList<>(MembershipText.lines(grid.view))));
  }

  /** What a killed process has registered is there for a while, and some look later than others. */
  @Test
  void anEarlierLifeThanThatOfTheViewIsNoNewOne() {
    Grid grid = new Grid(3);
    ViewRules.Present earlier = grid.present.get(1).orElseThrow();
    grid.comes(1, 11);
    assertEquals(2, grid.next().incarnation(1));
    grid.present.set(1, Optional.of(earlier));
    GridView next = grid.next();
    assertFalse(next.has(1, earlier.id()));
    assertEquals(2, next.places().get(1).lives());
  }

  // --- growth ------------------------------------------------------------------------------------

  private static Optional<ViewRules.Present> life(int life) {
    return Optional.of(new ViewRules.Present(life, life, "node"));
  }

  private static final List<Optional<ViewRules.Present>> THREE_OF_FOUR =
      List.of(life(1), life(2), life(3), Optional.empty());
  private static final List<Optional<ViewRules.Present>> FOUR =
      List.of(life(1), life(2), life(3), life(4));

  @Test
  void aGridBeginsWithItsFirstPlacesAlone() {
    assertEquals(Optional.empty(), ViewRules.first(7, THREE_OF_FOUR, 4));
    GridView first = ViewRules.first(7, FOUR, 3).orElseThrow();
    assertEquals(0b111, first.parts());
    assertEquals(0b111, first.members());
    assertEquals(Optional.empty(), ViewRules.next(first, FOUR, 0), "a place must be let in");
  }

  @Test
  void aPlaceMoreHoldsNothingUntilItServes() {
    GridView first = ViewRules.first(7, THREE_OF_FOUR, 3).orElseThrow();
    assertEquals(Optional.empty(), ViewRules.grow(first, THREE_OF_FOUR), "nobody has come");
    GridView grown = ViewRules.grow(first, FOUR).orElseThrow();
    assertEquals(0b1111, grown.parts());
    assertEquals(0b111, grown.serving());
    assertEquals(new GridView.Memory(4, 2, 0, false), grown.places().get(3).memory());
    assertEquals(first.memorySince(), grown.memorySince(), "memory goes on");
    GridView serves = ViewRules.next(grown, FOUR, 0b1000).orElseThrow();
    assertEquals(0b1111, serves.serving());
    assertTrue(serves.places().get(3).memory().holds());
  }

  @Test
  void whileAnotherLifeHasComeToAPlaceNothingIsAdded() {
    GridView first = ViewRules.first(7, THREE_OF_FOUR, 3).orElseThrow();
    List<Optional<ViewRules.Present>> another = List.of(life(9), life(2), life(3), life(4));
    assertEquals(Optional.empty(), ViewRules.grow(first, another));
    List<Optional<ViewRules.Present>> away = List.of(Optional.empty(), life(2), life(3), life(4));
    assertEquals(Optional.empty(), ViewRules.grow(first, away));
  }

  @Test
  void ofAGridThatHasGrownMemoryGoesOnWithAMajorityOfItsPlaces() {
    GridView grown =
        ViewRules.grow(ViewRules.first(7, THREE_OF_FOUR, 3).orElseThrow(), FOUR).orElseThrow();
    List<Optional<ViewRules.Present>> oneAnew = List.of(life(9), life(2), life(3), life(4));
    GridView next = ViewRules.next(grown, oneAnew, 0).orElseThrow();
    assertEquals(1, next.memorySince(), "two hold it, and three of four are a majority");
    List<Optional<ViewRules.Present>> twoAnew = List.of(life(9), life(10), life(3), life(4));
    GridView anew = ViewRules.next(grown, twoAnew, 0).orElseThrow();
    assertEquals(anew.number(), anew.memorySince(), "one that holds it is too few");
  }

  // --- removal -----------------------------------------------------------------------------------

  private static final List<Optional<ViewRules.Present>> TWO_OF_THREE =
      List.of(life(1), life(2), Optional.empty());
  private static final List<Optional<ViewRules.Present>> THREE = List.of(life(1), life(2), life(3));

  private static GridView leaving(int place) {
    return ViewRules.leave(ViewRules.first(7, THREE).orElseThrow(), place).orElseThrow();
  }

  private static void assertRefused(String why, GridView view, int place) {
    assertEquals(Optional.empty(), ViewRules.leave(view, place));
    assertTrue(ViewRules.whyNotLeave(view, place).orElseThrow().contains(why));
  }

  @Test
  void aPlaceThatLeavesIsAMemberAndDoesNotStay() {
    GridView view = leaving(2);
    assertEquals(new GridView.Leaving(2, 2), view.leaving());
    assertEquals(0b111, view.parts());
    assertEquals(0b111, view.serving());
    assertEquals(0b011, view.staying());
    assertEquals(view, MembershipText.view(new ArrayList<>(MembershipText.lines(view))));
    assertEquals(view.leaving(), view.again().leaving(), "other views go on with it");
    assertEquals(Optional.empty(), ViewRules.grow(view, FOUR.subList(0, 3)));
    assertEquals(Optional.empty(), ViewRules.purge(view));
    assertEquals(Optional.empty(), ViewRules.next(view, THREE, 0));
  }

  @Test
  void whatMayNotLeaveIsSaid() {
    assertRefused("place 1 is leaving", leaving(1), 0);
    assertRefused("does not belong", ViewRules.first(7, FOUR, 3).orElseThrow(), 3);
    assertRefused("the last one", ViewRules.first(7, List.of(life(1))).orElseThrow(), 0);
    GridView two = ViewRules.next(leaving(2).again(), TWO_OF_THREE, 0).orElseThrow();
    assertRefused("place 2 is leaving", two, 1);
    GridView silent =
        ViewRules.next(ViewRules.first(7, THREE).orElseThrow(), TWO_OF_THREE, 0).orElseThrow();
    assertRefused("place 2 does not serve", silent, 1);
    assertTrue(ViewRules.leave(silent, 2).isPresent(), "the silent one may");
  }

  @Test
  void aPlaceIsGoneWhenItHasNoMemberAndTheOthersAreRefreshed() {
    GridView view = leaving(2);
    assertEquals(Optional.empty(), ViewRules.remove(view, 0b011), "it is a member");
    GridView without = ViewRules.next(view, TWO_OF_THREE, 0).orElseThrow();
    assertEquals(Optional.empty(), ViewRules.remove(without, 0b001), "place 1 is not refreshed");
    assertTrue(ViewRules.removeAnyhow(without).isPresent());
    GridView gone = ViewRules.remove(without, 0b011).orElseThrow();
    assertEquals(0b011, gone.parts());
    assertEquals(0b011, gone.serving());
    assertEquals(null, gone.leaving());
    assertEquals(1, gone.memorySince(), "memory goes on");
    assertEquals(Optional.empty(), ViewRules.next(gone, THREE, 0), "it has to be added");
    GridView again = ViewRules.grow(gone, List.of(life(1), life(2), life(9))).orElseThrow();
    assertEquals(
        new GridView.Memory(9, again.number(), 1, false),
        again.places().get(2).memory(),
        "another generation");
  }

  @Test
  void theLifeThatHasLeftDoesNotComeAgain() {
    GridView without = ViewRules.next(leaving(2), TWO_OF_THREE, 0).orElseThrow();
    GridView gone = ViewRules.remove(without, 0b011).orElseThrow();
    assertEquals(Optional.empty(), ViewRules.grow(gone, THREE), "it may still be registered");
  }

  @Test
  void aPlaceThatHasLeftIsNotLetInAgain() {
    GridView without = ViewRules.next(leaving(2), TWO_OF_THREE, 0).orElseThrow();
    List<Optional<ViewRules.Present>> another = List.of(life(1), life(2), life(4));
    assertEquals(Optional.empty(), ViewRules.next(without, another, 0));
    GridView followed = ViewRules.next(leaving(2), another, 0).orElseThrow();
    assertEquals(0b011, followed.members(), "nor in the place of its last life");
  }

  @Test
  void memoryIsLostWithTheLeavingOneAndAnotherOfThree() {
    GridView without = ViewRules.next(leaving(2), TWO_OF_THREE, 0).orElseThrow();
    assertEquals(1, without.memorySince());
    GridView anew =
        ViewRules.next(without, List.of(life(1), life(8), Optional.empty()), 0).orElseThrow();
    assertEquals(anew.number(), anew.memorySince(), "both may have had what a majority has");
    List<Optional<ViewRules.Present>> other = List.of(life(1), life(8), life(3));
    GridView held = ViewRules.next(leaving(2), other, 0).orElseThrow();
    assertEquals(1, held.memorySince(), "the leaving one still has it");
  }
}
