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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.LoadResult;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.stats.LatencyHistograms;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;

/** Results that nobody measured, the same each time. */
public final class Fabricated {
  /** A machine that does not exist. */
  public static final Machine MACHINE =
      new Machine("Test CPU", 4, 16, "TestOS 1.0", "Test VM 17", 130, 400, 20);

  private Fabricated() {}

  /** Returns a result for every cell of a plan; sync is slow, the others fast. */
  public static ExperimentResult of(ExperimentPlan plan) {
    List<Measurement> measurements = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (double delay : plan.fsyncDelaysMs()) {
        for (Workload workload : plan.workloads()) {
          for (int clients : plan.clientCounts()) {
            for (SystemSpec system : plan.systems()) {
              if (ExperimentPlan.runsWith(system, delay)) {
                Cell cell = new Cell(system.id(), workload, clients, delay);
                measurements.add(new Measurement(cell, round, result(cell, round)));
              }
            }
          }
        }
      }
    }
    return new ExperimentResult(plan, measurements);
  }

  private static LoadResult result(Cell cell, int round) {
    boolean slow = cell.system().contains("sync") && !cell.system().contains("async");
    long readMicros = 200 + 10L * cell.clients();
    long writeMicros =
        (slow ? 900 + Math.round(1_000 * cell.fsyncDelayMs()) : 300) + 20L * cell.clients();
    LatencyHistograms latencies = new LatencyHistograms();
    long operations = 100_000L * cell.clients() / (readMicros + writeMicros);
    for (long i = 0; i < operations; i++) {
      long jitter = (i * 37 % 100) + 10L * round;
      if (cell.workload() != Workload.W) {
        latencies.record(OperationKind.READ, (readMicros + jitter) * 1_000);
      }
      switch (cell.workload()) {
        case D -> latencies.record(OperationKind.INSERT, (writeMicros + jitter) * 1_000);
        case C -> {}
        default -> latencies.record(OperationKind.UPDATE, (writeMicros + jitter) * 1_000);
      }
      if (cell.workload() == Workload.F) {
        latencies.record(
            OperationKind.READ_MODIFY_WRITE, (readMicros + writeMicros + jitter) * 1_000);
      }
    }
    OptionalDouble triggering =
        cell.system().equals("cad") ? OptionalDouble.of(4.0 + round) : OptionalDouble.empty();
    double seconds = round * latencies.requests() * 20e-6;
    List<Double> cpu = List.of(seconds / 2, seconds / 4, seconds / 4);
    return new LoadResult(latencies, 2, cell.clients(), round - 1, "", 0, triggering, cpu);
  }

  /** Returns a plan with two rounds of one second. */
  public static ExperimentPlan plan(
      List<SystemSpec> systems,
      List<Workload> workloads,
      List<Integer> clients,
      List<Double> delays) {
    return new ExperimentPlan(
        systems,
        workloads,
        clients,
        delays,
        2,
        new ExperimentPlan.Servers(3, 0),
        new ExperimentPlan.Load(
            LoadPlan.Pacing.closedLoop(),
            org.orcagrid.bench.load.ReadsFrom.LEADER,
            new LoadPlan.Time(1, 2),
            new LoadPlan.Data(1_000, 100),
            7));
  }
}
