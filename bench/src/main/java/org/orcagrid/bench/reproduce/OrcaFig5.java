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
import java.util.OptionalDouble;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Point;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.report.Charts;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.workload.Workload;

/** Figure 5: mean latency against throughput of writes, from 1 to 100 closed-loop clients. */
public record OrcaFig5() implements ExperimentReproduction {
  private static final List<Integer> CLIENTS = List.of(1, 2, 5, 10, 20, 50, 100);
  private static final List<Integer> QUICK_CLIENTS = List.of(1, 10, 40, 100);
  private static final double PER_THOUSAND = 1_000;

  @Override
  public String id() {
    return "orca-fig5";
  }

  @Override
  public String title() {
    return "ORCA, Figure 5: latency against throughput, write-only, sync, async and CAD";
  }

  @Override
  public ExperimentPlan plan(Effort effort) {
    return OrcaSetting.plan(
        effort,
        List.of(Workload.W),
        effort.quick() ? QUICK_CLIENTS : CLIENTS,
        new LoadPlan.Time(0.8, 1.2));
  }

  @Override
  public String page(ExperimentResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append(Conditions.page(result.plan(), machine));
    for (double delay : result.plan().fsyncDelaysMs()) {
      page.append("## Added fsync delay ").append(Numbers.setting(delay)).append(" ms\n\n");
      page.append(Conditions.delay(delay)).append("\n\n");
      page.append("Throughput in K requests/s and mean latency in ms.\n\n");
      page.append(OrcaSetting.curves(result, OrcaSetting.LAYERS, Workload.W, delay)).append('\n');
      page.append("The paper: at about 25 K operations/s, the most that sync reaches, CAD's");
      page.append(" latency is 7x lower, and CAD is very similar to async.\n\n");
      page.append(comparison(result, delay)).append("\n\n");
    }
    return page.append(OrcaSetting.DIFFERENCES).toString();
  }

  private static Curve curve(ExperimentResult result, String layer, double delay) {
    List<Point> points = new ArrayList<>();
    for (int clients : result.plan().clientCounts()) {
      Optional<CellSummary> summary = result.summary(layer, Workload.W, clients, delay);
      summary
          .flatMap(CellSummary::writeLatency)
          .ifPresent(
              latency ->
                  points.add(
                      new Point(
                          summary.get().throughput().median() / PER_THOUSAND,
                          latency.mean().median() / PER_THOUSAND)));
    }
    return new Curve(points);
  }

  private static String comparison(ExperimentResult result, double delay) {
    Curve sync = curve(result, "sync", delay);
    if (sync.points().isEmpty()) {
      return "Here: sync completed no write.";
    }
    Point peak = sync.peak();
    OptionalDouble cad = curve(result, "cad", delay).latencyAt(peak.x());
    if (cad.isEmpty()) {
      return "Here: sync reaches "
          + Numbers.plain(peak.x())
          + " K requests/s, which CAD does not, so that there is no factor to give.";
    }
    return String.format(
        Locale.ROOT,
        "Here: at %s K requests/s, the most that sync reaches, sync's mean latency is %s ms and"
            + " CAD's %s ms: %.1fx lower.",
        Numbers.plain(peak.x()),
        Numbers.plain(peak.y()),
        Numbers.plain(cad.getAsDouble()),
        peak.y() / cad.getAsDouble());
  }

  @Override
  public String chart(ExperimentResult result, Machine machine) {
    Charts charts = new Charts(result);
    List<Panel> panels =
        result.plan().fsyncDelaysMs().stream()
            .map(delay -> charts.latencyAgainstThroughput(Workload.W, delay))
            .toList();
    return new SvgDocument(
            "Write-only: mean latency against throughput, "
                + result.plan().clientCounts().get(0)
                + " to 100 clients",
            panels,
            Conditions.notes(result.plan(), machine))
        .render();
  }
}
