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

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;

/**
 * Judges what views say of memory-only data, by who was a member of them and who served: processes
 * of a place are told apart, one that holds what is in memory has had the chance to learn it, and
 * memory begins anew when, and only when, too few that held it are left.
 */
final class MemoryJudge {
  /** The process of a registration. */
  private final LongUnaryOperator processes;

  /** The one process of a place and a generation. */
  private final Map<Turn, GridView.Memory> turns = new HashMap<>();

  /** Those that have all that their places have acknowledged. */
  private final Set<Long> held = new HashSet<>();

  /** For each place the last process that was a member there, since memory began. */
  private final Map<Integer, Long> last = new HashMap<>();

  private int memorySince;

  /** The places that the grid has, and those of them that came after memory began: with nothing. */
  private int parts;

  private int added;

  /** How many places still hold what is in memory, of all or of those that stay. */
  private static final class Left {
    private int size;
    private int left;
    private int leftThere;

    void note(boolean holds, boolean isThere) {
      size++;
      left += holds ? 1 : 0;
      leftThere += holds && isThere ? 1 : 0;
    }

    /** Whether some majority is gone as a whole. */
    boolean isTooFew(boolean onlyThere) {
      int enough = size - (size / 2 + 1) + 1;
      return (onlyThere ? leftThere : left) < enough;
    }
  }

  private record Turn(int place, int memorySince, int generation) {}

  MemoryJudge(LongUnaryOperator processes) {
    this.processes = processes;
  }

  /** What is wrong with the next view, if something is. */
  Optional<String> judge(GridView view) {
    Left all = new Left();
    Left staying = new Left();
    boolean mustLearn = false;
    Map<Integer, Long> next = new HashMap<>(last);
    added |= view.parts() & ~parts;
    for (int gone = parts & ~view.parts(); gone != 0; gone &= gone - 1) {
      next.remove(Integer.numberOfTrailingZeros(gone));
      last.remove(Integer.numberOfTrailingZeros(gone));
    }
    parts = view.parts();
    if (view.leaving() != null && view.serving() != 0 && !isMember(view, view.leaving().place())) {
      // It does not come back.
      held.remove(last.get(view.leaving().place()));
    }
    for (int places = parts; places != 0; places &= places - 1) {
      int place = Integer.numberOfTrailingZeros(places);
      GridView.Place at = view.places().get(place);
      long process = at.member() ? processes.applyAsLong(at.registration()) : 0;
      if (process != 0) {
        next.put(place, process);
      }
      boolean isFirst = isFirst(place);
      boolean hasCaughtUp = view.serves(place) && next.get(place).equals(last.get(place));
      boolean holds = memorySince > 0 && (isFirst || hasCaughtUp || held.contains(next.get(place)));
      boolean isThere = process != 0 || isFirst;
      all.note(holds, isThere);
      if (!view.isLeaving(place)) {
        staying.note(holds, isThere);
      }
      mustLearn |= process != 0 && !holds;
    }
    boolean nobodyElseIsLetIn = view.serving() == 0 && mustLearn;
    boolean isLost = all.isTooFew(nobodyElseIsLetIn) || staying.isTooFew(nobodyElseIsLetIn);
    boolean begins = view.memorySince() == view.number();
    if (isLost != begins || (!begins && view.memorySince() != memorySince)) {
      return Optional.of(
          all.left
              + " of those that held memory are left, "
              + all.leftThere
              + " of them there: "
              + view);
    }
    if (begins) {
      memorySince = view.number();
      held.clear();
      last.clear();
      added = 0;
    }
    return judgePlaces(view);
  }

  private static boolean isMember(GridView view, int place) {
    return view.places().get(place).member();
  }

  /** Whether nobody had a place since memory began, which the grid had then. */
  private boolean isFirst(int place) {
    return !last.containsKey(place) && (added & Quorum.of(place)) == 0;
  }

  private Optional<String> judgePlaces(GridView view) {
    for (int places = parts; places != 0; places &= places - 1) {
      int place = Integer.numberOfTrailingZeros(places);
      GridView.Place at = view.places().get(place);
      GridView.Memory memory = at.memory();
      long process = at.member() ? processes.applyAsLong(at.registration()) : 0;
      boolean isFirst = isFirst(place);
      if (process != 0) {
        last.put(place, process);
        if (isFirst || view.serves(place)) {
          held.add(process);
        }
      }
      if (memory.process() != last.getOrDefault(place, 0L)) {
        return Optional.of("another process is at place " + place + " of " + view);
      }
      if (memory.process() != 0) {
        Turn turn = new Turn(place, memorySince, memory.generation());
        GridView.Memory first = turns.putIfAbsent(turn, memory);
        if (first != null
            && (first.process() != memory.process() || first.joined() != memory.joined())) {
          return Optional.of(first + " has been at place " + place + " before: " + view);
        }
      }
      if (memory.holds() && memory.process() != 0 && !held.contains(memory.process())) {
        return Optional.of("the process at place " + place + " has never served: " + view);
      }
    }
    return Optional.empty();
  }
}
