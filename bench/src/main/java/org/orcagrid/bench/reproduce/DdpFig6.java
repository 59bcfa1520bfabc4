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
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.simulator.timing.TimingSettings;

/** DDP's Figure 6: throughput and latencies of twenty-five models. */
public record DdpFig6() implements DdpFigure {

  @Override
  public String id() {
    return "ddp-fig6";
  }

  @Override
  public String title() {
    return "DDP, Figure 6: how fast the models are";
  }

  @Override
  public List<TimingCase> cases(TimingSettings.Span span) {
    List<TimingCase> cases = new ArrayList<>();
    TimingSettings paper = TimingSettings.PAPER.with(span);
    for (Ddp model : models()) {
      cases.add(TimingCase.of(DEFAULT, model, DdpPages.settings(model, paper)));
    }
    cases.addAll(DdpAssumptions.cases(span));
    return cases;
  }

  private static List<Ddp> models() {
    return Ddp.ofPaper();
  }

  @Override
  public String page(TimingFindings findings) {
    return DdpPages.opening(this, findings)
        + measures(findings)
        + "\n## What the paper says of it\n\n"
        + DdpPages.claims(DdpFig6Claims.of(findings))
        + "\n## Why\n\n"
        + DdpFig6Claims.WHY
        + "\n"
        + waits(findings)
        + "\n## What is assumed\n\n"
        + DdpAssumptions.table()
        + "\n"
        + DdpFig6Claims.FITTED
        + "\n"
        + DdpAssumptions.variants(findings)
        + "\nTransactional/synchronous by what its transactions are about:\n\n"
        + DdpAssumptions.transactions(findings);
  }

  private static String measures(TimingFindings findings) {
    List<String> headings = new ArrayList<>(List.of("model"));
    for (DdpMeasure measure : DdpMeasure.values()) {
      headings.add(measure.title().toLowerCase(Locale.ROOT));
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (Ddp model : models()) {
      List<String> cells = new ArrayList<>(List.of(model.id()));
      for (DdpMeasure measure : DdpMeasure.values()) {
        cells.add(
            DdpPages.number(
                DdpPages.median(
                    findings.relative(place(model), DdpPages.BASE_PLACE, measure.of()))));
      }
      table.add(cells);
    }
    return table.render();
  }

  private static String waits(TimingFindings findings) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "model",
                "million/s",
                "mean read, ns",
                "mean write, ns",
                "reads that wait",
                "transactions that conflict",
                "updates held back",
                "NVM busy"));
    for (Ddp model : models()) {
      TimingCase.Place place = place(model);
      table.add(
          List.of(
              model.id(),
              DdpPages.number(DdpPages.median(findings.spread(place, r -> r.perSecond() / 1e6))),
              DdpPages.number(DdpPages.median(findings.spread(place, r -> r.reads().meanNanos()))),
              DdpPages.number(DdpPages.median(findings.spread(place, r -> r.writes().meanNanos()))),
              DdpPages.percent(
                  DdpPages.median(findings.spread(place, r -> r.waits().readsStalled()))),
              model.consistency() == Consistency.TRANSACTIONAL
                  ? DdpPages.percent(
                      DdpPages.median(findings.spread(place, r -> r.waits().conflicted())))
                  : "",
              model.consistency() == Consistency.CAUSAL
                      || model.consistency() == Consistency.EVENTUAL
                  ? DdpPages.number(DdpPages.median(findings.spread(place, r -> r.waits().held())))
                  : "",
              DdpPages.percent(DdpPages.median(findings.spread(place, r -> r.use().nvm())))));
    }
    return table.render();
  }

  static TimingCase.Place place(Ddp model) {
    return new TimingCase.Place(DEFAULT, model);
  }

  @Override
  public String chart(TimingFindings findings) {
    List<Consistency> groups = DdpPages.consistencies();
    List<Panel> panels = new ArrayList<>();
    for (DdpMeasure measure : DdpMeasure.values()) {
      panels.add(
          DdpPages.bars(
              measure.title(),
              groups.stream().map(DdpPages::label).toList(),
              0,
              (group, persistency) ->
                  findings.relative(
                      place(Ddp.of(groups.get(group), persistency)),
                      DdpPages.BASE_PLACE,
                      measure.of())));
    }
    return new SvgDocument(title(), panels, List.of(DdpPages.NOTE)).render();
  }

  /** The mean over the persistencies of a consistency's throughput to that of the base. */
  static double group(TimingFindings findings, Consistency consistency) {
    double sum = 0;
    for (Persistency persistency : Persistency.ofPaper()) {
      sum +=
          DdpPages.median(
              findings.relative(
                  place(Ddp.of(consistency, persistency)),
                  DdpPages.BASE_PLACE,
                  DdpMeasure.THROUGHPUT.of()));
    }
    return sum / Persistency.ofPaper().size();
  }
}
