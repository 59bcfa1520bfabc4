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

/**
 * A failure study: a node sleeps while all of them are loaded (Kite, section 7.4).
 *
 * @param grid what the grid is made of
 * @param load the accesses
 * @param timing what happens when
 * @param rounds how often it is measured
 * @param warmUpRounds rounds before that, for the compilers
 */
public record FailurePlan(
    KitePlan.Grid grid, Mix load, Timing timing, int rounds, int warmUpRounds) {
  /** As in the paper: 5 % writes, 5 % synchronization. */
  public static final Mix PAPER = new Mix(5, 5, 0);

  /**
   * What happens when, in milliseconds.
   *
   * @param release how long a release waits for a silent node, the time-out of section 4.2
   * @param before what is measured before the sleep
   * @param sleep how long the node sleeps
   * @param after what is measured after that
   * @param bin what is one point of the figure
   */
  public record Timing(int release, int before, int sleep, int after, int bin) {
    /** Refuses what cannot be measured. */
    public Timing {
      if (release < 1 || bin < 1 || before < bin || sleep < bin || after < bin) {
        throw new IllegalArgumentException(
            "A time-out has at least 1 ms, and a point of the figure; what comes before, the sleep"
                + " and what comes after have at least one point each");
      }
    }

    /** Points before the sleep. */
    public int binsBefore() {
      return before / bin;
    }

    /** Points that the sleep has. */
    public int binsOfSleep() {
      return sleep / bin;
    }

    /** All points. */
    public int bins() {
      return binsBefore() + binsOfSleep() + after / bin;
    }
  }

  /** Refuses what cannot be measured. */
  public FailurePlan {
    if (grid.nodes() < 3) {
      throw new IllegalArgumentException(
          "Fewer than 3 nodes do not go on while one sleeps; change --nodes.");
    }
    if (rounds < 1) {
      throw new IllegalArgumentException("There must be at least 1 round; change --rounds.");
    }
  }

  /** The node that sleeps. */
  public int sleeper() {
    return grid.nodes() - 1;
  }

  /** The same with another number of rounds. */
  public FailurePlan withRounds(int count) {
    return new FailurePlan(grid, load, timing, count, warmUpRounds);
  }
}
