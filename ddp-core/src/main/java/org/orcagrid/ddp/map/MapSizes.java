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
package org.orcagrid.ddp.map;

import org.orcagrid.ddp.replica.Writer;

/**
 * What a node of maps is made of.
 *
 * @param nodes places for nodes
 * @param self this one's
 * @param workers threads that do the work; a map belongs to one of them
 * @param backlogMax messages that wait for one node, and updates that not all nodes have, at most;
 *     writes wait then
 * @param resendNanos when what was not acknowledged is sent again
 * @param progressNanos how often a node says what it shows, where others have to know
 */
public record MapSizes(
    int nodes, int self, int workers, int backlogMax, long resendNanos, long progressNanos) {

  /** One worker, a backlog of 8192; 100 ms and 2 ms. */
  public static MapSizes of(int nodes, int self) {
    return new MapSizes(nodes, self, 1, 8192, 100_000_000, 2_000_000);
  }

  /** Refuses what cannot work. */
  public MapSizes {
    if (nodes < 1 || nodes > Writer.NODES_MAX || self < 0 || self >= nodes) {
      throw new IllegalArgumentException(
          "A grid of maps has 1 to "
              + Writer.NODES_MAX
              + " nodes, of which one is "
              + self
              + ", not "
              + nodes);
    }
    if (workers < 1 || backlogMax < 1 || resendNanos < 1 || progressNanos < 1) {
      throw new IllegalArgumentException(
          "Workers, backlog and times are positive: "
              + workers
              + ", "
              + backlogMax
              + ", "
              + resendNanos
              + ", "
              + progressNanos);
    }
  }
}
