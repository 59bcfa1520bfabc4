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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.workload.Workload;

/**
 * How far ensembles of 1 to 7 servers go, by the processor time of their busiest server. On one
 * machine servers take processors from each other, so that rates show nothing.
 */
public record OrcaScaling() implements Reproduction {
  private static final String ORCA = "orca";
  private static final String STOCK = "stock-nosync";
  private static final List<Workload> WORKLOADS =
      List.of(Workload.W, Workload.A, Workload.B, Workload.C);
  private static final int CLIENTS_PER_SERVER = 4;

  /** Microseconds a request to thousands of requests a second. */
  private static final double MICROS = 1_000;

  @Override
  public String id() {
    return "orca-scaling";
  }

  @Override
  public String title() {
    return "ORCA: 1 to 7 servers, by the processor time of the busiest one";
  }

  /** Returns the sizes of ensembles that are measured. */
  public List<Integer> sizes(boolean quick) {
    return quick ? List.of(1, 3) : List.of(1, 3, 5, 7);
  }

  /** Returns what is measured with ensembles of one size. */
  public ExperimentPlan plan(boolean quick, int servers) {
    return OrcaSetting.plan(
        new Effort(quick, List.of(0.0), new ExperimentPlan.Servers(servers, 0)),
        List.of(ORCA, STOCK),
        ReadsFrom.ALL,
        WORKLOADS,
        List.of(CLIENTS_PER_SERVER * servers),
        new LoadPlan.Time(0.8, 1.2));
  }

  /** Returns the page of all sizes. */
  public String page(Map<Integer, ExperimentResult> results, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append(
        "Four closed clients on each server, each reads at its own. The figure is what the");
    page.append(" busiest server could do if a processor were all that it has: thousands of");
    page.append(" requests a second, median over the rounds and range. All servers and clients");
    page.append(" share this machine, so none was that fast here.\n\n");
    MarkdownTable table =
        new MarkdownTable(List.of("workload", "servers", "ORCA", "stock forceSync=no", "share"));
    for (Workload workload : WORKLOADS) {
      results.forEach(
          (servers, result) -> {
            Optional<Spread> orca = rate(result, ORCA, workload, servers);
            Optional<Spread> stock = rate(result, STOCK, workload, servers);
            table.add(
                List.of(
                    workload.name(),
                    Integer.toString(servers),
                    Numbers.spread(orca, 1),
                    Numbers.spread(stock, 1),
                    orca.isEmpty() || stock.isEmpty()
                        ? Numbers.NOT_AVAILABLE
                        : Numbers.plain(orca.get().median() / stock.get().median())));
          });
    }
    page.append(table.render());
    page.append(
        "\nReads stay at the server that is asked, so more servers carry more of them. The");
    page.append(" leader has a part in each write, at any number of servers.\n");
    return page.toString();
  }

  /** Returns all figures as CSV. */
  public String csv(Map<Integer, ExperimentResult> results) {
    StringBuilder csv =
        new StringBuilder("servers,workload,system,busiest_micros,min,max,all_servers_micros\n");
    results.forEach(
        (servers, result) -> {
          for (CellSummary each : result.summaries()) {
            csv.append(servers).append(',').append(each.cell().workload().name()).append(',');
            csv.append(each.cell().system());
            csv.append(each.busiestCpuMicros().map(OrcaScaling::figures).orElse(",,,"));
            csv.append(',');
            csv.append(each.serverCpuMicros().map(s -> Numbers.plain(s.median())).orElse(""));
            csv.append('\n');
          }
        });
    return csv.toString();
  }

  private static String figures(Spread spread) {
    return ","
        + Numbers.plain(spread.median())
        + ","
        + Numbers.plain(spread.min())
        + ","
        + Numbers.plain(spread.max());
  }

  /** Thousands of requests a second that the busiest server could do with one processor. */
  private static Optional<Spread> rate(
      ExperimentResult result, String system, Workload workload, int servers) {
    return result
        .summary(system, workload, CLIENTS_PER_SERVER * servers, 0)
        .flatMap(CellSummary::busiestCpuMicros)
        .map(
            micros ->
                new Spread(MICROS / micros.median(), MICROS / micros.max(), MICROS / micros.min()));
  }
}
