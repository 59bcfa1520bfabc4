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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.faults.SequenceOutcome;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.Systems;

/** Table 3: sequences of faults in which clients see states go back (section 5.3). */
public record OrcaTable3() implements Reproduction {

  /**
   * One row.
   *
   * @param variant (a) persists asynchronously, (b) replicates asynchronously as well
   * @param system what runs
   * @param paperPercent the paper's share of sequences that were not monotonic
   */
  public record Row(String variant, SystemSpec system, int paperPercent) {}

  @Override
  public String id() {
    return "orca-table3";
  }

  @Override
  public String title() {
    return "ORCA, Table 3: sequences of faults in which a client sees an older state";
  }

  /** Returns the rows, in the paper's order. */
  public List<Row> rows() {
    SystemSpec strong = Systems.named("strong-zk");
    SystemSpec all = Systems.named("sync-zk-all");
    return List.of(
        new Row("a", Systems.named("weak-zk:orca.replication=sync"), 83),
        new Row("a", strong, 0),
        new Row("a", all, 37),
        new Row("a", Systems.named("orca:orca.replication=sync"), 0),
        new Row("b", Systems.named("weak-zk"), 96),
        new Row("b", strong, 0),
        new Row("b", all, 37),
        new Row("b", Systems.named("orca"), 0));
  }

  /** Returns the page. */
  public String page(Map<String, List<SequenceOutcome>> outcomes, int servers, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append(
        String.format(
            Locale.ROOT,
            "%d servers as processes on this one machine. In each stage of a sequence servers are"
                + " killed, which loses what they had not forced, or started again; items are"
                + " written and read; the link of one follower is held, items are written and read"
                + " at the others, then at that one. Every operation of every client is judged, per"
                + " key and across keys: no read may show an older state than one that had ended"
                + " before it began.%n%n",
            servers));
    page.append("(a): weak-ZK and ORCA replicate synchronously and persist asynchronously.");
    page.append(" (b): they replicate asynchronously as well. strong-ZK and sync-ZK-all are the");
    page.append(" same in both and were run once.\n\n");
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "system",
                "variant",
                "sequences",
                "correct, %",
                "non-monotonic, %",
                "the paper's",
                "reads",
                "stale but allowed",
                "not answered by the lagging server"));
    for (Row row : rows()) {
      table.add(cells(row, outcomes.getOrDefault(row.system().id(), List.of())));
    }
    page.append(table.render());
    page.append(
        "\nA read that is stale but allowed shows an older value than the last one that was");
    page.append(" acknowledged, which nobody had been shown yet. A server that lags and holds no");
    page.append(" lease closes the connection; the client may ask another one.\n");
    return page.toString();
  }

  private static List<String> cells(Row row, List<SequenceOutcome> outcomes) {
    long bad = outcomes.stream().filter(SequenceOutcome::nonMonotonic).count();
    List<String> cells = new ArrayList<>();
    cells.add(row.system().title());
    cells.add(row.variant());
    cells.add(Integer.toString(outcomes.size()));
    cells.add(outcomes.isEmpty() ? "n/a" : percent(outcomes.size() - bad, outcomes.size()));
    cells.add(outcomes.isEmpty() ? "n/a" : percent(bad, outcomes.size()));
    cells.add(Integer.toString(row.paperPercent()));
    cells.add(Long.toString(outcomes.stream().mapToLong(SequenceOutcome::reads).sum()));
    cells.add(Long.toString(outcomes.stream().mapToLong(SequenceOutcome::stale).sum()));
    cells.add(Long.toString(outcomes.stream().mapToLong(SequenceOutcome::rejected).sum()));
    return cells;
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f", 100.0 * part / whole);
  }

  /** Returns every sequence of every system, one a line. */
  public String csv(Map<String, List<SequenceOutcome>> outcomes) {
    StringBuilder csv =
        new StringBuilder(
            "system,number,sequence,monotonic,reads,stale,rejected,millis,first violation\n");
    outcomes.forEach(
        (system, all) -> {
          for (int i = 0; i < all.size(); i++) {
            SequenceOutcome each = all.get(i);
            csv.append(system).append(',').append(each.number()).append(',');
            csv.append(each.sequence()).append(',').append(!each.nonMonotonic()).append(',');
            csv.append(each.reads()).append(',').append(each.stale()).append(',');
            csv.append(each.rejected()).append(',').append(each.millis()).append(',');
            csv.append(each.violations().stream().findFirst().orElse("")).append('\n');
          }
        });
    return csv.toString();
  }

  /**
   * Returns what {@link #csv} has written.
   *
   * @throws IllegalArgumentException if it has not
   */
  public static Map<String, List<SequenceOutcome>> fromCsv(String csv) {
    Map<String, List<SequenceOutcome>> outcomes = new LinkedHashMap<>();
    for (String line : csv.lines().skip(1).toList()) {
      String[] cells = line.split(",", 9);
      if (cells.length != 9) {
        throw new IllegalArgumentException("Not a line of results: " + line);
      }
      outcomes
          .computeIfAbsent(cells[0], any -> new ArrayList<>())
          .add(
              new SequenceOutcome(
                  Long.parseLong(cells[1]),
                  cells[2],
                  cells[8].isEmpty() ? List.of() : List.of(cells[8]),
                  Long.parseLong(cells[4]),
                  Long.parseLong(cells[5]),
                  Long.parseLong(cells[6]),
                  Long.parseLong(cells[7])));
    }
    return outcomes;
  }

  /** Returns the shares as bars, ours beside the paper's. */
  public String chart(Map<String, List<SequenceOutcome>> outcomes, Machine machine) {
    Map<String, List<Optional<Spread>>> values = new LinkedHashMap<>();
    values.put("here", new ArrayList<>());
    values.put("the paper", new ArrayList<>());
    List<String> categories = new ArrayList<>();
    for (Row row : rows()) {
      categories.add(row.variant() + " " + row.system().title().replaceAll(":.*", ""));
      List<SequenceOutcome> all = outcomes.getOrDefault(row.system().id(), List.of());
      long bad = all.stream().filter(SequenceOutcome::nonMonotonic).count();
      values
          .get("here")
          .add(
              all.isEmpty()
                  ? Optional.empty()
                  : Optional.of(Spread.of(List.of(100.0 * bad / all.size()))));
      values.get("the paper").add(Optional.of(Spread.of(List.of((double) row.paperPercent()))));
    }
    return new SvgDocument(
            title(),
            List.of(
                new BarChart(
                    "Sequences with non-monotonic reads",
                    categories,
                    "variant and system",
                    Axis.fromZero("%", 100),
                    List.of(
                        new BarChart.Bars("here", Style.BLUE, values.get("here")),
                        new BarChart.Bars("the paper", Style.GREY, values.get("the paper"))))),
            List.of(Conditions.machine(machine)))
        .render();
  }
}
