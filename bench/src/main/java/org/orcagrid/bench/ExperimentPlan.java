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
package org.orcagrid.bench;

import java.util.List;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.workload.Workload;

/**
 * Everything an experiment measures: every system under every workload with every number of clients
 * and every added fsync delay, in every round.
 *
 * @param systems what is compared
 * @param workloads the workloads
 * @param clientCounts the numbers of clients
 * @param fsyncDelaysMs the added fsync delays in milliseconds; systems that cannot have one are
 *     left out where it is above 0
 * @param rounds how often each cell is measured
 * @param servers what every ensemble is made of
 * @param load what is the same in every cell
 */
public record ExperimentPlan(
    List<SystemSpec> systems,
    List<Workload> workloads,
    List<Integer> clientCounts,
    List<Double> fsyncDelaysMs,
    int rounds,
    Servers servers,
    Load load) {

  private static final double HEATING_SECONDS_MIN = 0.5;

  /** Keeps copies and checks the bounds. */
  public ExperimentPlan {
    systems = List.copyOf(systems);
    workloads = List.copyOf(workloads);
    clientCounts = List.copyOf(clientCounts);
    fsyncDelaysMs = List.copyOf(fsyncDelaysMs);
    if (rounds < 1 || rounds > 1_000) {
      throw new IllegalArgumentException("Rounds must be 1 to 1000; change --rounds.");
    }
    if (fsyncDelaysMs.stream().anyMatch(delay -> !(delay >= 0 && delay <= 1_000))) {
      throw new IllegalArgumentException(
          "Fsync delays must be 0 to 1000 ms; change --fsync-delay-ms.");
    }
    clientCounts.forEach(LoadPlan::requireClients);
    if (systems.isEmpty()
        || workloads.isEmpty()
        || clientCounts.isEmpty()
        || fsyncDelaysMs.isEmpty()) {
      throw new IllegalArgumentException(
          "An experiment needs at least one system, workload, number of clients and delay.");
    }
  }

  /**
   * What every ensemble is made of.
   *
   * @param count servers per ensemble
   * @param linkDelayMs milliseconds added to everything that one server sends to another, on its
   *     way; 0 for none
   */
  public record Servers(int count, double linkDelayMs) {
    private static final int COUNT_MAX = 9;
    private static final double LINK_DELAY_MS_MAX = 1_000;

    /** Checks the bounds. */
    public Servers {
      if (count < 1 || count > COUNT_MAX) {
        throw new IllegalArgumentException("Servers must be 1 to 9; change --servers.");
      }
      if (!(linkDelayMs >= 0 && linkDelayMs <= LINK_DELAY_MS_MAX)) {
        throw new IllegalArgumentException(
            "The delay between servers must be 0 to 1000 ms; change --link-delay-ms.");
      }
    }
  }

  /**
   * What is the same in every cell.
   *
   * @param pacing when a client sends
   * @param reads which servers sessions connect to
   * @param time warm-up and measurement of each cell
   * @param data the preloaded records
   * @param seed determines the order of operation kinds; the same in every cell of a round
   */
  public record Load(
      LoadPlan.Pacing pacing, ReadsFrom reads, LoadPlan.Time time, LoadPlan.Data data, long seed) {}

  /** Returns the same with another number of rounds. */
  public ExperimentPlan withRounds(int other) {
    return new ExperimentPlan(
        systems, workloads, clientCounts, fsyncDelaysMs, other, servers, load);
  }

  /** Returns the plan of one cell in one round. */
  LoadPlan loadPlan(Cell cell, int round) {
    return loadPlan(cell, round, load.time());
  }

  /** Returns the plan of load that only warms up; as long as the warm-up of one cell. */
  LoadPlan heatingPlan(Cell cell) {
    double seconds = Math.max(HEATING_SECONDS_MIN, load.time().warmUpSeconds());
    return loadPlan(cell, 0, new LoadPlan.Time(0, seconds));
  }

  private LoadPlan loadPlan(Cell cell, int round, LoadPlan.Time time) {
    return new LoadPlan(
        cell.workload(),
        cell.clients(),
        load.pacing(),
        load.reads(),
        time,
        load.data(),
        load.seed() + round);
  }

  /** Returns how many cells a run measures, all rounds together. */
  public int measurements() {
    long pairs =
        fsyncDelaysMs.stream()
            .mapToLong(delay -> systems.stream().filter(s -> runsWith(s, delay)).count())
            .sum();
    return Math.toIntExact(pairs * workloads.size() * clientCounts.size() * rounds);
  }

  /** Returns whether a system can be measured with this delay. */
  static boolean runsWith(SystemSpec system, double fsyncDelayMs) {
    return fsyncDelayMs == 0 || system.canDelayFsync();
  }
}
