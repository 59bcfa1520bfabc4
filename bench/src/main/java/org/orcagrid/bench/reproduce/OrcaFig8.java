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
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.LineChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Point;
import org.orcagrid.bench.chart.Series;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.geo.GeoExperiment.Origin;
import org.orcagrid.bench.geo.GeoExperiment.Place;
import org.orcagrid.bench.geo.GeoPlan;
import org.orcagrid.bench.report.Charts;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.LatencyHistograms;
import org.orcagrid.bench.stats.LatencySummary;
import org.orcagrid.bench.system.Systems;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;

/** Figure 8: latencies of clients near the leader and near the followers, in three regions. */
public record OrcaFig8() implements Reproduction {
  private static final List<Workload> WORKLOADS =
      List.of(Workload.C, Workload.W, Workload.B, Workload.A);

  /**
   * The paper has 24 on machines of their own. Here relays, clients and servers share one, and more
   * than these would wait for its processors and not for the network.
   */
  private static final int CLIENTS_PER_REGION = 3;

  @Override
  public String id() {
    return "orca-fig8";
  }

  @Override
  public String title() {
    return "ORCA, Figure 8: latencies in three regions, near the leader and near the followers";
  }

  /**
   * Returns what is measured; the paper's pings are below 2 ms and about 35 ms. It has no system
   * like the last one.
   */
  public GeoPlan plan(boolean quick) {
    return new GeoPlan(
        Stream.concat(OrcaSetting.SYSTEMS.stream(), Stream.of(OrcaSetting.ACTIVE_SET))
            .map(Systems::named)
            .toList(),
        WORKLOADS,
        0.75,
        17.5,
        CLIENTS_PER_REGION,
        quick ? 1 : 3,
        quick ? 2 : 10);
  }

  /** Returns the page. */
  public String page(Map<Place, LatencyHistograms> results, GeoPlan plan, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append(
        String.format(
            Locale.ROOT,
            "ADDED DELAY: three servers and all clients are on one machine; relays make everything"
                + " take %s ms one way between two regions and %s ms within one. %d clients near"
                + " each server, closed loop, %d rounds of %s s. A client of strong-ZK connects to"
                + " the leader, the only one that answers reads; all others to the server near"
                + " them. Latencies in ms.%n%n",
            Numbers.setting(plan.farMs()),
            Numbers.setting(plan.nearMs()),
            plan.clientsPerRegion(),
            plan.rounds(),
            Numbers.setting(plan.seconds())));
    page.append(
        "The paper has 24 clients on machines of their own. More than these would wait here");
    page.append(" for the processors of this machine and not for the network.\n\n");
    MarkdownTable table =
        new MarkdownTable(
            List.of("workload", "near", "operation", "system", "count", "mean", "p50", "p99"));
    for (Workload workload : plan.workloads()) {
      for (Origin origin : Origin.values()) {
        for (OperationKind kind : List.of(OperationKind.READ, OperationKind.UPDATE)) {
          plan.systems()
              .forEach(
                  system -> {
                    LatencyHistograms all = results.get(new Place(system.id(), workload, origin));
                    if (all != null && all.of(kind).getTotalCount() > 0) {
                      table.add(row(workload, origin, kind, system.title(), all.of(kind)));
                    }
                  });
        }
      }
    }
    page.append(table.render()).append('\n');
    page.append(factor(results, Workload.C, OperationKind.READ, Origin.FOLLOWERS, "14 times"));
    page.append(factor(results, Workload.W, OperationKind.UPDATE, Origin.LEADER, "14 times"));
    page.append(factor(results, Workload.W, OperationKind.UPDATE, Origin.FOLLOWERS, "2 times"));
    return page.toString();
  }

  private static List<String> row(
      Workload workload, Origin origin, OperationKind kind, String system, Histogram nanos) {
    LatencySummary summary = LatencySummary.of(nanos);
    return List.of(
        workload.name(),
        origin.title(),
        kind.label(),
        system,
        Long.toString(summary.count()),
        millis(summary.mean()),
        millis(summary.p50()),
        millis(summary.p99()));
  }

  private static String millis(double micros) {
    return String.format(Locale.ROOT, "%.2f", micros / 1_000);
  }

  private static String factor(
      Map<Place, LatencyHistograms> results,
      Workload workload,
      OperationKind kind,
      Origin origin,
      String paper) {
    LatencyHistograms strong = results.get(new Place("strong-zk", workload, origin));
    LatencyHistograms orca = results.get(new Place("orca", workload, origin));
    if (strong == null || orca == null || orca.of(kind).getTotalCount() == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "- %s, %ss near the %s: ORCA's mean is %.1f times lower than strong-ZK's; the paper has"
            + " %s.%n",
        workload.name(),
        kind.label(),
        origin.title(),
        strong.of(kind).getMean() / orca.of(kind).getMean(),
        paper);
  }

  /** Returns every percentile of interest, one a line. */
  public String csv(Map<Place, LatencyHistograms> results) {
    StringBuilder csv =
        new StringBuilder("system,workload,near,kind,count,mean_us,p50_us,p95_us,p99_us,max_us\n");
    results.forEach(
        (place, latencies) ->
            latencies
                .kinds()
                .forEach(
                    kind -> {
                      LatencySummary summary = LatencySummary.of(latencies.of(kind));
                      csv.append(
                          String.format(
                              Locale.ROOT,
                              "%s,%s,%s,%s,%d,%.1f,%.1f,%.1f,%.1f,%.1f%n",
                              place.system(),
                              place.workload(),
                              place.origin().title(),
                              kind.label(),
                              summary.count(),
                              summary.mean(),
                              summary.p50(),
                              summary.p95(),
                              summary.p99(),
                              summary.max()));
                    }));
    return csv.toString();
  }

  /** Returns the distributions, near the leader above and near the followers below. */
  public String chart(Map<Place, LatencyHistograms> results, GeoPlan plan, Machine machine) {
    List<Panel> panels = new ArrayList<>();
    for (Origin origin : Origin.values()) {
      for (Workload workload : plan.workloads()) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        plan.systems()
            .forEach(
                system -> {
                  LatencyHistograms all = results.get(new Place(system.id(), workload, origin));
                  if (all != null) {
                    lines.put(system.title(), cumulative(all));
                  }
                });
        if (!lines.isEmpty()) {
          panels.add(panel(workload.name() + ", near the " + origin.title(), lines));
        }
      }
    }
    return new SvgDocument(title(), panels, List.of(Conditions.machine(machine))).render();
  }

  private static Panel panel(String title, Map<String, List<Point>> lines) {
    List<Series> series = new ArrayList<>();
    double lowest = Double.MAX_VALUE;
    double highest = 1;
    for (Map.Entry<String, List<Point>> line : lines.entrySet()) {
      List<Point> points = line.getValue();
      if (!points.isEmpty()) {
        lowest = Math.min(lowest, points.get(0).x());
        highest = Math.max(highest, points.get(points.size() - 1).x());
        series.add(new Series(line.getKey(), Style.at(series.size()), points, false));
      }
    }
    return new LineChart(
        title,
        Axis.logarithmic("latency (us)", Math.min(lowest, highest), highest),
        new Axis("share of operations", Axis.Scale.LINEAR, 0, 1),
        series);
  }

  private static List<Point> cumulative(LatencyHistograms latencies) {
    Histogram nanos = latencies.of(OperationKind.READ);
    nanos.add(latencies.writes());
    return nanos.getTotalCount() == 0 ? List.of() : Charts.cumulative(nanos);
  }
}
