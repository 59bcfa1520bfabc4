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
package org.orcagrid.bench.kite;

import java.util.List;

/**
 * How lock-free structures are measured.
 *
 * @param structures the workloads
 * @param grid what ZAB's grid is made of, and how many nodes Kite's has
 * @param clients threads at each node, each with a session; they wait for each access
 * @param rounds how often everything is measured
 * @param warmUpRounds rounds before that, for the compilers
 * @param seconds how long each line of each workload is measured in a round
 */
public record StructurePlan(
    List<Structure> structures,
    KitePlan.Grid grid,
    int clients,
    int rounds,
    int warmUpRounds,
    double seconds) {
  /** The paper has 5000 structures for 4000 sessions. */
  private static final double STRUCTURES_OF_A_CLIENT = 1.25;

  /** Keeps a copy; refuses what cannot be measured. */
  public StructurePlan {
    if (grid.transport() != null) {
      throw new IllegalArgumentException(
          "Its clients are in their nodes' JVM, which has the loopback transport; leave"
              + " --transport out.");
    }
    structures = List.copyOf(structures);
    if (clients < 1 || clients > 1000) {
      throw new IllegalArgumentException(
          "A node has 1 to 1000 clients, not " + clients + "; change --clients.");
    }
    if (rounds < 1) {
      throw new IllegalArgumentException("There must be at least 1 round; change --rounds.");
    }
  }

  /** Clients of all nodes. */
  public int allClients() {
    return grid.nodes() * clients;
  }

  /** Structures of a kind that all clients share. */
  public int shared() {
    return (int) Math.ceil(allClients() * STRUCTURES_OF_A_CLIENT);
  }

  /** The same with another number of rounds. */
  public StructurePlan withRounds(int count) {
    return new StructurePlan(structures, grid, clients, count, warmUpRounds, seconds);
  }
}
