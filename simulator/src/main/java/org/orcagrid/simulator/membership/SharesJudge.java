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
    if (last == null || copies == 0) {
      return Optional.empty();
    }
    for (SimulatedMember member : members) {
      for (int map = 0; map < MAPS; map++) {
        boolean isHome = (homes(last, map) & Quorum.of(member.number())) != 0;
        if (!isHome && member.serves(map, copies)) {
          return Optional.of(
              "node " + member.number() + " serves map " + map + " and is no home in " + last);
        }
      }
    }
    return Optional.empty();
  }

  private int homes(GridView view, int map) {
    Shares shares = view.shares();
    return shares.homes(map, copies, view.parts());
  }
}
