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
package org.orcagrid.bench.nukv;

import java.util.List;

/**
 * What is measured, and how.
 *
 * @param points of the figure
 * @param lagsMillis by how much forwarding is slowed down; 0 for as it is
 * @param rounds how often everything is measured
 * @param warmUpSeconds of each point in each round, not measured
 * @param seconds that are measured then
 */
public record NukvPlan(
    List<Point> points,
    List<Integer> lagsMillis,
    int rounds,
    double warmUpSeconds,
    double seconds) {
  /** Nodes of a datacenter. */
  public static final int REPLICAS = 3;

  /** The distance of the paper's datacenters, there and back. */
  public static final int WAN_MILLIS = 15;

  /**
   * A point.
   *
   * @param clients threads at each datacenter
   * @param localPercent operations that go to their own datacenter
   * @param writePercent operations that write
   */
  public record Point(int clients, int localPercent, int writePercent) {}

  /** Keeps copies; refuses what cannot be measured. */
  public NukvPlan {
    points = List.copyOf(points);
    lagsMillis = List.copyOf(lagsMillis);
    if (rounds < 1) {
      throw new IllegalArgumentException("There must be at least 1 round; change --rounds.");
    }
  }

  /** The same with another number of rounds. */
  public NukvPlan withRounds(int count) {
    return new NukvPlan(points, lagsMillis, count, warmUpSeconds, seconds);
  }
}
