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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.bench.load.LoadResult;
import org.orcagrid.bench.load.LoadRun;
import org.orcagrid.bench.system.SystemLauncher;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.SystemUnderTest;
import org.orcagrid.bench.workload.Workload;

/**
 * Runs a plan. For each added delay all ensembles are started and kept alive; within each round
 * every system is measured in turn, and each round begins with another system, so that a slow drift
 * of the machine meets all systems alike.
 */
public final class Experiment {
  private final ExperimentPlan plan;
  private final SystemLauncher launcher;
  private final ExperimentListener listener;
  private final List<Measurement> measurements = new ArrayList<>();
  private int tables;

  private Experiment(ExperimentPlan plan, SystemLauncher launcher, ExperimentListener listener) {
    this.plan = plan;
    this.launcher = launcher;
    this.listener = listener;
  }

  /**
   * Measures every cell of the plan. Every process it started has ended when it returns or throws.
   *
   * @throws IOException if a system cannot be started or a run fails
   */
  public static ExperimentResult run(
      ExperimentPlan plan, SystemLauncher launcher, ExperimentListener listener)
      throws IOException, InterruptedException {
    Experiment experiment = new Experiment(plan, launcher, listener);
    for (double delay : plan.fsyncDelaysMs()) {
      experiment.runWithDelay(delay);
    }
    return new ExperimentResult(plan, experiment.measurements);
  }

  private void runWithDelay(double delayMs) throws IOException, InterruptedException {
    listener.starting(delayMs);
    List<SystemUnderTest> systems = new ArrayList<>();
    try {
      for (SystemSpec spec : plan.systems()) {
        if (ExperimentPlan.runsWith(spec, delayMs)) {
          systems.add(launcher.launch(spec, plan.servers(), delayMs));
        }
      }
      for (SystemUnderTest system : systems) {
        system.awaitServing();
      }
      for (SystemUnderTest system : systems) {
        heat(system, delayMs);
      }
      for (int round = 1; round <= plan.rounds(); round++) {
        runRound(systems, delayMs, round);
      }
    } finally {
      systems.forEach(SystemUnderTest::close);
    }
  }

  private void runRound(List<SystemUnderTest> systems, double delayMs, int round)
      throws IOException, InterruptedException {
    for (Workload workload : plan.workloads()) {
      for (int clients : plan.clientCounts()) {
        for (int i = 0; i < systems.size(); i++) {
          SystemUnderTest system = systems.get((i + round - 1) % systems.size());
          measure(system, new Cell(system.spec().id(), workload, clients, delayMs), round);
        }
      }
    }
  }

  /**
   * Lets the compilers of servers and clients see the load before the first figure; what it
   * measures is dropped. Otherwise the system that happens to be first would look slow.
   */
  private void heat(SystemUnderTest system, double delayMs)
      throws IOException, InterruptedException {
    Cell cell = new Cell(system.spec().id(), Workload.A, plan.clientCounts().get(0), delayMs);
    LoadRun.execute(
        system,
        plan.heatingPlan(cell),
        tableFor(cell.workload()),
        (share, rate) -> listener.heating(cell, share, rate));
  }

  private void measure(SystemUnderTest system, Cell cell, int round)
      throws IOException, InterruptedException {
    LoadResult result =
        LoadRun.execute(
            system,
            plan.loadPlan(cell, round),
            tableFor(cell.workload()),
            (share, rate) -> listener.progress(cell, round, share, rate));
    Measurement measurement = new Measurement(cell, round, result);
    measurements.add(measurement);
    listener.measured(measurement);
  }

  /** A workload that inserts gets new records each time; the others share theirs. */
  private String tableFor(Workload workload) {
    if (!workload.inserts()) {
      return "shared";
    }
    tables++;
    return "inserts-" + tables;
  }
}
