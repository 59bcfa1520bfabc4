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
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.LineChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Point;
import org.orcagrid.bench.chart.Series;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.nukv.NukvCase;
import org.orcagrid.bench.nukv.NukvPlan;
import org.orcagrid.bench.nukv.NukvResult;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;

/**
 * A figure of NuKV's paper. Each is drawn with forwarding as it is, and with forwarding slowed
 * down.
 */
public enum NukvFigure implements Reproduction {
  FIG2("nukv-fig2", "Figure 2: load, sticky clients", Over.CLIENTS, 100),
  FIG3("nukv-fig3", "Figure 3: load, 10 % remote", Over.CLIENTS, 90),
  FIG4("nukv-fig4", "Figure 4: locality, latency", Over.LOCALITY, 0),
  FIG5("nukv-fig5", "Figure 5: locality, throughput", Over.LOCALITY, 0),
  FIG6("nukv-fig6", "Figure 6: share of writes, sticky clients", Over.WRITES, 100),
  FIG7("nukv-fig7", "Figure 7: share of writes, 10 % remote", Over.WRITES, 90);

  /** Puts M/E as far over E at 40 clients and 10 % remote as in the paper: some 10.7 ms. */
  private static final int LAG_MILLIS = 135;

  private static final int CLIENTS = 40;
  private static final int WRITE_PERCENT = 50;

  private final String id;
  private final String what;
  private final Over over;
  private final int localPercent;

  /** What a figure goes over. */
  private enum Over {
    CLIENTS("client threads at each datacenter"),
    LOCALITY("operations in the own datacenter (%)"),
    WRITES("writes (%)");

    private final String label;

    Over(String label) {
      this.label = label;
    }

    private int of(NukvPlan.Point point) {
      return switch (this) {
        case CLIENTS -> point.clients();
        case LOCALITY -> point.localPercent();
        case WRITES -> point.writePercent();
      };
    }
  }

