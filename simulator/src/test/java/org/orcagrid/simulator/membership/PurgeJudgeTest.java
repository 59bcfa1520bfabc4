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
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.ViewRules;

/** The judge objects to what cannot be. */
class PurgeJudgeTest {
  private final PurgeJudge judge = new PurgeJudge();
  private final List<Optional<ViewRules.Present>> present = new ArrayList<>();
  private final GridView first;

  PurgeJudgeTest() {
    for (int node = 0; node < 3; node++) {
      present.add(Optional.of(new ViewRules.Present(node + 1, node + 10, "node")));
    }
    first = ViewRules.first(7, present).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(first));
  }

  /** The view after another one, as if it were a purge view. */
  private static GridView purged(GridView before, List<GridView.Place> places) {
    int number = before.number() + 1;
    return new GridView(
        before.grid(), number, before.lastServing(), before.memorySince(), number, places);
  }

  private static GridView purged(GridView before) {
    return purged(before, before.places());
  }

  private static void assertWrong(String what, Optional<String> found) {
    assertTrue(found.isPresent() && found.get().contains(what), found::toString);
  }

  @Test
  void whatAMemberHasAskedForIsRight() {
    judge.onWish(1, 1, 2);
    assertEquals(Optional.empty(), judge.judge(purged(first)));
    assertEquals(Optional.empty(), judge.judge(purged(first).again()));
    assertEquals(1, judge.purges());
  }

  @Test
  void whatNobodyHasAskedForInThatViewIsFound() {
    judge.onWish(2, 1, 2);
    judge.onWish(1, 1, 3);
    assertWrong("nobody", judge.judge(purged(first)));
  }

  @Test
  void whatWasAskedForInAnEarlierViewIsFound() {
    judge.onWish(1, 1, 2);
    assertEquals(Optional.empty(), judge.judge(first.again()));
    assertWrong("nobody", judge.judge(purged(first.again())));
  }

  @Test
  void aPurgeWithoutSomebodyIsFound() {
    present.set(2, Optional.empty());
    GridView second = ViewRules.next(first, present, 0).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(second));
    judge.onWish(2, 1, 2);
    assertWrong("not all places serve", judge.judge(purged(second)));
  }

  @Test
  void aPurgeThatChangesAPlaceIsFound() {
    judge.onWish(1, 1, 2);
    List<GridView.Place> places = new ArrayList<>(first.places());
    GridView.Place at = places.get(2);
    places.set(
        2, new GridView.Place(at.lives(), at.registration(), at.address(), true, 0, at.memory()));
    assertWrong("not only purged", judge.judge(purged(first, places)));
  }

  @Test
  void aViewThatForgetsThePurgeBeforeIsFound() {
    judge.onWish(1, 1, 2);
    assertEquals(Optional.empty(), judge.judge(purged(first)));
    assertWrong("purged in 0", judge.judge(first.again().again()));
  }
}
