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

import java.util.Collections;
import java.util.List;
import org.orcagrid.ddp.Quorum;

/**
 * Who the nodes of a grid are. Its places are fixed, and so is what a majority is; but a node that
 * has lost its memory can be followed at its place by another one, which is a new view.
 *
 * <p>Whoever agrees on views makes one after the other, and never two of the same number.
 *
 * @param number from 1
 * @param joined for each place, the number of the view in which its present node has joined
 */
public record View(int number, List<Integer> joined) {
  /** Views are numbered up to this: the numbers are part of clocks and ballots. */
  public static final int NUMBER_MAX = 4095;

  /** Refuses what cannot be a view. */
  public View {
    joined = List.copyOf(joined);
    if (number < 1 || number > NUMBER_MAX) {
      throw new IllegalArgumentException(
          "Views are numbered 1 to "
              + NUMBER_MAX
              + ", not "
              + number
              + "; a grid in which nodes were replaced that often has to be started anew");
    }
    for (int each : joined) {
      if (each < 1 || each > number) {
        throw new IllegalArgumentException("No node of view " + number + " has joined in " + each);
      }
    }
  }

  /** The first view of a grid, whose nodes all begin with nothing. */
  public static View first(int nodes) {
    return new View(1, Collections.nCopies(nodes, 1));
  }

  /** The next view, in which a new node is at this place. */
  public View withNewNode(int place) {
    List<Integer> next = new java.util.ArrayList<>(joined);
    next.set(place, number + 1);
    return new View(number + 1, next);
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
