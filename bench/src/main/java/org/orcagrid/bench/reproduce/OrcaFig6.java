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
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.report.Charts;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownReport;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.report.PaperTable2;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;

/** Figure 6: latency distributions of writes in A and of reads in B and D. */
public record OrcaFig6() implements ExperimentReproduction {
  private static final List<String> LAZY_LAYERS = List.of("async", "cad");

  @Override
  public String id() {
    return "orca-fig6";
  }

  @Override
  public String title() {
    return "ORCA, Figure 6: latency distributions of writes in A and of reads in B and D";
  }

  @Override
  public ExperimentPlan plan(Effort effort) {
    return OrcaSetting.plan(
        effort,
        List.of(Workload.A, Workload.B, Workload.D),
        List.of(OrcaSetting.CLIENTS),
        new LoadPlan.Time(1, 2.5));
  }

  @Override
  public String page(ExperimentResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append(Conditions.page(result.plan(), machine));
    page.append("The paper: writes in CAD are as fast as with async; most reads in CAD are too,");
    page.append(" and only those that trigger durability take longer.\n\n");
    for (double delay : result.plan().fsyncDelaysMs()) {
      page.append("## Added fsync delay ").append(Numbers.setting(delay)).append(" ms\n\n");
      page.append(Conditions.delay(delay)).append("\n\n");
      page.append(triggering(result, delay)).append("\nLatencies in microseconds.\n\n");
      page.append(MarkdownReport.latencies(result, OrcaSetting.CLIENTS, delay)).append('\n');
    }
    return page.append(OrcaSetting.DIFFERENCES).toString();
  }

  private static String triggering(ExperimentResult result, double delay) {
    MarkdownTable table =
        new MarkdownTable(List.of("% of reads triggering durability in CAD", "paper", "here"));
    for (Workload workload : result.plan().workloads()) {
      table.add(
          List.of(
              workload.name(),
              PaperTable2.row(workload)
                  .map(row -> Numbers.plain(row.triggeringPercent()))
                  .orElse(Numbers.NOT_AVAILABLE),
              Numbers.spread(
                  result
                      .summary("cad", workload, OrcaSetting.CLIENTS, delay)
                      .flatMap(CellSummary::triggeringPercent),
                  1)));
    }
    return table.render();
  }

  @Override
  public String chart(ExperimentResult result, Machine machine) {
    Charts charts = new Charts(result);
    List<Panel> panels = new ArrayList<>();
    for (double delay : result.plan().fsyncDelaysMs()) {
      int clients = OrcaSetting.CLIENTS;
      panels.add(
          charts.distribution(
              Workload.A, OperationKind.UPDATE, OrcaSetting.LAYERS, clients, delay));
      panels.add(charts.distribution(Workload.B, OperationKind.READ, LAZY_LAYERS, clients, delay));
      panels.add(charts.distribution(Workload.D, OperationKind.READ, LAZY_LAYERS, clients, delay));
    }
    return new SvgDocument(
            "Latency distributions with " + OrcaSetting.CLIENTS + " clients",
            panels,
            Conditions.notes(result.plan(), machine))
        .render();
  }
}
