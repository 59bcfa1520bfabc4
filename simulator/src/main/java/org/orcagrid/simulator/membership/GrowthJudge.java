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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.ddp.membership.GridView;

/**
 * A grid grows by one place a view, after a view in which all places served. It loses a place in
 * two steps: first the place leaves, after a view in which all others served; then it is gone, when
 * it has no member and all others have caught up since. So a majority of each view meets one of the
 * next, and what one has acknowledged reaches the others.
 */
final class GrowthJudge {
  private final Set<Refreshed> refreshed = new HashSet<>();
  private GridView last;
  private int grown;
  private int lost;

  private record Refreshed(long process, int since) {}

  /** By how many places the grid has grown. */
  int grown() {
    return grown;
  }

  /** How many places the grid has lost. */
  int lost() {
    return lost;
  }

  /** A process has caught up with what was acknowledged before a place began to leave. */
  void onRefreshed(long process, int since) {
    refreshed.add(new Refreshed(process, since));
  }

  /** What is wrong with the next view, if something is. */
  Optional<String> judge(GridView view) {
    GridView before = last;
    last = view;
    if (before == null) {
      return Optional.empty();
    }
    if (before.leaving() != null && view.parts() != before.parts()) {
      return judgeLoss(before, view);
    }
    if (!Objects.equals(before.leaving(), view.leaving())) {
      return judgeLeaving(before, view);
    }
    return view.parts() == before.parts() ? Optional.empty() : judgeGrowth(before, view);
  }

  private Optional<String> judgeGrowth(GridView before, GridView view) {
    grown++;
    if ((before.parts() & ~view.parts()) != 0
        || Integer.bitCount(view.parts()) > size(before) + 1) {
      return Optional.of("other places than one more since " + before + ": " + view);
    }
    return before.serving() == before.parts()
        ? Optional.empty()
        : Optional.of("grown though not all places serve: " + view);
  }

  private static Optional<String> judgeLeaving(GridView before, GridView view) {
    if (before.leaving() != null || view.leaving().since() != view.number()) {
      return Optional.of("another place is leaving than in " + before + ": " + view);
    }
    return (view.staying() & ~before.serving()) == 0 && view.staying() != 0
        ? Optional.empty()
        : Optional.of("a place leaves though not all others serve: " + view);
  }

  private Optional<String> judgeLoss(GridView before, GridView view) {
    lost++;
    if (view.parts() != before.staying() || view.leaving() != null) {
      return Optional.of("other places than without the leaving one since " + before + ": " + view);
    }
    if (before.places().get(before.leaving().place()).member()) {
      return Optional.of("lost a place that has a member in " + before + ": " + view);
    }
    for (int left = view.parts(); left != 0; left &= left - 1) {
      int place = Integer.numberOfTrailingZeros(left);
      long process = before.places().get(place).memory().process();
      if (!before.serves(place)
          || !refreshed.contains(new Refreshed(process, before.leaving().since()))) {
        return Optional.of("place " + place + " has not caught up since " + before + ": " + view);
      }
    }
    return Optional.empty();
  }

  private static int size(GridView view) {
    return Integer.bitCount(view.parts());
  }
}
