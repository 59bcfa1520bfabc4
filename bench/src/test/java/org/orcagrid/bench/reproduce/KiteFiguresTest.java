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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.Fabricated;
import org.orcagrid.bench.kite.Contender;
import org.orcagrid.bench.kite.FailurePlan;
import org.orcagrid.bench.kite.FailureResult;
import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.bench.kite.KiteResult;
import org.orcagrid.bench.kite.Structure;
import org.orcagrid.bench.kite.StructurePlan;
import org.orcagrid.bench.kite.StructureResult;

final class KiteFiguresTest {
  private static final KiteFig4 FIGURE = new KiteFig4();

  private static KiteResult result() {
    KitePlan plan = FIGURE.plan(KitePlan.Grid.DEFAULT, true);
    Map<KiteResult.Place, List<KiteResult.Rate>> rates = new LinkedHashMap<>();
    double million = 1e6;
    for (Contender contender : plan.contenders()) {
      double rate = contender.equals(Contender.ZAB) ? 1 : contender.equals(KiteFigure.KITE) ? 4 : 5;
      for (double writePercent : plan.writePercents()) {
        rates.put(
            new KiteResult.Place(contender.id(), writePercent),
            List.of(new KiteResult.Rate(rate * million, rate * million / 2, rate * million * 3)));
      }
    }
    return new KiteResult(plan, rates, new KiteResult.Trouble(0.5, 0, 0));
  }

  @Test
  void aRatioIsReachedOrNotAndThePageSaysWhich() {
    String page = FIGURE.page(result(), Fabricated.MACHINE);
    assertTrue(
        page.lines()
            .anyMatch(
                line ->
                    line.matches(
                        "\\| Kite, 5 % synchronization to ZAB, 1 % writes +\\| +3.7 \\| +3.70 \\|"
                            + " +4.00 \\| +4.00 \\| +4.00 \\| +yes \\|")),
        page);
    assertTrue(
        page.lines().anyMatch(line -> line.matches("\\| Kite.* to ZAB, 100 % .*4.00 .* no \\|")),
        page);
  }

  @Test
  void everyTurnIsALineOfTheFile() {
    String csv = FIGURE.csv(result());
    assertEquals(1 + 2 * FIGURE.contenders().size(), csv.lines().count());
    assertTrue(csv.contains("zab,100,1,1000000,500000,3000000\n"), csv);
  }

  @Test
  void allFiguresDrawTheirCharts() {
    for (KiteFigure figure : List.of(new KiteFig4(), new KiteFig5(), new KiteFig6())) {
      KiteResult none =
          new KiteResult(
              figure.plan(KitePlan.Grid.DEFAULT, true),
              Map.of(),
              new KiteResult.Trouble(0.5, 0, 0));
      assertTrue(figure.chart(none, Fabricated.MACHINE).startsWith("<svg"), figure.id());
      assertTrue(figure.page(none, Fabricated.MACHINE).contains("n/a"), figure.id());
    }
    assertTrue(FIGURE.chart(result(), Fabricated.MACHINE).contains("ZAB"));
  }

  @Test
  void theFailureStudySaysHowLongTheOthersWereGoneAndThatNothingWasWrong() {
    KiteFig8 figure = new KiteFig8();
    FailurePlan plan = figure.plan(KitePlan.Grid.DEFAULT, 10, true);
    List<Double> steady = Collections.nCopies(plan.timing().bins(), 1e6);
    List<Double> dips = new ArrayList<>(steady);
    int begin = plan.timing().binsBefore();
    dips.subList(begin + 1, begin + 4).replaceAll(rate -> 0.0);
    FailureResult result =
        new FailureResult(
            plan,
            List.of(
                new FailureResult.Round(
                    List.of(dips, dips, steady), 400, new FailureResult.Counts(0, 7, 2, 1, 0))),
            new FailureResult.Checks(100, 10, 0),
            0.5);
    String page = figure.page(result, Fabricated.MACHINE);
    assertTrue(page.contains("**Wrong results: 0 of 100**"), page);
    assertTrue(
        page.lines()
            .anyMatch(line -> line.matches("\\| back after .* 20.0 \\| +10.0 \\| .* yes \\|")),
        page);
    assertTrue(figure.chart(result, Fabricated.MACHINE).contains("node 2, sleeps"));
    assertTrue(figure.csv(result).contains("others,5,0,0,0\n"), figure.csv(result));
  }

  @Test
  void theStructuresAreComparedWithZabsBest() {
    KiteFig7 figure = new KiteFig7();
    StructurePlan plan = figure.plan(KitePlan.Grid.DEFAULT, 16, true);
    Map<StructureResult.Place, List<StructureResult.Rate>> rates = new LinkedHashMap<>();
    for (StructureResult.Line line : StructureResult.Line.values()) {
      double rate = line == StructureResult.Line.KITE ? 3000 : 2000;
      rates.put(
          new StructureResult.Place(Structure.ALL.get(0), line),
          List.of(new StructureResult.Rate(rate, rate)));
    }
    StructureResult result = new StructureResult(plan, rates, 50, 0, 0.5);
    String page = figure.page(result, Fabricated.MACHINE);
    assertTrue(page.contains("**Wrong results: 0 of 50**"), page);
    assertTrue(
        page.lines().anyMatch(line -> line.matches("\\| TS-4 +\\| +1.50 \\| .* 1.00 \\|")), page);
    assertTrue(page.contains("n/a"), page);
    assertTrue(figure.csv(result).contains("ts-4,zab_ideal,1,2000,2000\n"), figure.csv(result));
    assertTrue(figure.chart(result, Fabricated.MACHINE).contains("MSQ-32"));
  }
}
