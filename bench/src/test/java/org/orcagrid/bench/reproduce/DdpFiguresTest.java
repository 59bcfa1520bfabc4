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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.simulator.timing.TimingResult;
import org.orcagrid.simulator.timing.TimingSettings;

final class DdpFiguresTest {
  private static final List<DdpFigure> FIGURES =
      List.of(new DdpFig6(), new DdpFig7(), new DdpFig8(), new DdpFig9());

  private static TimingResult result(double perSecond) {
    TimingResult.Latency latency =
        new TimingResult.Latency(100, 1e11 / perSecond, 2e11 / perSecond);
    return new TimingResult(
        perSecond,
        latency,
        latency,
        new TimingResult.Waits(0.31, 0.3, 0.5, 7),
        new TimingResult.Use(0.8, 0.2));
  }

  /** All alike, but for consistencies without answers, which are 3.3 times as fast. */
  private static TimingFindings findings(DdpFigure figure, double slower) {
    Map<TimingCase.Place, List<TimingResult>> results = new LinkedHashMap<>();
    for (TimingCase each : figure.cases(TimingSettings.Span.QUICK)) {
      Consistency consistency = each.place().model().consistency();
      boolean updates = consistency == Consistency.CAUSAL || consistency == Consistency.EVENTUAL;
      boolean far = each.place().setting().equals("2 us") && !updates;
      double perSecond = updates ? 66e6 : far ? 20e6 * slower : 20e6;
      results.put(each.place(), List.of(result(perSecond), result(perSecond)));
    }
    return new TimingFindings(results);
  }

  private static void assertLine(String page, String pattern) {
    assertTrue(page.lines().anyMatch(line -> line.matches(pattern)), page);
  }

  @Test
  void figure6IsNormalisedAndSaysWhatIsMet() {
    String page = new DdpFig6().page(findings(new DdpFig6(), 1));
    assertLine(page, "\\| causal/scope +\\| +3.30 \\| +0.30 \\| .*");
    assertLine(
        page, "\\| eventual/eventual to linearizable/synchronous +\\| +3.3 \\| +3.30 \\| +yes \\|");
    assertLine(page, "\\| read-enforced to linearizable consistency.* 1.00 \\| \\*\\*no\\*\\* \\|");
    assertLine(page, "\\| transactions that conflict.* 30 % \\| +30 % \\| +yes \\|");
    assertTrue(page.contains("Seeds 1 to 2"), page);
  }

  @Test
  void figure7IsByClient() {
    String page = new DdpFig7().page(findings(new DdpFig7(), 1));
    assertLine(page, "\\| linearizable/synchronous +\\| +10.0 \\| +1.00 \\| +0.67 \\|");
  }

  @Test
  void figure8TellsALossThatIsAsInThePaperFromOneThatIsNot() {
    DdpFig8 figure = new DdpFig8();
    String line = "\\| linearizable/synchronous, 2 us to 1 us +\\| +-12 % \\| +";
    assertLine(figure.page(findings(figure, 0.88)), line + "-12 % \\| +yes \\|");
    assertLine(figure.page(findings(figure, 0.7)), line + "-30 % \\| +\\*\\*no\\*\\* \\|");
  }

  @Test
  void everyCaseAndSeedIsALineOfTheFile() {
    for (DdpFigure figure : FIGURES) {
      String csv = figure.csv(findings(figure, 1));
      int columns = csv.lines().findFirst().orElseThrow().split(",").length;
      assertEquals(
          1 + 2 * figure.cases(TimingSettings.Span.QUICK).size(),
          csv.lines().filter(line -> line.split(",").length == columns).count(),
          figure.id());
    }
  }

  @Test
  void whatWasNotRunIsNotAvailable() {
    for (DdpFigure figure : FIGURES) {
      TimingFindings none = new TimingFindings(Map.of());
      assertTrue(figure.page(none).contains("n/a"), figure.id());
      assertTrue(figure.chart(none).startsWith("<svg"), figure.id());
    }
  }

  @Test
  void everyCaseHasAPlaceOfItsOwn() {
    for (DdpFigure figure : FIGURES) {
      List<TimingCase> cases = figure.cases(TimingSettings.Span.QUICK);
      assertEquals(
          cases.size(), cases.stream().map(TimingCase::place).distinct().count(), figure.id());
    }
  }
}
