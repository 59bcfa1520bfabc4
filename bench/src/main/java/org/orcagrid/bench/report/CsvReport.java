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
package org.orcagrid.bench.report;

import java.util.Locale;
import java.util.Map;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.stats.LatencySpread;
import org.orcagrid.bench.workload.OperationKind;

/**
 * One line per cell and operation kind: medians over the rounds, throughput with its range too.
 * Unknown values are empty.
 */
public final class CsvReport {
  private static final String HEADER =
      "system,workload,clients,added_fsync_delay_ms,mode,reads,rounds,kind,operations,"
          + "throughput_per_s,throughput_min_per_s,throughput_max_per_s,"
          + "mean_us,p50_us,p95_us,p99_us,p999_us,max_us,"
          + "corrected_mean_us,corrected_p50_us,corrected_p95_us,corrected_p99_us,"
          + "corrected_p999_us,corrected_max_us,"
          + "reads_triggering_durability_percent,server_cpu_us_per_request,errors,missing\n";

  private CsvReport() {}

  /** Returns the table with its header. */
  public static String render(ExperimentResult result) {
    StringBuilder csv = new StringBuilder(HEADER);
    for (CellSummary summary : result.summaries()) {
      for (Map.Entry<OperationKind, LatencySpread> entry : summary.latencies().entrySet()) {
        append(csv, result.plan(), summary, entry.getKey());
      }
    }
    return csv.toString();
  }

  private static void append(
      StringBuilder csv, ExperimentPlan plan, CellSummary summary, OperationKind kind) {
    LatencySpread latency = summary.latencies().get(kind);
    csv.append(summary.cell().system()).append(',');
    csv.append(summary.cell().workload()).append(',');
    csv.append(summary.cell().clients()).append(',');
    csv.append(Numbers.setting(summary.cell().fsyncDelayMs())).append(',');
    csv.append(plan.load().pacing().mode().name().toLowerCase(Locale.ROOT)).append(',');
    csv.append(plan.load().reads().name().toLowerCase(Locale.ROOT)).append(',');
    csv.append(summary.rounds()).append(',');
    csv.append(kind.label()).append(',');
    csv.append(latency.count()).append(',');
    csv.append(number(summary.throughput().median())).append(',');
    csv.append(number(summary.throughput().min())).append(',');
    csv.append(number(summary.throughput().max()));
    appendLatency(csv, latency);
    appendLatency(csv, summary.corrected().get(kind));
    csv.append(',');
    csv.append(summary.triggeringPercent().map(s -> number(s.median())).orElse(""));
    csv.append(',');
    csv.append(summary.serverCpuMicros().map(s -> number(s.median())).orElse(""));
    csv.append(',').append(summary.errors());
    csv.append(',').append(summary.missing()).append('\n');
  }

  private static void appendLatency(StringBuilder csv, LatencySpread latency) {
    csv.append(',').append(number(latency.mean().median()));
    csv.append(',').append(number(latency.p50().median()));
    csv.append(',').append(number(latency.p95().median()));
    csv.append(',').append(number(latency.p99().median()));
    csv.append(',').append(number(latency.p999().median()));
    csv.append(',').append(number(latency.max().median()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
