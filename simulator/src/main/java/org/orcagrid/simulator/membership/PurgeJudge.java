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

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.ddp.membership.GridView;

/**
 * Judges purge views. One differs from the view before by its number alone, all places of that one
 * serve, and a member of that one has asked for it while it was in that view. No other view says
 * anything new of purges.
 */
final class PurgeJudge {
  /** Who has asked, in which view. */
  private final Set<Wish> wishes = new HashSet<>();

  private GridView last;
  private int purges;

  private record Wish(int inView, int place, long life) {}

  /** A life asks that the view after one that it is in be a purge view. */
  void onWish(int inView, int place, long life) {
    wishes.add(new Wish(inView, place, life));
  }

  /** How many purge views there were. */
  int purges() {
    return purges;
  }

  /** What is wrong with the next view, if something is. */
  Optional<String> judge(GridView view) {
    GridView before = last;
    last = view;
    boolean isPurge = view.purgedIn() == view.number();
    purges += isPurge ? 1 : 0;
    if (!isPurge) {
      int expected = before == null ? 0 : before.purgedIn();
      return view.purgedIn() == expected
          ? Optional.empty()
          : Optional.of("purged in " + view.purgedIn() + ", not in " + expected + ": " + view);
    }
    if (before == null || !view.equals(purged(before))) {
      return Optional.of("not only purged since " + before + ": " + view);
    }
    if (before.serving() != before.parts()) {
      return Optional.of("purged though not all places serve: " + view);
    }
    boolean isWanted =
        wishes.stream()
            .anyMatch(
                wish -> wish.inView() == before.number() && before.has(wish.place(), wish.life()));
    return isWanted
        ? Optional.empty()
        : Optional.of("nobody in the view before has asked for a purge: " + view);
  }

  private static GridView purged(GridView before) {
    int number = before.number() + 1;
    return new GridView(
        before.grid(),
        number,
        before.lastServing(),
        before.memorySince(),
        number,
        before.shares(),
        before.places(),
        before.leaving());
  }
}
