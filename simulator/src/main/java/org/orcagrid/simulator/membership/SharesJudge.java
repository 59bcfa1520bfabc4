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

import java.util.List;
import java.util.Optional;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.Shares;

/**
 * Maps that are not at every node are never lost sight of: in each view in which anybody serves one
 * home of each map does, and has it; and a node serves a map only while it is a home of it in the
 * newest view. Some maps stand for all.
 */
final class SharesJudge {
  private static final int MAPS = 12;

  private final int copies;

  private GridView last;

  /** For each node the maps of which it is a home in the last view, as a mask. */
  private int[] mapsAt = {};

  /** For each map the places whose copies are whole. */
  private final int[] whole = new int[MAPS];

  private int moved;

  /** Of a grid whose maps have so many copies; 0 for one at every node. */
  SharesJudge(int copies) {
    this.copies = copies;
  }

  /** How often a place has taken its share. */
  int moved() {
    return moved;
  }

  /** What is wrong with the next view, if something is. */
  Optional<String> judge(GridView view) {
    GridView before = last;
    last = view;
    mapsAt = new int[view.nodes()];
    for (int node = 0; node < mapsAt.length; node++) {
      mapsAt[node] = mapsAt(node, view, false);
    }
    for (int map = 0; map < MAPS; map++) {
      int homes = homes(view, map);
      boolean isFirst = before == null || before.shares().copiesMin() != copies;
      // Those that begin to serve have caught up from one that served in the view before and had
      // it, or all that served last have recovered together.
      boolean hasSource = isFirst || before.serving() == 0 || (whole[map] & before.serving()) != 0;
      whole[map] = (whole[map] | (hasSource ? view.serving() : 0)) & homes;
      if (view.serving() != 0 && (whole[map] & view.serving()) == 0) {
        return Optional.of("map " + map + " has no home that serves and has it: " + view);
      }
    }
    boolean wasMoving = before != null && before.shares().newPlace() >= 0;
    moved += wasMoving && view.shares().newPlace() < 0 ? 1 : 0;
    return Optional.empty();
  }

  /** What is wrong with who serves, if something is. */
  Optional<String> judge(List<SimulatedMember> members) {
    for (SimulatedMember member : members) {
      int wrong = last == null ? 0 : member.servedMaps() & ~mapsAt[member.number()];
      if (wrong != 0) {
        return Optional.of(
            "node "
                + member.number()
                + " serves map "
                + Integer.numberOfTrailingZeros(wrong)
                + " and is no home of it in "
                + last);
      }
    }
    return Optional.empty();
  }

  /**
   * The maps that a node has in a view, as a mask.
   *
   * @param gaveUp whether it has given up what it was to
   */
  int mapsAt(int node, GridView view, boolean gaveUp) {
    Shares shares = view.shares();
    int maps = 0;
    for (int map = 0; map < MAPS && copies > 0; map++) {
      int having =
          gaveUp
              ? shares.keepers(map, copies, view.parts())
              : shares.homes(map, copies, view.parts());
      maps |= (having & Quorum.of(node)) != 0 ? 1 << map : 0;
    }
    return maps;
  }

  private int homes(GridView view, int map) {
    return view.shares().homes(map, copies, view.parts());
  }
}
