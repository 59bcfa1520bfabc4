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
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.orcagrid.bench.myria.real.Operation;
import org.orcagrid.bench.myria.real.RealLoad;
import org.orcagrid.bench.myria.real.RealResult;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;

/**
 * One of MyriaStore's figures on real databases: mixed transactions beside JDBC.
 *
 * @param figure which
 */
public record MyriaReal(MyriaFigure figure) {
  private static final int THREADS = 16;
  private static final int FEW = 8;
  private static final int WRITES = 5;

  /** Where it is kept. */
  public String id() {
    return figure.id() + "-real";
  }

  /** Whether calls of stores are measured, too. */
  public boolean hasCalls() {
    return figure == MyriaFigure.FIG7;
  }

  /**
   * What is measured.
   *
   * @param quick whether to take few points
   */
  public List<RealLoad> loads(boolean quick) {
    return switch (figure) {
      case FIG7 ->
          List.of(
              new RealLoad(
                  "one object, read and incremented, one thread", 100, 100, RealLoad.Away.NOT, 1),
              new RealLoad("the same, 8 threads", 100, 100, RealLoad.Away.NOT, FEW),
              load("75 % causal, 5 % writes, 85 and 5 ms away, 16 threads", 25),
              RealLoad.posts(
                  "a post to both, 85 and 5 ms away, 16 threads", RealLoad.Away.PAPER, THREADS));
      case FIG8 -> {
        List<RealLoad> all = new ArrayList<>();
        for (int strong = 0; strong <= 100; strong += quick ? 50 : 20) {
          all.add(load(strong + " % strong", strong));
        }
        yield all;
      }
      case FIG9 -> List.of(load("25 % strong", 25));
    };
  }

  private static RealLoad load(String title, int strongPercent) {
    return new RealLoad(title, strongPercent, WRITES, RealLoad.Away.PAPER, THREADS);
  }

  private static double median(List<Double> all) {
    List<Double> sorted = all.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static String number(double value, String form) {
    return String.format(Locale.ROOT, form, value);
  }

  /** Returns the page. */
  public String page(RealResult result, Machine machine) {
    StringBuilder page =
        new StringBuilder("# " + figure.title() + ", on PostgreSQL\n\n")
            .append(String.join("; ", result.settings()))
            .append(". Clients are in one process")
            .append(figure == MyriaFigure.FIG7 ? "" : ", 16 threads, 85 and 5 ms away, 5 % writes")
            .append(". Rates are medians of rounds by turns: ")
            .append(result.rounds())
            .append(". With JDBC all is `SERIALIZABLE` at the far database;")
            .append(" a post is `PREPARE TRANSACTION` at both. ")
            .append(Conditions.machine(machine))
            .append("\n\n");
    page.append(figure == MyriaFigure.FIG9 ? latencies(result) : rates(result));
    if (figure == MyriaFigure.FIG9) {
      page.append("\nClients without tracking are not measured here; JDBC is beside instead.\n");
    }
    if (!result.calls().isEmpty()) {
      MarkdownTable calls = new MarkdownTable(List.of("call, by 8 threads", "a second"));
      result.calls().forEach((what, rate) -> calls.add(List.of(what, number(rate, "%.0f"))));
      page.append('\n').append(calls.render());
    }
    return page.toString();
  }

  private static String rates(RealResult result) {
    MarkdownTable table =
        new MarkdownTable(
            List.of("what", "mixed, a second", "JDBC, a second", "times as many", "in rounds"));
    result
        .rows()
        .forEach(
            (load, row) ->
                table.add(
                    List.of(
                        load.title(),
                        number(median(row.mixed()), "%.0f"),
                        number(median(row.jdbc()), "%.0f"),
                        number(median(row.mixed()) / median(row.jdbc()), "%.2f"),
                        ratios(row))));
    return table.render();
  }

  private static String ratios(RealResult.Row row) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < row.mixed().size(); i++) {
      all.add(row.mixed().get(i) / row.jdbc().get(i));
    }
    return all.stream().map(each -> number(each, "%.2f")).collect(Collectors.joining(" "));
  }

  private static String latencies(RealResult result) {
    MarkdownTable table =
        new MarkdownTable(
            List.of("operations", "mixed p50 (ms)", "JDBC p50", "mixed p99", "JDBC p99"));
    result
        .rows()
        .forEach(
            (load, row) -> {
              for (Map.Entry<Operation, Histogram> each : row.mixedLatencies().entrySet()) {
                Histogram theirs = row.jdbcLatencies().get(each.getKey());
                table.add(
                    List.of(
                        each.getKey().title(),
                        millis(each.getValue(), 50),
                        millis(theirs, 50),
                        millis(each.getValue(), 99),
                        millis(theirs, 99)));
              }
            });
    return table.render();
  }

  private static String millis(Histogram histogram, double percentile) {
    return histogram == null
        ? ""
        : number(histogram.getValueAtPercentile(percentile) / 1e3, "%.1f");
  }

  /** Returns the rates of rounds, one a line. */
  public String csv(RealResult result) {
    StringBuilder csv = new StringBuilder("load,round,mixed,jdbc\n");
    result
        .rows()
        .forEach(
            (load, row) -> {
              for (int i = 0; i < row.mixed().size(); i++) {
                csv.append(
                    String.format(
                        Locale.ROOT,
                        "\"%s\",%d,%.1f,%.1f%n",
                        load.title(),
                        i + 1,
                        row.mixed().get(i),
                        row.jdbc().get(i)));
              }
            });
    return csv.toString();
  }
}
