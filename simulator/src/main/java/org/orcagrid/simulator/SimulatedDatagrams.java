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
package org.orcagrid.simulator;

import java.util.Arrays;

/**
 * A network that promises nothing: datagrams are lost, doubled, delayed and overtake each other,
 * and links are cut in one direction or both. What is under way when a link is cut still arrives.
 */
public final class SimulatedDatagrams {
  private static final int SLOW_FACTOR_MAX = 50;

  private final Simulation simulation;
  private final Conditions conditions;
  private final boolean[][] down;
  private final double[][] lossPercent;
  private boolean faultless;

  /**
   * How bad the network is.
   *
   * @param delayMinNanos delay of a datagram at least
   * @param delayMaxNanos delay of a datagram that is not slow
   * @param slowPercent share of the datagrams that take up to fifty times as long
   * @param lossPercent share that is lost
   * @param doublePercent share that arrives twice
   */
  public record Conditions(
      long delayMinNanos,
      long delayMaxNanos,
      double slowPercent,
      double lossPercent,
      double doublePercent) {}

  /** A network of nodes 0, 1, 2, ... with all links up. */
  public SimulatedDatagrams(Simulation simulation, int nodes, Conditions conditions) {
    this.simulation = simulation;
    this.conditions = conditions;
    this.down = new boolean[nodes][nodes];
    this.lossPercent = new double[nodes][nodes];
    for (double[] row : lossPercent) {
      Arrays.fill(row, conditions.lossPercent());
    }
  }

  /** Makes one direction of a link lose more, or less, than the others. */
  public void lossy(int from, int to, double percent) {
    lossPercent[from][to] = percent;
  }

  /** Takes the link down, in one direction. */
  public void cut(int from, int to) {
    down[from][to] = true;
  }

  /** Brings the link up again, in one direction. */
  public void join(int from, int to) {
    down[from][to] = false;
  }

  /** From now on nothing is lost, doubled or slow, and all links are up. */
  public void heal() {
    faultless = true;
  }

  /** {@code arrival} happens when the datagram arrives: once, twice or never. */
  public void send(int from, int to, Runnable arrival) {
    if (faultless) {
      simulation.after(delay(), arrival);
      return;
    }
    if (down[from][to] || simulation.chance(lossPercent[from][to])) {
      return;
    }
    simulation.after(delay(), arrival);
    if (simulation.chance(conditions.doublePercent())) {
      simulation.after(delay(), arrival);
    }
  }

  private long delay() {
    long delay = simulation.between(conditions.delayMinNanos(), conditions.delayMaxNanos());
    return !faultless && simulation.chance(conditions.slowPercent())
        ? delay * simulation.between(2, SLOW_FACTOR_MAX)
        : delay;
  }
}
