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

import java.util.Optional;
import org.orcagrid.ddp.membership.GridView;

/**
 * A grid grows by one place a view, after a view in which all places served, and loses none. So a
 * majority of each view meets one of the next, and what one has acknowledged reaches the others.
 */
final class GrowthJudge {
  private GridView last;
  private int grown;

  /** By how many places the grid has grown. */
  int grown() {
    return grown;
  }

  /** What is wrong with the next view, if something is. */
  Optional<String> judge(GridView view) {
    GridView before = last;
    last = view;
    if (before == null || view.parts() == before.parts()) {
      return Optional.empty();
    }
    grown++;
    if ((before.parts() & ~view.parts()) != 0
        || Integer.bitCount(view.parts()) > size(before) + 1) {
      return Optional.of("other places than one more since " + before + ": " + view);
    }
    return before.serving() == before.parts()
        ? Optional.empty()
        : Optional.of("grown though not all places serve: " + view);
  }

  private static int size(GridView view) {
    return Integer.bitCount(view.parts());
  }
}
