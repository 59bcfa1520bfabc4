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

/** Figure 5: Kite with more and more synchronization beside ZAB. */
public record KiteFig5() implements KiteFigure {
  private static final Contender MORE =
      Contender.kite("kite-20-5", "Kite, 20 % synchronization, 5 % RMWs", 20, 5);
  private static final Contender MOST =
      Contender.kite("kite-50-50", "Kite, 50 % synchronization, 50 % RMWs", 50, 50);
  private static final List<KitePages.Asked> ASKED =
      List.of(
          new KitePages.Asked(KITE, Contender.ZAB, 1, 3.7, "3.7"),
          new KitePages.Asked(KITE, Contender.ZAB, 100, 5.2, "5.2"));

  @Override
  public String id() {
    return "kite-fig5";
  }

  @Override
  public String title() {
    return "Kite, Figure 5: Kite beside ZAB with more and more synchronization";
  }

  @Override
  public List<Contender> contenders() {
    return List.of(KITE, MORE, MOST, Contender.ZAB);
  }

  @Override
  public List<Double> writePercents() {
    return List.of(1.0, 5.0, 20.0, 50.0, 60.0, 100.0);
  }

  @Override
  public String page(KiteResult result, Machine machine) {
    return KitePages.opening(this, result, machine)
        + KitePages.tables(result)
        + "\n"
        + KitePages.asked(result, ASKED)
        + """

        With 60 % writes, 50 % synchronization and 50 % read-modify-writes, 50 % of the accesses
        are read-modify-writes, 5 % writes, 5 % releases, 20 % reads and 20 % acquires, as in the
        paper. Where there are fewer writes than that, all of them are read-modify-writes. The
        paper: with 20 % synchronization and 5 % read-modify-writes Kite has 60 to 75 % of what it
        has with 5 % synchronization; with 50 % of both it is like ZAB, or better.
        """;
  }

  @Override
  public String chart(KiteResult result, Machine machine) {
    return new SvgDocument(
            "Kite with more and more synchronization",
            KitePages.panels(result),
            List.of(KitePages.load(result.plan()), Conditions.machine(machine)))
        .render();
  }
}
