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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.orcagrid.bench.Cell;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.stats.LatencySpread;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;

/** Tables for people: throughput, latencies and the share of reads that triggered durability. */
public final class MarkdownReport {
  private static final double PER_THOUSAND = 1_000;
  private static final String BASELINE = "sync";

  private final ExperimentResult result;

  private MarkdownReport(ExperimentResult result) {
    this.result = result;
  }

  /** Returns a page about any experiment. */
  public static String render(String title, ExperimentResult result, Machine machine) {
    MarkdownReport report = new MarkdownReport(result);
    StringBuilder page = new StringBuilder("# " + title + "\n\n");
    page.append(Conditions.page(result.plan(), machine));
    for (double delay : result.plan().fsyncDelaysMs()) {
      for (int clients : result.plan().clientCounts()) {
        page.append(report.section(clients, delay));
      }
    }
    return page.toString();
  }

  private String section(int clients, double delayMs) {
    return String.format(
            Locale.ROOT,
            "## %d clients, added fsync delay %s ms\n\n%s\n\n",
            clients,
            Numbers.setting(delayMs),
            Conditions.delay(delayMs))
        + "Throughput in K requests/s; in brackets the factor over sync.\n\n"
        + throughput(clients, delayMs)
        + paired(clients, delayMs)
        + "\nProcessor time of all servers per request, in microseconds.\n\n"
        + processorTime(clients, delayMs)
        + "\nLatencies in microseconds.\n\n"
        + latencies(clients, delayMs)
        + "\n";
  }

  /** Returns throughput by workload and system, and what triggered durability under CAD. */
  private String throughput(int clients, double delayMs) {
    List<String> headings = new ArrayList<>(List.of("workload"));
    result.plan().systems().forEach(spec -> headings.add(spec.id()));
    headings.add("% of reads triggering durability in cad");
    headings.add("the paper's");
    MarkdownTable table = new MarkdownTable(headings);
    for (Workload workload : result.plan().workloads()) {
      List<String> row = new ArrayList<>(List.of(workload + " (" + workload.label() + ")"));
      for (SystemSpec spec : result.plan().systems()) {
        row.add(throughputCell(spec, workload, clients, delayMs));
      }
      row.add(
          Numbers.spread(
              result
                  .summary("cad", workload, clients, delayMs)
                  .flatMap(CellSummary::triggeringPercent),
              1));
      row.add(
          PaperTable2.row(workload)
              .map(paper -> Numbers.plain(paper.triggeringPercent()))
              .orElse(""));
      table.add(row);
    }
    return table.render();
  }

  private String throughputCell(SystemSpec spec, Workload workload, int clients, double delayMs) {
    Optional<Spread> own =
        result.summary(spec.id(), workload, clients, delayMs).map(CellSummary::throughput);
    Optional<Spread> baseline =
        result.summary(BASELINE, workload, clients, delayMs).map(CellSummary::throughput);
    String cell = Numbers.spread(own, PER_THOUSAND);
    if (own.isEmpty() || baseline.isEmpty() || spec.id().equals(BASELINE)) {
      return cell;
    }
    double factor = own.get().median() / baseline.get().median();
    return cell + String.format(Locale.ROOT, " [%.1fx]", factor);
  }

  /** Returns the rates as shares of the last system's, which the command names last for that. */
  private String paired(int clients, double delayMs) {
    List<SystemSpec> systems = result.plan().systems();
    if (systems.size() < 2) {
      return "";
    }
    SystemSpec beside = systems.get(systems.size() - 1);
    Workload any = result.plan().workloads().get(0);
    if (result.summary(beside.id(), any, clients, delayMs).isEmpty()) {
      return "";
    }
    List<String> headings = new ArrayList<>(List.of("workload"));
    List<SystemSpec> others = systems.subList(0, systems.size() - 1);
    others.forEach(spec -> headings.add(spec.id()));
    MarkdownTable table = new MarkdownTable(headings);
    for (Workload workload : result.plan().workloads()) {
      List<String> row = new ArrayList<>(List.of(workload + " (" + workload.label() + ")"));
      Cell reference = new Cell(beside.id(), workload, clients, delayMs);
      for (SystemSpec spec : others) {
        Cell own = new Cell(spec.id(), workload, clients, delayMs);
        row.add(Numbers.spread(result.pairedShare(own, reference), 1));
      }
      table.add(row);
    }
    return "\nShares of the throughput of "
        + beside.id()
        + ", round by round: the median, and the range.\n\n"
        + table.render();
  }

  private String processorTime(int clients, double delayMs) {
    List<String> headings = new ArrayList<>(List.of("workload"));
    result.plan().systems().forEach(spec -> headings.add(spec.id()));
    MarkdownTable table = new MarkdownTable(headings);
    for (Workload workload : result.plan().workloads()) {
      List<String> row = new ArrayList<>(List.of(workload + " (" + workload.label() + ")"));
      for (SystemSpec spec : result.plan().systems()) {
        row.add(
            Numbers.spread(
                result
                    .summary(spec.id(), workload, clients, delayMs)
                    .flatMap(CellSummary::serverCpuMicros),
                1));
      }
      table.add(row);
    }
    return table.render();
  }

  private String latencies(int clients, double delayMs) {
    return latencies(result, clients, delayMs);
  }

  /** Returns a table of the latencies of every workload, operation kind and system. */
  public static String latencies(ExperimentResult result, int clients, double delayMs) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "workload",
                "operation",
                "system",
                "operations",
                "mean",
                "p50",
                "p95",
                "p99",
                "p99.9",
                "max",
                "errors"));
    for (Workload workload : result.plan().workloads()) {
      for (SystemSpec spec : result.plan().systems()) {
        result
            .summary(spec.id(), workload, clients, delayMs)
            .ifPresent(summary -> addLatencies(table, summary));
      }
    }
    return table.render();
  }

  private static void addLatencies(MarkdownTable table, CellSummary summary) {
    for (Map.Entry<OperationKind, LatencySpread> entry : summary.latencies().entrySet()) {
      LatencySpread latency = entry.getValue();
      table.add(
          List.of(
              summary.cell().workload().name(),
              entry.getKey().label(),
              summary.cell().system(),
              Long.toString(latency.count()),
              Numbers.plain(latency.mean().median()),
              Numbers.plain(latency.p50().median()),
              Numbers.plain(latency.p95().median()),
              Numbers.plain(latency.p99().median()),
              Numbers.plain(latency.p999().median()),
              Numbers.plain(latency.max().median()),
              Long.toString(summary.errors())));
    }
  }
}
