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
package org.orcagrid.bench.failover;

import java.time.Duration;
import java.util.List;

/**
 * What is killed how often.
 *
 * @param kills how many nodes are killed beside each kind of ensemble, one after the other
 * @param ensembles who agrees on views
 * @param timing how long is looked at what
 */
public record FailoverPlan(int kills, List<Ensemble> ensembles, Timing timing) {
  /** Nodes of the grid. */
  public static final int NODES = 3;

  /** The servers that agree on views. */
  public enum Ensemble {
    /** One server, which is not killed. */
    STAYS(1, "stays"),

    /** Three servers, whose leader is killed at the same moment as a node. */
    LOSES_LEADER(3, "loses its leader");

    private final int servers;
    private final String title;

    Ensemble(int servers, String title) {
      this.servers = servers;
      this.title = title;
    }

    /** How many servers it has. */
    public int servers() {
      return servers;
    }

    /** What happens to it, in words. */
    public String title() {
      return title;
    }
  }

  /**
   * How long is looked at what.
   *
   * @param before how long all nodes serve before a kill
   * @param after from a kill to the node's next start; longer if clients wait still
   * @param back from when the node serves again to the end of the round
   */
  public record Timing(Duration before, Duration after, Duration back) {
    /** Twice the time that a standstill should take. */
    public static final Timing DEFAULT =
        new Timing(Duration.ofMillis(500), Duration.ofMillis(2500), Duration.ofMillis(1000));
  }

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if nothing is killed
   */
  public FailoverPlan {
    ensembles = List.copyOf(ensembles);
    if (kills < 1) {
      throw new IllegalArgumentException("There must be at least 1 kill; change --kills.");
    }
  }
}
