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
package org.orcagrid.bench.watches;

/**
 * How large a storm is, and what it is measured beside.
 *
 * @param servers of each ensemble
 * @param sessions that watch, one connection each
 * @param nodes that each of them watches; one transaction changes all of them
 * @param clients that read, and as many that write, one request at a time
 * @param rounds storms at each system
 * @param calmSeconds measured before each storm
 */
public record StormPlan(
    int servers, int sessions, int nodes, int clients, int rounds, double calmSeconds) {
  private static final int SESSIONS_MAX = 1_000;

  /** A transaction of more would not fit into a request. */
  private static final int NODES_MAX = 10_000;

  /** Checks the bounds. */
  public StormPlan {
    require(servers, 1, 7, "--servers");
    require(sessions, 1, SESSIONS_MAX, "--sessions");
    require(nodes, 1, NODES_MAX, "--nodes");
    require(clients, 1, 100, "--clients");
    require(rounds, 1, 100, "--rounds");
    if (!(calmSeconds > 0 && calmSeconds <= 60)) {
      throw new IllegalArgumentException("--seconds is above 0 and up to 60, not " + calmSeconds);
    }
  }

  private static void require(int value, int least, int most, String name) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + least + " to " + most + ", not " + value + ".");
    }
  }

  /** How many watches fire at once. */
  public int watches() {
    return sessions * nodes;
  }
}