  NukvFigure(String id, String what, Over over, int localPercent) {
    this.id = id;
    this.what = what;
    this.over = over;
    this.localPercent = localPercent;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String title() {
    return "NuKV, " + what;
  }

  private NukvPlan.Point point(int at) {
    return switch (over) {
      case CLIENTS -> new NukvPlan.Point(at, localPercent, WRITE_PERCENT);
      case LOCALITY -> new NukvPlan.Point(CLIENTS, at, WRITE_PERCENT);
      case WRITES -> new NukvPlan.Point(CLIENTS, localPercent, at);
    };
  }

  /**
   * Returns what is measured.
   *
   * @param quick whether to take the first and the last point, as it is, in one short round
   */
  public NukvPlan plan(boolean quick) {
    List<Integer> all =
        over == Over.CLIENTS ? List.of(10, 20, 30, 40, 50) : List.of(0, 25, 50, 75, 100);
    List<Integer> some = quick ? List.of(all.get(0), all.get(all.size() - 1)) : all;
    List<NukvPlan.Point> points = some.stream().map(this::point).toList();
    return quick
        ? new NukvPlan(points, List.of(0), 1, 0.5, 1)
        : new NukvPlan(points, List.of(0, LAG_MILLIS), 3, 0.3, 1);
  }

  /** Returns the page. */
  public String page(NukvResult result, Machine machine) {
    NukvPlan plan = result.plan();
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append(
        String.format(
            Locale.ROOT,
            """
            One partition, two datacenters of three nodes, %d ms apart there and back; nodes and
            clients in one JVM over loopback, journals forced. Keys of 16 bytes, values of 64. Each
            client thread does one operation after the other, in a session of its own. %d %s of
            %s s for each point of each case, by turns. Operations without a result: %d.

            Figures are medians over the rounds, with their range. Cases are those of the paper's
            Table 1; without HLC a write waits at its leader for all that its session has seen.

            """,
            NukvPlan.WAN_MILLIS,
            plan.rounds(),
            plan.rounds() == 1 ? "round" : "rounds",
            Numbers.setting(plan.seconds()),
            result.failed()));
    for (int lag : plan.lagsMillis()) {
      page.append(
          lag == 0
              ? "## As it is\n\n"
              : "## With forwarding slowed down by "
                  + lag
                  + " ms\n\nThe paper's gaps need that.\n\n");
      page.append("Latency in ms, means:\n\n");
      page.append(table(result, lag, NukvResult.Rate::meanMillis));
      page.append("\nLatency in ms, 99 in a hundred:\n\n");
      page.append(table(result, lag, NukvResult.Rate::p99Millis));
      page.append("\nOperations per second of one datacenter's clients:\n\n");
      page.append(table(result, lag, NukvResult.Rate::perSecond)).append('\n');
    }
    if (this == FIG3) {
      page.append(PAPER_FIG3);
    }
    return page.toString();
  }

  private static final String PAPER_FIG3 =
      """
      ## The paper's Figure 3a

      Latency in ms at 10, 20, 30, 40 and 50 clients, on machines of 4 processors each:

      | case    |   10 |   20 |    30 |    40 |    50 |
      |:--------|-----:|-----:|------:|------:|------:|
      | E       | 3.05 | 4.31 |  5.16 |  6.35 |   7.6 |
      | M/E     | 4.28 | 7.68 |  11.6 | 17.09 | 20.11 |
      | E/M     | 4.18 | 8.21 | 11.84 | 17.33 | 19.67 |
      | M/M     | 4.54 | 9.25 | 13.13 | 16.68 | 21.32 |
      | M/E HLC | 3.09 | 4.09 |  5.34 |   6.4 |  7.74 |
      | E/M HLC | 5.08 | 8.06 | 12.97 | 14.13 | 19.83 |
      | M/M HLC | 4.78 | 7.96 | 13.69 | 14.96 |    19 |
      """;

  private String table(NukvResult result, int lag, ToDoubleFunction<NukvResult.Rate> what) {
    List<String> headings = new ArrayList<>(List.of(over.label));
    for (NukvCase line : NukvCase.values()) {
      headings.add(line.title());
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (NukvPlan.Point point : result.plan().points()) {
      List<String> cells = new ArrayList<>(List.of(Integer.toString(over.of(point))));
      for (NukvCase line : NukvCase.values()) {
        cells.add(Numbers.spread(result.spread(new NukvResult.Place(lag, line, point), what), 1));
      }
      table.add(cells);
    }
    return table.render();
  }

  /** Returns the rounds, one a line. */
  public String csv(NukvResult result) {
    StringBuilder csv =
        new StringBuilder(
            "lag_ms,case,clients,local_percent,write_percent,round,mean_ms,p99_ms,per_second,"
                + "failed\n");
    result
        .rates()
        .forEach(
            (place, rates) -> {
              for (int round = 0; round < rates.size(); round++) {
                NukvResult.Rate rate = rates.get(round);
                csv.append(
                    String.format(
                        Locale.ROOT,
                        "%d,%s,%d,%d,%d,%d,%.3f,%.3f,%.0f,%d\n",
                        place.lagMillis(),
                        place.line().title(),
                        place.point().clients(),
                        place.point().localPercent(),
                        place.point().writePercent(),
                        round + 1,
                        rate.meanMillis(),
                        rate.p99Millis(),
                        rate.perSecond(),
                        rate.failed()));
              }
            });
    return csv.toString();
  }

  /** Returns the chart: latency and throughput, as it is and slowed down. */
  public String chart(NukvResult result, Machine machine) {
    List<Panel> panels = new ArrayList<>();
    for (int lag : result.plan().lagsMillis()) {
      String how = lag == 0 ? ", as it is" : ", forwarding " + lag + " ms late";
      panels.add(panel(result, lag, "Latency" + how, "ms", NukvResult.Rate::meanMillis));
      panels.add(
          panel(
              result,
              lag,
              "Throughput" + how,
              "operations per second",
              NukvResult.Rate::perSecond));
    }
    return new SvgDocument(title(), panels, List.of(Conditions.machine(machine))).render();
  }

  private Panel panel(
      NukvResult result,
      int lag,
      String title,
      String unit,
      ToDoubleFunction<NukvResult.Rate> what) {
    List<Series> lines = new ArrayList<>();
    double highest = 0;
    double furthest = 0;
    for (NukvCase line : NukvCase.values()) {
      List<Point> points = new ArrayList<>();
      for (NukvPlan.Point point : result.plan().points()) {
        double value =
            result
                .spread(new NukvResult.Place(lag, line, point), what)
                .map(each -> each.median())
                .orElse(0.0);
        points.add(new Point(over.of(point), value));
        highest = Math.max(highest, value);
        furthest = Math.max(furthest, over.of(point));
      }
      lines.add(new Series(line.title(), Style.at(lines.size()), points, true));
    }
    return new LineChart(
        title, Axis.fromZero(over.label, furthest), Axis.fromZero(unit, highest), lines);
  }
}
