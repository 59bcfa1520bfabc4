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
import java.util.function.Function;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.LineChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Point;
import org.orcagrid.bench.chart.Series;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.kite.Contender;
import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.bench.kite.KiteResult;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/** What the pages and charts of Kite's figures have in common. */
final class KitePages {
  private static final double MILLION = 1e6;

  /**
   * A ratio that Orca Grid aims for.
   *
   * @param one above the line
   * @param other below the line
   * @param writePercent the share of writes
   * @param goal the least that is asked for
   * @param paper what the paper has
   */
  record Asked(Contender one, Contender other, double writePercent, double goal, String paper) {
    private List<String> cells(KiteResult result) {
      Optional<Spread> perSecond =
          result.ratio(one, other, writePercent, KiteResult.Rate::perSecond);
      Optional<Spread> perCpuSecond =
          result.ratio(one, other, writePercent, KiteResult.Rate::perCpuSecond);
      Optional<Spread> perBusiestSecond =
          result.ratio(one, other, writePercent, KiteResult.Rate::perBusiestSecond);
      return List.of(
          String.format(
              Locale.ROOT,
              "%s to %s, %s %% writes",
              one.title(),
              other.title(),
              Numbers.setting(writePercent)),
          paper,
          Numbers.plain(goal),
          Numbers.spread(perSecond, 1),
          Numbers.spread(perCpuSecond, 1),
          Numbers.spread(perBusiestSecond, 1),
          // On a busy machine one of them alone may be chance.
          perSecond.isEmpty() || perCpuSecond.isEmpty()
              ? Numbers.NOT_AVAILABLE
              : Math.min(perSecond.get().median(), perCpuSecond.get().median()) >= goal
                  ? "yes"
                  : "no");
    }
  }

  private KitePages() {}

  /** Returns what was run, in words. */
  static String load(KitePlan plan) {
    KitePlan.Grid grid = plan.grid();
    return String.format(
        Locale.ROOT,
        "grids of %d nodes in one JVM over %s, one worker thread a node; %d"
            + " closed-loop sessions a node, each with one operation under way, which run in the"
            + " worker's thread and make up to %d accesses in one go as long as they are reads of"
            + " their node's copy; %d keys of 8 bytes, chosen uniformly, values of %d bytes; %d %s"
            + " of %s s for each point of each system, by turns.",
        grid.nodes(),
        grid.network(),
        grid.sessions(),
        grid.burst(),
        grid.keys(),
        grid.valueBytes(),
        plan.rounds(),
        plan.rounds() == 1 ? "round" : "rounds",
        Numbers.setting(plan.seconds()));
  }

  /** Returns the opening of a page. */
  static String opening(Reproduction figure, KiteResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# " + figure.title() + "\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append("Load: ").append(load(result.plan())).append("\n\n");
    page.append(
        """
        Figures are medians over the rounds, with their range. The second table counts accesses by
        the processor time of the workers, which what else runs on the machine disturbs little; the
        third by that of the node that had most of it: that one would be the limit if each node had
        a machine of its own. Reached is what the first two ratios say. The load average of the
        """);
    page.append("machine was ").append(Numbers.plain(result.trouble().loadAverage()));
    page.append(" before it began. While it was measured there were ");
    page.append(result.trouble().slowReleases()).append(" slow releases, and ");
    page.append(result.trouble().dropped()).append(" messages that found their link full and");
    page.append(" were sent later.\n\n");
    return page.toString();
  }

  /** Returns both tables. */
  static String tables(KiteResult result) {
    return "Million accesses per second, of all nodes:\n\n"
        + table(result, (c, w) -> result.throughput(c, w))
        + "\nMillion accesses per second of processor time:\n\n"
        + table(result, (c, w) -> result.efficiency(c, w))
        + "\nMillion accesses per second of the busiest node's processor time:\n\n"
        + table(result, (c, w) -> result.ofBusiest(c, w));
  }

  private interface Measure {
    Optional<Spread> of(Contender contender, double writePercent);
  }

  private static String table(KiteResult result, Measure measure) {
    List<String> headings = new ArrayList<>(List.of("writes"));
    result.plan().contenders().forEach(contender -> headings.add(contender.title()));
    MarkdownTable table = new MarkdownTable(headings);
    for (double writePercent : result.plan().writePercents()) {
      List<String> cells = new ArrayList<>(List.of(Numbers.setting(writePercent) + " %"));
      for (Contender contender : result.plan().contenders()) {
        cells.add(Numbers.spread(measure.of(contender, writePercent), MILLION));
      }
      table.add(cells);
    }
    return table.render();
  }

  /** Returns the ratios that are asked for, those of them that were measured. */
  static String asked(KiteResult result, List<Asked> ratios) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "ratio",
                "the paper's",
                "asked",
                "here",
                "by processor time",
                "by the busiest node's",
                "reached"));
    ratios.stream()
        .filter(ratio -> result.plan().writePercents().contains(ratio.writePercent()))
        .forEach(ratio -> table.add(ratio.cells(result)));
    return table.render();
  }

  /** Returns the turns, one a line. */
  static String csv(KiteResult result) {
    StringBuilder csv =
        new StringBuilder(
            "system,write_percent,round,per_second,per_cpu_second,per_busiest_second\n");
    result
        .rates()
        .forEach(
            (place, rates) -> {
              for (int round = 0; round < rates.size(); round++) {
                csv.append(
                    String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.0f,%.0f,%.0f\n",
                        place.contender(),
                        Numbers.setting(place.writePercent()),
                        round + 1,
                        rates.get(round).perSecond(),
                        rates.get(round).perCpuSecond(),
                        rates.get(round).perBusiestSecond()));
              }
            });
    return csv.toString();
  }

  /** Returns throughput over the share of writes. */
  static List<Panel> panels(KiteResult result) {
    return List.of(
        panel(
            result,
            "Throughput",
            "million accesses per second",
            contender -> writePercent -> result.throughput(contender, writePercent)),
        panel(
            result,
            "The same by the workers' processor time",
            "million accesses per second of processor time",
            contender -> writePercent -> result.efficiency(contender, writePercent)));
  }

  private static Panel panel(
      KiteResult result,
      String title,
      String unit,
      Function<Contender, Function<Double, Optional<Spread>>> measure) {
    List<Series> lines = new ArrayList<>();
    double highest = 0;
    for (Contender contender : result.plan().contenders()) {
      List<Point> points = new ArrayList<>();
      for (double writePercent : result.plan().writePercents()) {
        Optional<Spread> value = measure.apply(contender).apply(writePercent);
        if (value.isPresent()) {
          points.add(new Point(writePercent, value.get().median() / MILLION));
          highest = Math.max(highest, value.get().median() / MILLION);
        }
      }
      lines.add(
          new Series(
              contender.title(),
              Style.at(result.plan().contenders().indexOf(contender)),
              points,
              true));
    }
    return new LineChart(
        title, Axis.fromZero("writes (%)", 100), Axis.fromZero(unit, highest), lines);
  }
}
