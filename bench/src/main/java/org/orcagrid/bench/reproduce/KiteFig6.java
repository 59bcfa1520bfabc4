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
import java.util.Optional;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.kite.Contender;
import org.orcagrid.bench.kite.KiteResult;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.stats.Spread;

/** Figure 6: throughput of Kite's kinds of writes and of ZAB's. */
public record KiteFig6() implements KiteFigure {
  private static final double ALL = 100;
  private static final double MILLION = 1e6;
  private static final Contender WRITES = Contender.kite("writes", "writes (ES)", 0, 0);
  private static final Contender RELEASES = Contender.kite("releases", "releases (ABD)", 100, 0);
  private static final Contender RMWS = Contender.kite("rmws", "RMWs (Paxos)", 100, 100);
  private static final List<KitePages.Asked> ASKED =
      List.of(new KitePages.Asked(RMWS, Contender.ZAB, ALL, 1.4, "1.4"));

  @Override
  public String id() {
    return "kite-fig6";
  }

  @Override
  public String title() {
    return "Kite, Figure 6: write-only throughput of Kite's kinds of writes and of ZAB";
  }

  @Override
  public List<Contender> contenders() {
    return List.of(Contender.ZAB, RMWS, RELEASES, WRITES);
  }

  @Override
  public List<Double> writePercents() {
    return List.of(ALL);
  }

  @Override
  public String page(KiteResult result, Machine machine) {
    return KitePages.opening(this, result, machine)
        + KitePages.tables(result)
        + "\n"
        + KitePages.asked(result, ASKED)
        + """

        The paper, 5 machines of 20 workers: ZAB 16, RMWs 23, releases 62, writes 96 million per
        second. It also shows Derecho, which is not measured here.
        """;
  }

  @Override
  public String chart(KiteResult result, Machine machine) {
    List<BarChart.Bars> bars = new ArrayList<>();
    double highest = 0;
    for (Contender contender : contenders()) {
      List<Optional<Spread>> values =
          List.of(
              millions(result.throughput(contender, ALL)),
              millions(result.efficiency(contender, ALL)));
      for (Optional<Spread> value : values) {
        highest = Math.max(highest, value.map(Spread::max).orElse(0.0));
      }
      bars.add(
          new BarChart.Bars(contender.title(), Style.at(contenders().indexOf(contender)), values));
    }
    BarChart chart =
        new BarChart(
            "Write-only throughput",
            List.of("per second", "per second of processor time"),
            "",
            Axis.fromZero("million writes", highest),
            bars);
    return new SvgDocument(
            "Write-only throughput",
            List.of(chart),
            List.of(KitePages.load(result.plan()), Conditions.machine(machine)))
        .render();
  }

  private static Optional<Spread> millions(Optional<Spread> value) {
    return value.map(
        spread ->
            new Spread(spread.median() / MILLION, spread.min() / MILLION, spread.max() / MILLION));
  }
}
