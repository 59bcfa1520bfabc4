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
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.ViewRules;

/** The judge objects to what cannot be. A life's process is its number divided by ten. */
class MemoryJudgeTest {
  private final MemoryJudge judge = new MemoryJudge(life -> life / 10);
  private final List<Optional<ViewRules.Present>> present = new ArrayList<>();
  private GridView view;

  MemoryJudgeTest() {
    for (int node = 0; node < 3; node++) {
      present.add(Optional.empty());
      comes(node, node + 1, 1);
    }
    view = ViewRules.first(7, present).orElseThrow();
    assertEquals(Optional.empty(), judge.judge(view));
    // Place 2 has another process.
    comes(2, 4, 1);
  }

  private void comes(int node, long process, int life) {
    present.set(node, Optional.of(new ViewRules.Present(process * 10 + life, process, "node")));
  }

  private Optional<String> next(
      int caughtUp, int memorySince, int place, UnaryOperator<GridView.Memory> change) {
    GridView right = ViewRules.next(view, present, caughtUp).orElseThrow();
    List<GridView.Place> places = new ArrayList<>(right.places());
    GridView.Place at = places.get(place);
    places.set(
        place,
        new GridView.Place(
            at.lives(),
            at.registration(),
            at.address(),
            at.member(),
            at.servesSince(),
            change.apply(at.memory())));
    view =
        new GridView(
            right.grid(),
            right.number(),
            right.lastServing(),
            memorySince == 0 ? right.memorySince() : memorySince,
            right.purgedIn(),
            places);
    return judge.judge(view);
  }

  private Optional<String> next(int caughtUp) {
    return next(caughtUp, 0, 0, memory -> memory);
  }

  private static void assertWrong(String what, Optional<String> found) {
    assertTrue(found.isPresent() && found.get().contains(what), found::toString);
  }

  @Test
  void whatTheRulesGiveIsRight() {
    assertEquals(Optional.empty(), next(0));
    assertEquals(Optional.empty(), next(0b100));
    comes(0, 5, 1);
    assertEquals(Optional.empty(), next(0));
    comes(1, 6, 1);
    assertEquals(Optional.empty(), next(0));
    assertEquals(4, view.number() - 1);
    assertEquals(5, view.memorySince());
  }

  @Test
  void aNewcomerThatHoldsWhatItCannotKnowIsFound() {
    assertWrong(
        "has never served",
        next(0, 0, 2, memory -> new GridView.Memory(4, memory.joined(), 1, true)));
  }

  @Test
  void twoProcessesOfOneNumberAreFound() {
    assertWrong(
        "before", next(0, 0, 2, memory -> new GridView.Memory(4, memory.joined(), 0, false)));
  }

  @Test
  void theFormerProcessIsFound() {
    assertWrong("another process", next(0, 0, 2, memory -> new GridView.Memory(3, 1, 0, true)));
  }

  @Test
  void memoryThatGoesOnThoughTooFewHoldItIsFound() {
    comes(1, 5, 1);
    assertWrong("1 of those", next(0, 1, 2, memory -> memory));
  }

  @Test
  void memoryThatBeginsAnewThoughEnoughHoldItIsFound() {
    // All places say that they have joined now, as they would.
    GridView right = ViewRules.next(view, present, 0).orElseThrow();
    List<GridView.Place> places = new ArrayList<>();
    for (GridView.Place at : right.places()) {
      places.add(
          new GridView.Place(
              at.lives(),
              at.registration(),
              at.address(),
              at.member(),
              at.servesSince(),
              new GridView.Memory(at.memory().process(), right.number(), 0, true)));
    }
    assertWrong(
        "2 of those",
        judge.judge(
            new GridView(
                right.grid(), right.number(), right.lastServing(), right.number(), 0, places)));
  }
}
