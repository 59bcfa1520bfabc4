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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.orcagrid.bench.stats.LatencyHistograms;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;

/** What an experiment has measured. */
public final class ExperimentResult {
  private final ExperimentPlan plan;
  private final List<Measurement> measurements;
  private final Map<Cell, CellSummary> summaries;

  /** Keeps the measurements in the order in which they were made. */
  public ExperimentResult(ExperimentPlan plan, List<Measurement> measurements) {
    this.plan = plan;
    this.measurements = List.copyOf(measurements);
    Map<Cell, List<Measurement>> byCell =
        this.measurements.stream()
            .collect(
                Collectors.groupingBy(
                    Measurement::cell, LinkedHashMap::new, Collectors.toUnmodifiableList()));
    this.summaries = new LinkedHashMap<>();
    byCell.forEach((cell, rounds) -> summaries.put(cell, CellSummary.of(cell, rounds)));
  }

  /** Returns what was to be measured. */
  public ExperimentPlan plan() {
    return plan;
  }

  /** Returns every measurement, in order. */
  public List<Measurement> measurements() {
    return measurements;
  }

  /** Returns one summary per cell, in the order of their first measurement. */
  public List<CellSummary> summaries() {
    return List.copyOf(summaries.values());
  }

  /** Returns the summary of a cell; empty if it was not measured. */
  public Optional<CellSummary> summary(
      String system, Workload workload, int clients, double fsyncDelayMs) {
    return Optional.ofNullable(summaries.get(new Cell(system, workload, clients, fsyncDelayMs)));
  }

  /**
   * Returns the rates of one cell as shares of another's, round by round. A slow moment of the
   * machine slows both. Empty if one of them was not measured.
   */
  public Optional<Spread> pairedShare(Cell of, Cell beside) {
    List<Double> shares = new ArrayList<>();
    for (Measurement one : measurements) {
      for (Measurement other : measurements) {
        if (one.cell().equals(of)
            && other.cell().equals(beside)
            && one.round() == other.round()
            && other.result().throughput() > 0) {
          shares.add(one.result().throughput() / other.result().throughput());
        }
      }
    }
    return shares.isEmpty() ? Optional.empty() : Optional.of(Spread.of(shares));
  }

  /** Returns all latencies of one kind in a cell, every round together, in nanoseconds. */
  public Histogram latencies(Cell cell, OperationKind kind) {
    LatencyHistograms all = new LatencyHistograms();
    measurements.stream()
        .filter(measurement -> measurement.cell().equals(cell))
        .forEach(measurement -> all.add(measurement.result().latencies()));
    return all.of(kind);
  }
}
