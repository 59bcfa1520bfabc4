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
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.kite.Contender;
import org.orcagrid.bench.kite.KiteResult;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;

/** Figure 4: throughput of the protocols over the share of writes. */
public record KiteFig4() implements KiteFigure {
  private static final List<KitePages.Asked> ASKED =
      List.of(
          new KitePages.Asked(KITE, Contender.ES, 1, 0.88, "0.84"),
          new KitePages.Asked(KITE, Contender.ES, 20, 0.88, "0.69 to 0.88"),
          new KitePages.Asked(KITE, Contender.ES, 100, 0.88, "0.88"),
          new KitePages.Asked(KITE, Contender.ZAB, 1, 3.7, "3.7"),
          new KitePages.Asked(KITE, Contender.ZAB, 100, 5.2, "5.2"),
          new KitePages.Asked(Contender.PAXOS, Contender.ZAB, 100, 1.4, "1.4"));

  @Override
  public String id() {
    return "kite-fig4";
  }

  @Override
  public String title() {
    return "Kite, Figure 4: throughput of ES, ABD, Paxos, ZAB and Kite over the share of writes";
  }

  @Override
  public List<Contender> contenders() {
    return List.of(Contender.ES, Contender.ABD, Contender.PAXOS, Contender.ZAB, KITE);
  }

  @Override
  public List<Double> writePercents() {
    return List.of(1.0, 5.0, 20.0, 50.0, 100.0);
  }

  @Override
  public String page(KiteResult result, Machine machine) {
    return KitePages.opening(this, result, machine)
        + KitePages.tables(result)
        + "\nWhat Orca Grid aims for:\n\n"
        + KitePages.asked(result, ASKED)
        + "\nThe paper, 5 machines of 20 workers, in million requests per second:\n\n"
        + paper()
        + """

        Kite's line lies between those of ES, of which it is when nothing synchronizes, and of ABD
        and Paxos. ES: all accesses are relaxed. ABD: all reads are acquires and all writes
        releases. Paxos: all writes are read-modify-writes, reads are acquires (section 7.1). ZAB:
        reads are local, all writes have one order.

        In the paper what holds ZAB back is that twenty workers of a node must agree on one order,
        and the machine of the leader. Here a node has one worker, and all nodes share the
        processors of one machine: what a system costs is the work of all nodes together, and a
        leader that has more of it than the others is no bottleneck while others have less.
        """;
  }

  private static String paper() {
    MarkdownTable table =
        new MarkdownTable(List.of("writes", "ES", "ABD", "Paxos", "ZAB", "Kite, 5 %"));
    table.add(List.of("1 %", "765", "130", "129", "172", "640"));
    table.add(List.of("100 %", "96", "62", "23", "16", "84"));
    return table.render();
  }

  @Override
  public String chart(KiteResult result, Machine machine) {
    return new SvgDocument(
            "Throughput over the share of writes",
            KitePages.panels(result),
            List.of(KitePages.load(result.plan()), Conditions.machine(machine)))
        .render();
  }
}
