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
package org.orcagrid.simulator.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.ViewRules;

/** The judge objects to what cannot be. */
class GrowthJudgeTest {
  private final GrowthJudge judge = new GrowthJudge();
  private final List<Optional<ViewRules.Present>> present =
      new ArrayList<>(Collections.nCopies(5, Optional.empty()));
  private final GridView first;

  GrowthJudgeTest() {
    for (int node = 0; node < 3; node++) {
      come(node);
    }
    first = ViewRules.first(7, present, 3).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(first));
  }

  private void come(int node) {
    present.set(node, Optional.of(new ViewRules.Present(node + 1, node + 10, "node")));
  }

  private GridView grown(GridView view) {
    return ViewRules.grow(view, present).orElseThrow();
  }

  /** The next view, with the places of another one. */
  private static GridView with(GridView before, List<GridView.Place> places) {
    return new GridView(
        before.grid(),
        before.number() + 1,
        before.lastServing(),
        before.memorySince(),
        before.purgedIn(),
        places);
  }

  private static void assertWrong(String what, Optional<String> found) {
    assertTrue(found.isPresent() && found.get().contains(what), found::toString);
  }

  @Test
  void onePlaceAfterAnotherIsRight() {
    come(3);
    come(4);
    GridView four = grown(first);
    assertEquals(Optional.empty(), judge.judge(four));
    GridView allServe = ViewRules.next(four, present, 0b1000).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(allServe));
    assertEquals(Optional.empty(), judge.judge(grown(allServe)));
    assertEquals(2, judge.grown());
  }

  @Test
  void twoPlacesAtOnceAreFound() {
    come(3);
    come(4);
    GridView four = grown(first);
    GridView five = grown(ViewRules.next(four, present, 0b1000).orElseThrow());
    List<GridView.Place> places = new ArrayList<>(five.places());
    GridView.Place last = places.get(4);
    GridView.Memory memory = last.memory();
    places.set(
        4,
        new GridView.Place(
            last.lives(),
            last.registration(),
            last.address(),
            true,
            0,
            new GridView.Memory(memory.process(), 2, 0, false)));
    GridView.Place before = five.places().get(3);
    places.set(
        3,
        new GridView.Place(
            before.lives(), before.registration(), before.address(), true, 0, before.memory()));
    assertWrong("other places than one more", judge.judge(with(first, places)));
  }

  @Test
  void aPlaceMoreWhileOneDoesNotServeIsFound() {
    come(3);
    come(4);
    GridView four = grown(first);
    assertEquals(Optional.empty(), judge.judge(four));
    assertEquals(Optional.empty(), ViewRules.grow(four, present), "the rules keep to it");
    GridView five = grown(ViewRules.next(four, present, 0b1000).orElseThrow());
    List<GridView.Place> places = new ArrayList<>(four.places());
    GridView.Place last = five.places().get(4);
    places.set(
        4,
        new GridView.Place(
            last.lives(),
            last.registration(),
            last.address(),
            true,
            0,
            new GridView.Memory(last.memory().process(), 3, 0, false)));
    assertWrong("grown though not all", judge.judge(with(four, places)));
  }

  @Test
  void aPlaceThatIsGoneIsFound() {
    List<GridView.Place> places = new ArrayList<>(first.places());
    places.set(2, first.places().get(3));
    GridView less =
        new GridView(first.grid(), 2, 0b11, first.memorySince(), first.purgedIn(), places);
    assertWrong("other places than one more", judge.judge(less));
  }

  /** The view in which place 2 leaves and has no member; its life is over. */
  private GridView leftByThird() {
    GridView leaving = ViewRules.leave(first, 2).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(leaving));
    present.set(2, Optional.empty());
    GridView without = ViewRules.next(leaving, present, 0).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(without));
    return without;
  }

  @Test
  void aPlaceThatLeavesWhenTheOthersHaveCaughtUpIsRight() {
    GridView without = leftByThird();
    judge.onRefreshed(10, 2);
    judge.onRefreshed(11, 2);
    assertEquals(Optional.empty(), judge.judge(ViewRules.remove(without, 0b011).orElseThrow()));
    assertEquals(1, judge.lost());
  }

  @Test
  void aPlaceThatLeavesBeforeTheOthersHaveCaughtUpIsFound() {
    GridView without = leftByThird();
    judge.onRefreshed(10, 2);
    judge.onRefreshed(11, 1);
    assertWrong(
        "place 1 has not caught up", judge.judge(ViewRules.remove(without, 0b011).orElseThrow()));
  }

  @Test
  void aPlaceThatIsGoneWithItsMemberIsFound() {
    GridView leaving = ViewRules.leave(first, 2).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(leaving));
    List<GridView.Place> places = new ArrayList<>(leaving.places());
    places.set(2, first.places().get(3));
    assertWrong("lost a place that has a member", judge.judge(with(leaving, places)));
  }

  @Test
  void aPlaceThatLeavesWhileAnotherDoesNotServeIsFound() {
    present.set(1, Optional.empty());
    GridView silent = ViewRules.next(first, present, 0).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(silent));
    GridView.Leaving leaving = new GridView.Leaving(2, silent.number() + 1);
    GridView view =
        new GridView(
            silent.grid(),
            silent.number() + 1,
            silent.lastServing(),
            silent.memorySince(),
            silent.purgedIn(),
            silent.shares(),
            silent.places(),
            leaving);
    assertWrong("not all others serve", judge.judge(view));
  }
}
