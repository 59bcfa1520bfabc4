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
package org.orcagrid.ddp.membership;

import org.orcagrid.ddp.Quorum;

/** The largest set of nodes that all hear each other. */
final class Connected {
  private final int[] edges;
  private int best;

  private Connected(int[] edges) {
    this.edges = edges;
  }

  /**
   * Finds it; of two that are as large, the one with the lowest place that the other has not.
   *
   * @param candidates the nodes that can be in it, as a mask
   * @param hears for each node the nodes that it hears, as a mask
   */
  static int largest(int candidates, int[] hears) {
    int[] edges = new int[hears.length];
    for (int one = 0; one < hears.length; one++) {
      for (int other = 0; other < hears.length; other++) {
        boolean both = (hears[one] & Quorum.of(other)) != 0 && (hears[other] & Quorum.of(one)) != 0;
        edges[one] |= both ? Quorum.of(other) : 0;
      }
    }
    Connected search = new Connected(edges);
    search.extend(0, candidates);
    return search.best;
  }

  /** Tries all sets that begin with {@code set}; the lowest places come first. */
  private void extend(int set, int candidates) {
    if (Integer.bitCount(set) + Integer.bitCount(candidates) <= Integer.bitCount(best)) {
      return;
    }
    if (candidates == 0) {
      best = set;
      return;
    }
    int node = Integer.numberOfTrailingZeros(candidates);
    int others = candidates & ~Quorum.of(node);
    extend(set | Quorum.of(node), others & edges[node]);
    extend(set, others);
  }
}
