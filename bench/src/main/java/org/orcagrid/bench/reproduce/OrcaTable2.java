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
package org.orcagrid.bench.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownReport;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.report.PaperTable2;
import org.orcagrid.bench.report.ThroughputCharts;

/** Table 2: throughput of the durability layers, and reads that trigger durability under CAD. */
public record OrcaTable2() implements ExperimentReproduction {
  private static final double PER_THOUSAND = 1_000;

  @Override
  public String id() {
    return "orca-table2";
  }

  @Override
  public String title() {
    return "ORCA, Table 2: throughput of sync, async and CAD under YCSB A, B, D and F";
  }

  @Override
  public ExperimentPlan plan(Effort effort) {
    return OrcaSetting.plan(
        effort,
        PaperTable2.rows().stream().map(PaperTable2.Row::workload).toList(),
        List.of(OrcaSetting.CLIENTS),
        new LoadPlan.Time(1, 1.5));
  }

  @Override
  public String page(ExperimentResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append(Conditions.page(result.plan(), machine));
    for (double delay : result.plan().fsyncDelaysMs()) {
      page.append("## Added fsync delay ").append(Numbers.setting(delay)).append(" ms\n\n");
      page.append(Conditions.delay(delay)).append("\n\n");
      page.append("Throughput in K requests/s; in brackets the factor over sync. ");
      page.append(PaperTable2.MISSING_FIGURES).append("\n\n");
      page.append(table(result, delay)).append("\nLatencies in microseconds.\n\n");
      page.append(MarkdownReport.latencies(result, OrcaSetting.CLIENTS, delay)).append('\n');
    }
    return page.append(OrcaSetting.DIFFERENCES).toString();
  }

  private static String table(ExperimentResult result, double delay) {
    MarkdownTable table =
        new MarkdownTable(
            List.of("workload", "", "sync", "async", "CAD", "% of reads triggering durability"));
    for (PaperTable2.Row row : PaperTable2.rows()) {
      List<String> paper = new ArrayList<>(List.of(row.workload().name(), "paper"));
      List<String> ours = new ArrayList<>(List.of(row.workload().name(), "here"));
      OptionalDouble ourSync = throughput(result, "sync", row, delay);
      for (String layer : OrcaSetting.LAYERS) {
        paper.add(cell(row.throughput(layer), OptionalDouble.of(row.sync()), "not legible"));
        ours.add(cell(throughput(result, layer, row, delay), ourSync, Numbers.NOT_AVAILABLE));
      }
      paper.add(Numbers.plain(row.triggeringPercent()));
      ours.add(
          Numbers.spread(
              summary(result, "cad", row, delay).flatMap(CellSummary::triggeringPercent), 1));
      table.add(paper);
      table.add(ours);
    }
    return table.render();
  }

  private static Optional<CellSummary> summary(
      ExperimentResult result, String layer, PaperTable2.Row row, double delay) {
    return result.summary(layer, row.workload(), OrcaSetting.CLIENTS, delay);
  }

  private static OptionalDouble throughput(
      ExperimentResult result, String layer, PaperTable2.Row row, double delay) {
    return summary(result, layer, row, delay).stream()
        .mapToDouble(summary -> summary.throughput().median() / PER_THOUSAND)
        .findFirst();
  }

  private static String cell(OptionalDouble value, OptionalDouble sync, String otherwise) {
    if (value.isEmpty()) {
      return otherwise;
    }
    String text = Numbers.plain(value.getAsDouble());
    if (sync.isEmpty() || sync.getAsDouble() == value.getAsDouble()) {
      return text;
    }
    double factor = value.getAsDouble() / sync.getAsDouble();
    return text + String.format(Locale.ROOT, " (%.1fx)", factor);
  }

  @Override
  public String chart(ExperimentResult result, Machine machine) {
    return ThroughputCharts.render(result, machine);
  }
}
