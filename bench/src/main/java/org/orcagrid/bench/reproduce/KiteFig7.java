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
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.bench.kite.Structure;
import org.orcagrid.bench.kite.StructurePlan;
import org.orcagrid.bench.kite.StructureResult;
import org.orcagrid.bench.kite.StructureResult.Line;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/** Figure 7: lock-free structures on Kite, beside what ZAB could do at best. */
public record KiteFig7() implements Reproduction {
  private static final double THOUSAND = 1e3;

  @Override
  public String id() {
    return "kite-fig7";
  }

  @Override
  public String title() {
    return "Kite, Figure 7: lock-free structures beside the most that ZAB could do";
  }

  /**
   * Returns what is measured.
   *
   * @param clients threads at each node
   * @param quick whether to take one short round
   */
  public StructurePlan plan(KitePlan.Grid grid, int clients, boolean quick) {
    return quick
        ? new StructurePlan(Structure.ALL, grid, clients, 1, 1, 0.2)
        : new StructurePlan(Structure.ALL, grid, clients, 5, 2, 0.5);
  }

  /** Returns the page. */
  public String page(StructureResult result, Machine machine) {
    return "# "
        + title()
        + "\n\nMachine: "
        + Conditions.machine(machine)
        + " Its load average was "
        + Numbers.plain(result.loadAverage())
        + " before it began.\n\nLoad: "
        + load(result.plan())
        + "\n\n"
        + String.format(
            Locale.ROOT,
            "**Wrong results: %d of %d** objects that were taken out. A structure was never to be"
                + " empty, and all fields of an object had to say that it was put in there, at the"
                + " same time, by the same client.\n\n",
            result.violations(),
            result.checks())
        + """
        **Kite**: structures that all clients share, 1.25 for each client as in the paper.
        **Kite-ideal**: each client has its own. **ZAB-ideal**: ZAB's throughput with the share of
        writes of an operation without conflicts, divided by the accesses of such an operation
        (section 7.3); a compare-and-set is a write. Its sessions are closed loops in the workers'
        own threads, as in Figures 4 to 6, while the client's structures wait for each access in a
        thread of their own. The last line is therefore ZAB with threads that wait as Kite's do.

        Thousand operations per second, medians over the rounds, with their range:

        """
        + table(result, StructureResult.Rate::perSecond)
        + "\nThousand operations per second of processor time (of the process where threads wait,"
        + " of the workers for ZAB-ideal):\n\n"
        + table(result, StructureResult.Rate::perCpuSecond)
        + "\nKite's ratio:\n\n"
        + ratios(result)
        + """

        The paper, 5 machines of 20 workers and 800 sessions each: 1.45 (HML-4) to 5.62 (TS-32)
        times ZAB-ideal.
        """;
  }

  private static String load(StructurePlan plan) {
    KitePlan.Grid grid = plan.grid();
    return String.format(
        Locale.ROOT,
        "%d nodes in one JVM over the loopback transport, one worker thread a node; %d client"
            + " threads a node, each with a session of the client's API; %d structures of each"
            + " kind that all share; objects of 4 or 32 fields, each a key with 32 bytes. ZAB:"
            + " %d keys, values of %d bytes, %d sessions a node in the workers. A release of Kite"
            + " waits 10 ms for a silent node, ZAB never does. %d %s of %s s for each line of each"
            + " workload, by turns.",
        grid.nodes(),
        plan.clients(),
        plan.shared(),
        grid.keys(),
        grid.valueBytes(),
        grid.sessions(),
        plan.rounds(),
        plan.rounds() == 1 ? "round" : "rounds",
        Numbers.setting(plan.seconds()));
  }

  private static String table(StructureResult result, ToDoubleFunction<StructureResult.Rate> what) {
    List<String> headings = new ArrayList<>(List.of("workload", "writes", "accesses"));
    for (Line line : Line.values()) {
      headings.add(line.title());
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (Structure structure : result.plan().structures()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  structure.title(),
                  Numbers.plain(structure.writePercent()) + " %",
                  Numbers.setting(structure.accesses())));
      for (Line line : Line.values()) {
        cells.add(Numbers.spread(result.spread(structure, line, what), THOUSAND));
      }
      table.add(cells);
    }
    return table.render();
  }

  private static String ratios(StructureResult result) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "workload",
                "to ZAB-ideal",
                "by processor time",
                "to ZAB-ideal, waiting threads",
                "by processor time",
                "Kite-ideal to that"));
    for (Structure structure : result.plan().structures()) {
      table.add(
          List.of(
              structure.title(),
              ratio(result, structure, Line.ZAB_IDEAL, StructureResult.Rate::perSecond),
              ratio(result, structure, Line.ZAB_IDEAL, StructureResult.Rate::perCpuSecond),
              ratio(result, structure, Line.ZAB_THREADS, StructureResult.Rate::perSecond),
              ratio(result, structure, Line.ZAB_THREADS, StructureResult.Rate::perCpuSecond),
              Numbers.spread(
                  result.ratio(
                      structure,
                      Line.KITE_IDEAL,
                      Line.ZAB_THREADS,
                      StructureResult.Rate::perSecond),
                  1)));
    }
    return table.render();
  }

  private static String ratio(
      StructureResult result,
      Structure structure,
      Line other,
      ToDoubleFunction<StructureResult.Rate> what) {
    return Numbers.spread(result.ratio(structure, Line.KITE, other, what), 1);
  }

  /** Returns the turns, one a line. */
  public String csv(StructureResult result) {
    StringBuilder csv =
        new StringBuilder("workload,system,round,operations_per_second,per_cpu_second\n");
    result
        .rates()
        .forEach(
            (place, rates) -> {
              for (int round = 0; round < rates.size(); round++) {
                csv.append(
                    String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.0f,%.0f\n",
                        place.structure().id(),
                        place.line().name().toLowerCase(Locale.ROOT),
                        round + 1,
                        rates.get(round).perSecond(),
                        rates.get(round).perCpuSecond()));
              }
            });
    return csv.toString();
  }

  /** Returns the chart: as in the paper, beside ZAB-ideal. */
  public String chart(StructureResult result, Machine machine) {
    return new SvgDocument(
            "Lock-free structures: operations per second, ZAB-ideal is 1",
            List.of(
                panel("ZAB in its workers", result, Line.ZAB_IDEAL),
                panel("ZAB with threads that wait as Kite's do", result, Line.ZAB_THREADS)),
            List.of(load(result.plan()), Conditions.machine(machine)))
        .render();
  }

  private static Panel panel(String title, StructureResult result, Line base) {
    List<Structure> structures = result.plan().structures();
    List<BarChart.Bars> bars = new ArrayList<>();
    double highest = 1;
    List<Line> lines = List.of(Line.KITE, Line.KITE_IDEAL);
    for (Line line : lines) {
      List<Optional<Spread>> values =
          structures.stream()
              .map(s -> result.ratio(s, line, base, StructureResult.Rate::perSecond))
              .toList();
      for (Optional<Spread> value : values) {
        highest = Math.max(highest, value.map(Spread::max).orElse(0.0));
      }
      bars.add(new BarChart.Bars(line.title(), Style.at(lines.indexOf(line)), values));
    }
    return new BarChart(
        title,
        structures.stream().map(Structure::title).toList(),
        "",
        Axis.fromZero("times ZAB-ideal", highest),
        bars);
  }
}
