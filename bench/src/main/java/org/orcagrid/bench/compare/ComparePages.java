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
package org.orcagrid.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/** The comparison as a page, a table of turns and a chart. */
public final class ComparePages {
  private static final double THOUSAND = 1e3;

  private ComparePages() {}

  static String load(ComparePlan plan) {
    return String.format(
        Locale.ROOT,
        "%d processes a product on loopback TCP, each a JVM with 1 GB of heap that holds a node and"
            + " its clients; up to %d operations under way in each process, made by %d %s of it; %d"
            + " keys of 8 bytes, chosen uniformly, values of %d bytes, 3 copies of each; %d %s of"
            + " %s s for each contender and share of writes, by turns, while the others idle.",
        ComparePlan.NODES,
        plan.pressure().depth(),
        plan.pressure().threads(),
        plan.pressure().threads() == 1 ? "thread" : "threads",
        plan.data().keys(),
        plan.data().valueBytes(),
        plan.time().rounds(),
        plan.time().rounds() == 1 ? "round" : "rounds",
        Numbers.setting(plan.time().seconds()));
  }

  /** Returns the page. */
  public static String page(CompareResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# Orca Grid beside other data grids\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append("Load: ").append(load(result.plan())).append("\n\n");
    page.append("Products: ").append(String.join(", ", result.versions().values()));
    page.append(
        """
        .

        Figures are medians over the rounds, with their range. The second table counts operations by
        the processor time of all processes of the product, which what else runs on the machine
        disturbs little.

        Thousand operations per second, of all processes:

        """);
    page.append(table(result, Rate::perSecond));
    page.append("\nThousand operations per second of processor time:\n\n");
    page.append(table(result, Rate::perCpuSecond));
    page.append("\n## What reads and writes guarantee\n\n").append(guarantees(result.plan()));
    page.append("\nNothing is durable in any of them.\n");
    page.append(ratios(result));
    page.append(how(result));
    return page.toString();
  }

  static String table(CompareResult result, ToDoubleFunction<Rate> what) {
    List<String> headings = new ArrayList<>(List.of("contender"));
    result.plan().writePercents().forEach(w -> headings.add(Numbers.setting(w) + " % writes"));
    MarkdownTable table = new MarkdownTable(headings);
    for (Rival rival : result.plan().rivals()) {
      List<String> cells = new ArrayList<>(List.of(rival.title()));
      for (double writePercent : result.plan().writePercents()) {
        cells.add(Numbers.spread(result.spread(rival, writePercent, what), THOUSAND));
      }
      table.add(cells);
    }
    return table.render();
  }

  static String guarantees(ComparePlan plan) {
    StringBuilder list = new StringBuilder();
    for (Rival rival : plan.rivals()) {
      list.append("- **").append(rival.title()).append("**: ");
      list.append(rival.guarantee()).append('\n');
    }
    return list.toString();
  }

  private static String ratios(CompareResult result) {
    return ratios(
        result,
        "10 times Hazelcast and Infinispan and 3 times Redis, at equal or stronger guarantees."
            + " Ratios are those of the rounds, each of its own. The last column compares what"
            + " readers may rely on while nothing fails; when something does, Orca Grid keeps its"
            + " guarantee and the others do not.",
        List.of(
            "Orca Grid",
            "beside",
            "writes",
            "asked",
            "here",
            "by processor time",
            "reached",
            "guarantee"),
        ComparePages::ratio);
  }

  /** One of ours beside another product, at a share of writes, as a row. */
  @FunctionalInterface
  interface RatioRow {
    /** The cells. */
    List<String> of(CompareResult result, Rival ours, Rival other, double writePercent);
  }

