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
import org.orcagrid.transport.tcp.TransportChoice;

/**
 * What is measured, and how.
 *
 * @param contenders the lines of the figure
 * @param writePercents its points
 * @param grid what every grid is made of
 * @param rounds how often everything is measured
 * @param warmUpRounds rounds before that, for the compilers
 * @param seconds how long each point of each contender is measured in a round
 */
public record KitePlan(
    List<Contender> contenders,
    List<Double> writePercents,
    Grid grid,
    int rounds,
    int warmUpRounds,
    double seconds) {

  /**
   * What every grid is made of.
   *
   * @param nodes replica nodes, each with one worker
   * @param sessions sessions of each node; each does one thing at a time
   * @param burst accesses of a session before another one has its turn, if they are reads that its
   *     node can answer by itself
   * @param keys keys, all of which have a value
   * @param valueBytes bytes of a value; a key has 8
   * @param transport between the nodes; null for the loopback transport
   */
  public record Grid(
      int nodes, int sessions, int burst, int keys, int valueBytes, TransportChoice transport) {
    /** What the figures take; the paper has 5 nodes of 20 workers and a million keys. */
    public static final Grid DEFAULT = new Grid(3, 64, 16, 100_000, 32);

    /** Over the loopback transport. */
    public Grid(int nodes, int sessions, int burst, int keys, int valueBytes) {
      this(nodes, sessions, burst, keys, valueBytes, null);
    }

    /** Refuses what cannot be measured. */
    public Grid {
      if (nodes < 1 || nodes > 9 || sessions < 1 || burst < 1 || keys < 1 || valueBytes < 8) {
        throw new IllegalArgumentException(
            "A grid has 1 to 9 nodes, at least one session, one access in a burst and one key, and"
                + " values of 8 bytes or more");
      }
    }

    /** What its nodes talk over, in words. */
    public String network() {
      return transport == null ? "the loopback transport" : "the transport " + transport;
    }
  }

  /** Keeps copies; refuses what cannot be measured. */
  public KitePlan {
    contenders = List.copyOf(contenders);
    writePercents = List.copyOf(writePercents);
    if (rounds < 1) {
      throw new IllegalArgumentException("There must be at least 1 round; change --rounds.");
    }
  }

  /** The same with another number of rounds. */
  public KitePlan withRounds(int count) {
    return new KitePlan(contenders, writePercents, grid, count, warmUpRounds, seconds);
  }
}
