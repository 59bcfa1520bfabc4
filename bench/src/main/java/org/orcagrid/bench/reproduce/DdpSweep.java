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
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.simulator.timing.TimingSettings;

/**
 * Throughput of linearizable and causal models under several settings, as in the paper's Figures 7
 * to 9.
 *
 * @param points the settings, one of them {@link DdpFigure#DEFAULT}
 */
record DdpSweep(List<Point> points) {
  private static final List<Consistency> SHOWN =
      List.of(Consistency.LINEARIZABLE, Consistency.CAUSAL);

  /** Keeps a copy. */
  DdpSweep {
    points = List.copyOf(points);
  }

  /**
   * A setting.
   *
   * @param name in files
   * @param title for people
   * @param settings what it is
   */
  record Point(String name, String title, TimingSettings settings) {
    private double perClient() {
      return (double) TimingSettings.PAPER.load().clients() / settings.load().clients();
    }
  }

  List<TimingCase> cases(TimingSettings.Span span) {
    List<TimingCase> cases = new ArrayList<>();
    for (Point point : points) {
      for (Consistency consistency : SHOWN) {
        for (Persistency persistency : Persistency.ofPaper()) {
          cases.add(
              TimingCase.of(
                  point.name(), Ddp.of(consistency, persistency), point.settings().with(span)));
        }
      }
    }
    return cases;
  }

  /** Throughput per client to that of the base by default; the clients are mostly as many. */
  Optional<Spread> value(TimingFindings findings, Point point, Ddp model) {
    double perClient = point.perClient();
    return findings
        .relative(
            new TimingCase.Place(point.name(), model),
            DdpPages.BASE_PLACE,
            DdpMeasure.THROUGHPUT.of())
        .map(
            all ->
                new Spread(all.median() * perClient, all.min() * perClient, all.max() * perClient));
  }

  double median(TimingFindings findings, String point, Ddp model) {
    return points.stream()
        .filter(each -> each.name().equals(point))
        .findFirst()
        .map(each -> DdpPages.median(value(findings, each, model)))
        .orElse(Double.NaN);
  }

  String table(TimingFindings findings) {
    List<String> headings = new ArrayList<>(List.of("model"));
    points.forEach(point -> headings.add(point.title()));
    MarkdownTable table = new MarkdownTable(headings);
    for (Consistency consistency : SHOWN) {
      for (Persistency persistency : Persistency.ofPaper()) {
        Ddp model = Ddp.of(consistency, persistency);
        List<String> cells = new ArrayList<>(List.of(model.id()));
        points.forEach(point -> cells.add(Numbers.spread(value(findings, point, model), 1)));
        table.add(cells);
      }
    }
    return table.render();
  }

  String chart(String title, TimingFindings findings) {
    double highest = 0;
    for (TimingCase each : cases(TimingSettings.Span.FULL)) {
      double median = median(findings, each.place().setting(), each.place().model());
      highest = Double.isNaN(median) ? highest : Math.max(highest, median);
    }
    double top = highest;
    List<Panel> panels = new ArrayList<>();
    for (Consistency consistency : SHOWN) {
      panels.add(
          DdpPages.bars(
              "Throughput, " + consistency.id(),
              points.stream().map(Point::title).toList(),
              top,
              (group, persistency) ->
                  value(findings, points.get(group), Ddp.of(consistency, persistency))));
    }
    return new SvgDocument(title, panels, List.of(DdpPages.NOTE)).render();
  }
}