  /** What is aimed for, and what of it is reached; nothing if no other product took part. */
  static String ratios(CompareResult result, String aim, List<String> headings, RatioRow row) {
    List<Rival> others = result.plan().rivals().stream().filter(each -> !each.isOurs()).toList();
    List<Rival> all = result.plan().ours().toList();
    if (others.isEmpty() || all.isEmpty()) {
      return "";
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (Rival ours : all) {
      for (Rival other : others) {
        for (double writePercent : result.plan().writePercents()) {
          table.add(row.of(result, ours, other, writePercent));
        }
      }
    }
    return "\n## What Orca Grid aims for\n\n" + aim + "\n\n" + table.render();
  }

  private static List<String> ratio(
      CompareResult result, Rival ours, Rival other, double writePercent) {
    Optional<Spread> here = result.ratio(ours, other, writePercent, Rate::perSecond);
    return List.of(
        ours.title().replace("Orca Grid, ", ""),
        other.title(),
        Numbers.setting(writePercent) + " %",
        Numbers.plain(other.goal()),
        Numbers.spread(here, 1),
        Numbers.spread(result.ratio(ours, other, writePercent, Rate::perCpuSecond), 1),
        here.map(spread -> spread.median() >= other.goal() ? "yes" : "no")
            .orElse(Numbers.NOT_AVAILABLE),
        ours.isAtLeastAsStrongAs(other) ? "as strong or stronger" : "weaker");
  }

  private static String how(CompareResult result) {
    ComparePlan plan = result.plan();
    StringBuilder how = new StringBuilder("\n## How each is loaded\n\n");
    how.append(
        "- Orca Grid: `GridMember`, default settings but for `grid.keys` (the number of keys), a"
            + " lease of 10 s and session queues of 32, views by an ensemble of one server in the"
            + " first process, ");
    how.append(plan.pressure().depth()).append(" sessions a node, each with one operation under");
    how.append(" way; they run in the worker's thread and make up to 16 relaxed accesses to the");
    how.append(" node's copy in one go. Slow releases while it was measured: ");
    how.append(result.disturbances()).append(".\n");
    Map<Product, String> others =
        Map.of(
            Product.MAPS,
            "- Orca Grid's maps and keys by the client: `GridMember` with one worker; `getAsync`"
                + " and `setAsync`, and their acquires and releases, of `GridMap`,"
                + " `ReleaseGridMap`, a session's `View` and `Grid.view` with `Long` keys.\n",
            Product.HAZELCAST,
            "- Hazelcast: embedded members, `getAsync` and `setAsync`, `backup-count` 2, in-memory"
                + " format `BINARY`, `Long` keys.\n",
            Product.INFINISPAN,
            "- Infinispan: embedded, its own `tcp` stack of JGroups with fixed members (`TCPPING`),"
                + " replicated caches, `getAsync` and `putAsync` with `IGNORE_RETURN_VALUES`.\n",
            Product.REDIS,
            "- Redis: a master and two replicas with defaults (`io-threads` too), `save \"\"`,"
                + " `appendonly no`. Each of three client processes has its own server for reads"
                + " and writes to the master, and sends half of its depth together (RESP over"
                + " `SocketChannel`). Processor time is that of servers and clients.\n");
    for (Product product : plan.products()) {
      how.append(others.getOrDefault(product, ""));
    }
    return how.toString();
  }

  /** Returns the turns, one a line. */
  public static String csv(CompareResult result) {
    StringBuilder csv =
        new StringBuilder("contender,write_percent,round,per_second,per_cpu_second\n");
    result
        .rates()
        .forEach(
            (place, rates) -> {
              for (int round = 0; round < rates.size(); round++) {
                csv.append(
                    String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.0f,%.0f\n",
                        place.rival().id(),
                        Numbers.setting(place.writePercent()),
                        round + 1,
                        rates.get(round).perSecond(),
                        rates.get(round).perCpuSecond()));
              }
            });
    return csv.toString();
  }

  /** Returns the chart. */
  public static String chart(CompareResult result, Machine machine) {
    return new SvgDocument(
            result.plan().isDurable()
                ? "Orca Grid's maps beside other grids, with persistence"
                : "Orca Grid beside other data grids",
            List.of(
                panel(result, "Throughput", "thousand operations per second", Rate::perSecond),
                panel(
                    result,
                    "The same by processor time",
                    "thousand operations per second of processor time",
                    Rate::perCpuSecond)),
            List.of(load(result.plan()), Conditions.machine(machine)))
        .render();
  }

  private static Panel panel(
      CompareResult result, String title, String unit, ToDoubleFunction<Rate> what) {
    ComparePlan plan = result.plan();
    List<BarChart.Bars> bars = new ArrayList<>();
    double highest = 0;
    for (Rival rival : plan.rivals()) {
      List<Optional<Spread>> values = new ArrayList<>();
      for (double writePercent : plan.writePercents()) {
        Optional<Spread> value =
            result.spread(rival, writePercent, rate -> what.applyAsDouble(rate) / THOUSAND);
        values.add(value);
        highest = Math.max(highest, value.map(Spread::max).orElse(0.0));
      }
      bars.add(new BarChart.Bars(rival.title(), Style.at(plan.rivals().indexOf(rival)), values));
    }
    List<String> shares =
        plan.writePercents().stream().map(w -> Numbers.setting(w) + " %").toList();
    return new BarChart(title, shares, "writes", Axis.fromZero(unit, highest), bars);
  }
}
