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
package org.orcagrid.node;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.membership.GridView;

/** Since when each place of a grid is what it is, as a node has seen it. Safe for many threads. */
final class SeenPlaces {
  /** What somebody sees change: another life, or another part in the grid. */
  private record Condition(int life, boolean member, boolean serves) {
    static Condition of(GridView view, int place) {
      GridView.Place at = view.places().get(place);
      return new Condition(at.lives(), at.member(), view.serves(place));
    }
  }

  private final List<Condition> last = new ArrayList<>();
  private final List<Long> since = new ArrayList<>();
  private int newest;

  /** There is a view; an earlier one than before changes nothing. */
  synchronized void onView(GridView view, long nowMillis) {
    if (view.number() <= newest) {
      return;
    }
    newest = view.number();
    for (int place = 0; place < view.nodes(); place++) {
      Condition now = Condition.of(view, place);
      if (place == last.size()) {
        last.add(now);
        since.add(nowMillis);
      } else if (!now.equals(last.get(place))) {
        last.set(place, now);
        since.set(place, nowMillis);
      }
    }
  }

  /** By place, when it was first seen as it is now. */
  synchronized List<Long> sinceMillis() {
    return List.copyOf(since);
  }
}
