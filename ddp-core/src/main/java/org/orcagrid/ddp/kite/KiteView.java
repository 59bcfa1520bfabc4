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
package org.orcagrid.ddp.kite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;

/**
 * Who the nodes of a grid are. A node that has lost its memory can be followed at its place by
 * another one, which is a new view. Several places may have another node in one view. A view may
 * have one place more than the one before, in which all places served: majorities of the two meet.
 *
 * <p>Whoever agrees on views makes one after the other, and never two of the same number.
 *
 * @param number from 1
 * @param memorySince the number of the view in which what the nodes hold began with nothing. It is
 *     a later one than the first if so many nodes were lost at once that it was lost with them
 * @param purgedIn the number of the newest view in which the nodes forgot removed keys that all of
 *     them had marked in the view before; 0 if none has
 * @param joined for each place that the grid may have, the number of the view in which its present
 *     node has joined; 0 if the place does not belong to the grid yet
 * @param generations for each place, how many nodes had it since then before its present one
 * @param vacant the places that no node has had since then, as a mask
 * @param whole whether all places have a node that serves, and none is leaving, so that a purge
 *     view may follow
 * @param leaving the place that is leaving, as a mask: it does not count towards majorities any
 *     more
 * @param leavingSince the number of the view in which it began to leave; 0 if none is leaving
 */
public record KiteView(
    int number,
    int memorySince,
    int purgedIn,
    List<Integer> joined,
    List<Integer> generations,
    int vacant,
    boolean whole,
    int leaving,
    int leavingSince) {
  /** A place has so many nodes at most, one after the other: generations are part of clocks. */
  public static final int NODES_OF_PLACE_MAX = 65_535;

  /** Refuses what cannot be a view. */
  public KiteView {
    joined = List.copyOf(joined);
    generations = List.copyOf(generations);
    if (memorySince < 1
        || memorySince > number
        || purgedIn > number
        || joined.size() != generations.size()) {
      throw new IllegalArgumentException(
          "View "
              + number
              + " with memory since "
              + memorySince
              + ", nodes that joined in "
              + joined
              + " and generations "
              + generations);
    }
    for (int each : joined) {
      if (each != 0 && (each < memorySince || each > number)) {
        throw new IllegalArgumentException(
            "No node of view "
                + number
                + ", with memory since "
                + memorySince
                + ", has joined in "
                + each);
      }
    }
  }

  /** A view in which no place is leaving. */
  public KiteView(
      int number,
      int memorySince,
      int purgedIn,
      List<Integer> joined,
      List<Integer> generations,
      int vacant,
      boolean whole) {
    this(number, memorySince, purgedIn, joined, generations, vacant, whole, 0, 0);
  }

  /**
   * A view of a grid whose memory has never begun anew, and in which at most one node was new in
   * each view.
   */
  public KiteView(int number, List<Integer> joined) {
    this(number, 1, 0, joined, generations(joined), 0, true);
  }

  /**
   * What a view of the grid says of memory-only data. It does not matter here who is a member: a
   * process that is left out keeps what it holds, and may come back with it.
   */
  public static KiteView of(GridView view) {
    List<Integer> joined = new ArrayList<>();
    List<Integer> generations = new ArrayList<>();
    int vacant = 0;
    for (int place = 0; place < view.nodes(); place++) {
      GridView.Memory memory = view.places().get(place).memory();
      joined.add(memory.joined());
      generations.add(memory.generation());
      boolean isVacant = memory.joined() > 0 && memory.process() == 0;
      vacant |= isVacant ? Quorum.of(place) : 0;
    }
    return new KiteView(
        view.number(),
        view.memorySince(),
        view.purgedIn(),
        joined,
        generations,
        vacant,
        view.leaving() == null && view.serving() == view.parts(),
        view.parts() & ~view.staying(),
        view.leaving() == null ? 0 : view.leaving().since());
  }

  private static List<Integer> generations(List<Integer> joined) {
    List<Integer> generations = new ArrayList<>();
    for (int each : joined) {
      generations.add(Math.max(0, each - 1));
    }
    return generations;
  }

  /** The places that belong to the grid, as a mask. */
  public int parts() {
    int parts = 0;
    for (int place = 0; place < joined.size(); place++) {
      parts |= joined.get(place) > 0 ? Quorum.of(place) : 0;
    }
    return parts;
  }

  /** The places that count towards majorities, as a mask: all that are not leaving. */
  public int counted() {
    return parts() & ~leaving;
  }

  /** The first view of a grid, whose nodes all begin with nothing. */
  public static KiteView first(int nodes) {
    return new KiteView(1, Collections.nCopies(nodes, 1));
  }

  /** The next view, in which a new node is at this place. */
  public KiteView withNewNode(int place) {
    return withNewNodes(Quorum.of(place));
  }

  /** The next view, in which new nodes are at these places, given as a mask. */
  public KiteView withNewNodes(int places) {
    List<Integer> nextJoined = new ArrayList<>(joined);
    List<Integer> nextGenerations = new ArrayList<>(generations);
    for (int place = 0; place < joined.size(); place++) {
      if ((places & Quorum.of(place)) != 0) {
        nextJoined.set(place, number + 1);
        nextGenerations.set(place, generations.get(place) + 1);
      }
    }
    return new KiteView(
        number + 1,
        memorySince,
        purgedIn,
        nextJoined,
        nextGenerations,
        vacant & ~places,
        false,
        leaving,
        leavingSince);
  }

  /** The next view, of the same nodes, in which this place begins to leave. */
  public KiteView leaving(int place) {
    return new KiteView(
        number + 1,
        memorySince,
        purgedIn,
        joined,
        generations,
        vacant,
        false,
        Quorum.of(place),
        number + 1);
  }

  /** The next view, without the place that is leaving. */
  public KiteView without() {
    int place = Integer.numberOfTrailingZeros(leaving);
    List<Integer> nextJoined = new ArrayList<>(joined);
    List<Integer> nextGenerations = new ArrayList<>(generations);
    nextJoined.set(place, 0);
    nextGenerations.set(place, generations.get(place) + 1);
    return new KiteView(
        number + 1, memorySince, purgedIn, nextJoined, nextGenerations, vacant & ~leaving, true);
  }

  /** The next view, of the same nodes, in which they forget the removed keys that are marked. */
  public KiteView purged() {
    return new KiteView(number + 1, memorySince, number + 1, joined, generations, vacant, whole);
  }

  /** The places that have another node than in the view number {@code earlier}. */
  int changedSince(int earlier) {
    int changed = 0;
    for (int place = 0; place < joined.size(); place++) {
      changed |= joined.get(place) > earlier ? Quorum.of(place) : 0;
    }
    return changed;
  }
}
