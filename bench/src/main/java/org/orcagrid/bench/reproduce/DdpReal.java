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
import java.util.stream.Stream;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.compare.ComparePlan;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.ddp.ModelPlan;
import org.orcagrid.bench.ddp.ModelResult;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** The throughput of Figure 6, of all models as they run here, not in a simulator. */
public record DdpReal() implements ModelFigure {
  private static final int KEYS = 10_000;
  private static final int QUICK_KEYS = 1_000;

  @Override
  public String id() {
    return "ddp-real";
  }

  @Override
  public String title() {
    return "DDP, Figure 6 for real: the throughput of all models with forced logs, as measured"
        + " here";
  }

  private static List<Consistency> consistencies() {
    return Stream.of(Consistency.values()).filter(each -> !models(each).isEmpty()).toList();
  }

  private static List<Ddp> models(Consistency consistency) {
    return Ddp.ofPaper().stream().filter(model -> model.consistency() == consistency).toList();
  }

  @Override
  public ModelPlan plan(boolean quick) {
    return new ModelPlan(
        Ddp.ofPaper(),
        Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS),
        50,
        quick ? QUICK_KEYS : KEYS,
        CLIENTS,
        quick ? new ComparePlan.Time(1, 1, 0.5) : new ComparePlan.Time(5, 2, 1.5));
  }

  @Override
  public String page(ModelResult result, Machine machine) {
    List<String> headings = new ArrayList<>(List.of(""));
    for (Persistency persistency : Persistency.ofPaper()) {
      headings.add(persistency.id());
    }
    MarkdownTable normalised = new MarkdownTable(headings);
    MarkdownTable thousands = new MarkdownTable(headings);
    for (Consistency consistency : consistencies()) {
      List<String> beside = new ArrayList<>(List.of(consistency.id()));
      List<String> absolute = new ArrayList<>(List.of(consistency.id()));
      for (Persistency persistency : Persistency.ofPaper()) {
        Ddp model = Ddp.of(consistency, persistency);
        beside.add(Numbers.spread(result.normalised(model), 1));
        absolute.add(Numbers.spread(result.spread(model, Rate::perSecond), 1e3));
      }
      normalised.add(beside);
      thousands.add(absolute);
    }
    return opening(result, machine)
        + "Throughput beside "
        + result.plan().base().id()
        + ":\n\n"
        + normalised.render()
        + "\nThousand requests per second, of all nodes:\n\n"
        + thousands.render()
        + "\n"
        + transactions(result)
        + """

        As in the paper (section 7), five requests are a transaction where there are
        transactions, and ten a scope where there are scopes; what is persisted at its end waits
        there. Requests of a transaction count when it ends; one that is aborted begins again at
        once. The paper simulates five servers with 20 clients each, RDMA and NVM that persists
        in some hundred nanoseconds. Here a persist is an fsync that a node's clients share, so
        that what waits for it is further from what does not than there. The paper says of
        its figure: causal and eventual consistency have 2 to 3 times the throughput of
        linearizable, the persistency makes up to a factor of 2 within a consistency,
        eventual/eventual has 3.3 times linearizable/synchronous, and transactional models suffer
        from conflicts of about 30 % of the transactions.
        """;
  }

  private static String transactions(ModelResult result) {
    long aborted = 0;
    for (Ddp model : models(Consistency.TRANSACTIONAL)) {
      aborted += result.aborted(model);
    }
    return "Transactions that were aborted, in all turns of all transactional models: "
        + aborted
        + ".\n";
  }

  @Override
  public String chart(ModelResult result, Machine machine) {
    List<BarChart.Bars> bars = new ArrayList<>();
    double highest = 0;
    for (Persistency persistency : Persistency.ofPaper()) {
      List<Optional<Spread>> values = new ArrayList<>();
      for (Consistency consistency : consistencies()) {
        Optional<Spread> value = result.normalised(Ddp.of(consistency, persistency));
        values.add(value);
        highest = Math.max(highest, value.map(Spread::max).orElse(0.0));
      }
      bars.add(new BarChart.Bars(persistency.id(), Style.at(bars.size()), values));
    }
    return new SvgDocument(
            "Figure 6 for real: all models with forced logs",
            List.of(
                new BarChart(
                    "Throughput",
                    consistencies().stream().map(Consistency::id).toList(),
                    "consistency",
                    Axis.fromZero("beside linearizable/synchronous", highest),
                    bars)),
            List.of(ModelFigure.load(result.plan()), Conditions.machine(machine)))
        .render();
  }
}
