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
package org.orcagrid.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.orcagrid.bench.Cell;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.LineChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Point;
import org.orcagrid.bench.chart.Series;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.stats.LatencySpread;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;

/** Turns results into panels. A system has the same look in every chart of an experiment. */
public final class Charts {
  private static final double PER_THOUSAND = 1_000;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final double CDF_TOP = 0.9995;

  private final ExperimentResult result;

  /** Makes panels of one result. */
  public Charts(ExperimentResult result) {
    this.result = result;
  }

  private Style style(SystemSpec spec) {
    return Style.at(result.plan().systems().indexOf(spec));
  }

  /** Returns throughput bars, one group per workload. */
  public Panel throughput(int clients, double delayMs) {
    List<BarChart.Bars> bars = new ArrayList<>();
    double largest = 0;
    for (SystemSpec spec : result.plan().systems()) {
      List<Optional<Spread>> values = new ArrayList<>();
      for (Workload workload : result.plan().workloads()) {
        Optional<Spread> value =
            result.summary(spec.id(), workload, clients, delayMs).map(Charts::thousands);
        largest = Math.max(largest, value.map(Spread::max).orElse(0.0));
        values.add(value);
      }
      bars.add(new BarChart.Bars(spec.title(), style(spec), values));
    }
    return new BarChart(
        "Throughput with " + clients + " clients, added fsync delay " + ms(delayMs),
        result.plan().workloads().stream().map(Workload::name).toList(),
        "workload",
        Axis.fromZero("throughput (K requests/s)", largest),
        bars);
  }

  private static Spread thousands(CellSummary summary) {
    Spread perSecond = summary.throughput();
    return new Spread(
        perSecond.median() / PER_THOUSAND,
        perSecond.min() / PER_THOUSAND,
        perSecond.max() / PER_THOUSAND);
  }

  /** Returns mean latency against throughput, one point per number of clients. */
  public Panel latencyAgainstThroughput(Workload workload, double delayMs) {
    List<Series> lines = new ArrayList<>();
    double right = 0;
    double lowest = Double.MAX_VALUE;
    double highest = 0;
    for (SystemSpec spec : result.plan().systems()) {
      List<Point> points = new ArrayList<>();
      for (int clients : result.plan().clientCounts()) {
        Optional<CellSummary> summary = result.summary(spec.id(), workload, clients, delayMs);
        Optional<LatencySpread> latency = summary.flatMap(s -> s.writeLatency().or(s::readLatency));
        if (latency.isPresent()) {
          double x = thousands(summary.get()).median();
          double y = latency.get().mean().median() / PER_THOUSAND;
          points.add(new Point(x, y));
          right = Math.max(right, x);
          lowest = Math.min(lowest, y);
          highest = Math.max(highest, y);
        }
      }
      if (!points.isEmpty()) {
        lines.add(new Series(spec.title(), style(spec), points, true));
      }
    }
    return new LineChart(
        "Workload " + workload + ", added fsync delay " + ms(delayMs),
        Axis.fromZero("throughput (K requests/s)", right),
        Axis.logarithmic("mean latency (ms)", Math.min(lowest, highest), highest),
        lines);
  }

  /** Returns the cumulative distribution of one kind's latencies. */
  public Panel distribution(
      Workload workload, OperationKind kind, List<String> systems, int clients, double delayMs) {
    List<Series> lines = new ArrayList<>();
    double lowest = Double.MAX_VALUE;
    double highest = 0;
    for (SystemSpec spec : result.plan().systems()) {
      Histogram nanos = result.latencies(new Cell(spec.id(), workload, clients, delayMs), kind);
      if (systems.contains(spec.id()) && nanos.getTotalCount() > 0) {
        List<Point> points = cumulative(nanos);
        lowest = Math.min(lowest, points.get(0).x());
        highest = Math.max(highest, points.get(points.size() - 1).x());
        lines.add(new Series(spec.title(), style(spec), points, false));
      }
    }
    return new LineChart(
        "Workload " + workload + ", " + kind.label() + "s, added fsync delay " + ms(delayMs),
        Axis.logarithmic(
            "latency (us)", Math.min(lowest, Math.max(highest, 1)), Math.max(highest, 1)),
        new Axis("share of operations", Axis.Scale.LINEAR, 0, 1),
        lines);
  }

  /**
   * Returns the cumulative distribution of latencies in nanoseconds, as microseconds and shares,
   * without the last half per mille, which would make the axis mostly empty.
   */
  public static List<Point> cumulative(Histogram nanos) {
    List<Point> points = new ArrayList<>();
    double total = nanos.getTotalCount();
    for (HistogramIterationValue value : nanos.percentiles(20)) {
      double share = value.getTotalCountToThisValue() / total;
      points.add(new Point(value.getValueIteratedTo() / NANOS_PER_MICRO, share));
      if (share > CDF_TOP) {
        break;
      }
    }
    return points;
  }

  private static String ms(double delayMs) {
    return Numbers.setting(delayMs) + " ms";
  }
}
