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

import java.util.List;
import java.util.Optional;
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

/** Table 1: what it costs that a write waits for the other nodes, and for what is durable. */
public record DdpTable1() implements ModelFigure {
  private static final int KEYS = 100_000;
  private static final int QUICK_KEYS = 5_000;

  /** A line of the table. */
  private record Row(Ddp model, String updates, String persists, double paper) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS), "yes", "yes", 1),
          new Row(Ddp.of(Consistency.LINEARIZABLE, Persistency.EVENTUAL), "yes", "no", 1.32),
          new Row(Ddp.of(Consistency.EVENTUAL, Persistency.EVENTUAL), "no", "no", 4.08));

  @Override
  public String id() {
    return "ddp-table1";
  }

  @Override
  public String title() {
    return "DDP, Table 1: what waiting for replicas and for persists costs";
  }

  @Override
  public ModelPlan plan(boolean quick) {
    return new ModelPlan(
        ROWS.stream().map(Row::model).toList(),
        ROWS.get(0).model(),
        100,
        quick ? QUICK_KEYS : KEYS,
        CLIENTS,
        quick ? new ComparePlan.Time(2, 1, 1) : new ComparePlan.Time(7, 2, 2));
  }

  @Override
  public String page(ModelResult result, Machine machine) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "updates in critical path",
                "persists in critical path",
                "model",
                "thousand writes/s",
                "paper",
                "here"));
    for (Row row : ROWS) {
      table.add(
          List.of(
              row.updates(),
              row.persists(),
              row.model().id(),
              Numbers.spread(result.spread(row.model(), Rate::perSecond), 1e3),
              Numbers.plain(row.paper()),
              Numbers.spread(result.normalised(row.model()), 1)));
    }
    return opening(result, machine)
        + table.render()
        + """

        The paper's first environment returns a write when all replicas are updated and persisted,
        the second when they are updated, the third at once; these are the three models. Its
        system is Odyssey over RDMA, each node with 24 cores of its own, and persists to NVM,
        which takes less than a round trip of its network. Here a persist is an fsync, which takes
        many loopback round trips and which the writes that are under way share, and clients,
        nodes and the kernel's network share the processors. So the same three waits are measured,
        and where a ratio is the paper's it is so for other reasons.
        """;
  }

  @Override
  public String chart(ModelResult result, Machine machine) {
    List<Optional<Spread>> paper =
        ROWS.stream()
            .map(row -> Optional.of(new Spread(row.paper(), row.paper(), row.paper())))
            .toList();
    List<Optional<Spread>> here = ROWS.stream().map(row -> result.normalised(row.model())).toList();
    double highest =
        Math.max(
            ROWS.get(2).paper(),
            here.stream().mapToDouble(each -> each.map(Spread::max).orElse(0.0)).max().orElse(0));
    return new SvgDocument(
            title(),
            List.of(
                new BarChart(
                    "Throughput",
                    ROWS.stream().map(row -> row.model().id()).toList(),
                    "what a write waits for",
                    Axis.fromZero("beside linearizable/synchronous", highest),
                    List.of(
                        new BarChart.Bars("paper", Style.GREY, paper),
                        new BarChart.Bars("here", Style.at(0), here)))),
            List.of(ModelFigure.load(result.plan()), Conditions.machine(machine)))
        .render();
  }
}
