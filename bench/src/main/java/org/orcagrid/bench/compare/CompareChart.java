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
import java.util.Optional;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.compare.process.Manner;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/** The comparison as a chart: a panel for each manner, without the floors. */
public final class CompareChart {
  private static final double THOUSAND = 1e3;

  private CompareChart() {}

  /** Returns it. */
  public static String of(CompareResult result, Machine machine) {
    return new SvgDocument(
            result.plan().isDurable()
                ? "Orca Grid beside other grids, with persistence"
                : "Orca Grid beside other data grids",
            result.plan().manners().stream().map(manner -> panel(result, manner)).toList(),
            List.of(ComparePages.load(result.plan()), Conditions.machine(machine)))
        .render();
  }

  private static Panel panel(CompareResult result, Manner manner) {
    ComparePlan plan = result.plan();
    List<BarChart.Bars> bars = new ArrayList<>();
    double highest = 0;
    for (Rival rival : plan.rivals()) {
      if (rival.isFloor()) {
        continue;
      }
      List<Optional<Spread>> values = new ArrayList<>();
      for (double writePercent : plan.writePercents()) {
        Optional<Spread> value =
            result.spread(
                rival, new Load(manner, writePercent), rate -> rate.perSecond() / THOUSAND);
        values.add(value);
        highest = Math.max(highest, value.map(Spread::max).orElse(0.0));
      }
      bars.add(new BarChart.Bars(rival.title(), Style.at(bars.size()), values));
    }
    List<String> shares =
        plan.writePercents().stream().map(w -> Numbers.setting(w) + " %").toList();
    return new BarChart(
        manner == Manner.PIPELINED ? "Pipelined" : "One at a time",
        shares,
        "writes",
        Axis.fromZero("thousand operations per second", highest),
        bars);
  }
}
