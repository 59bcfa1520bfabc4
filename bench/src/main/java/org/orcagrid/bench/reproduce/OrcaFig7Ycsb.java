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
import java.util.OptionalDouble;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownReport;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.report.ThroughputCharts;
import org.orcagrid.bench.workload.Workload;

/** Figure 7(b): throughput under YCSB, (i) replicating and (ii) only persisting asynchronously. */
public record OrcaFig7Ycsb() implements ExperimentReproduction {
  private static final String STRONG = "strong-zk";
  private static final String WEAK = "weak-zk";
  private static final String ORCA = "orca";
  private static final String SYNC = ":orca.replication=sync";
  private static final double PER_THOUSAND = 1_000;
  private static final List<Workload> WORKLOADS =
      List.of(Workload.W, Workload.A, Workload.B, Workload.D, Workload.F);

  @Override
  public String id() {
    return "orca-fig7b";
  }

  @Override
  public String title() {
    return "ORCA, Figure 7(b): throughput of strong-ZK, weak-ZK and ORCA under YCSB";
  }

  @Override
  public ExperimentPlan plan(Effort effort) {
    return OrcaSetting.plan(
        effort,
        effort.quick()
            ? OrcaSetting.SYSTEMS
            : List.of(STRONG, WEAK, ORCA, WEAK + SYNC, ORCA + SYNC),
        ReadsFrom.ANSWERING,
        WORKLOADS,
        List.of(OrcaSetting.CLIENTS),
        new LoadPlan.Time(0.8, 1.2));
  }

  @Override
  public String page(ExperimentResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append(Conditions.page(result.plan(), machine));
    for (double delay : result.plan().fsyncDelaysMs()) {
      page.append("## Added fsync delay ").append(Numbers.setting(delay)).append(" ms\n\n");
      page.append(Conditions.delay(delay)).append("\n\n");
      page.append("Throughput in K requests/s; in brackets the factor over strong-ZK.\n\n");
      page.append(table(result, delay)).append("\nLatencies in microseconds.\n\n");
      page.append(MarkdownReport.latencies(result, OrcaSetting.CLIENTS, delay)).append('\n');
    }
    page.append("The paper: ORCA is 3.04 to 3.28 times as fast as strong-ZK on the write-heavy");
    page.append(" workloads and 1.75 to 1.97 times on the read-heavy ones, and on average 11 %");
    page.append(" slower than weak-ZK.\n\n");
    return page.append(OrcaSetting.DIFFERENCES).toString();
  }

  private static String table(ExperimentResult result, double delay) {
    List<String> headings = new ArrayList<>(List.of("workload"));
    result.plan().systems().forEach(system -> headings.add(system.title()));
    headings.add("ORCA to weak-ZK");
    MarkdownTable table = new MarkdownTable(headings);
    for (Workload workload : result.plan().workloads()) {
      List<String> row = new ArrayList<>(List.of(workload.name()));
      OptionalDouble strong = median(result, STRONG, workload, delay);
      result
          .plan()
          .systems()
          .forEach(system -> row.add(cell(median(result, system.id(), workload, delay), strong)));
      OptionalDouble weak = median(result, WEAK, workload, delay);
      OptionalDouble orca = median(result, ORCA, workload, delay);
      row.add(
          weak.isPresent() && orca.isPresent()
              ? String.format(
                  Locale.ROOT, "%+.0f %%", 100 * (orca.getAsDouble() / weak.getAsDouble() - 1))
              : Numbers.NOT_AVAILABLE);
      table.add(row);
    }
    return table.render();
  }

  private static OptionalDouble median(
      ExperimentResult result, String system, Workload workload, double delay) {
    return result.summary(system, workload, OrcaSetting.CLIENTS, delay).stream()
        .map(CellSummary::throughput)
        .mapToDouble(spread -> spread.median() / PER_THOUSAND)
        .findFirst();
  }

  private static String cell(OptionalDouble value, OptionalDouble strong) {
    if (value.isEmpty()) {
      return Numbers.NOT_AVAILABLE;
    }
    String text = Numbers.plain(value.getAsDouble());
    return strong.isEmpty()
        ? text
        : text + String.format(Locale.ROOT, " (%.2fx)", value.getAsDouble() / strong.getAsDouble());
  }

  @Override
  public String chart(ExperimentResult result, Machine machine) {
    return ThroughputCharts.render(result, machine);
  }
}
