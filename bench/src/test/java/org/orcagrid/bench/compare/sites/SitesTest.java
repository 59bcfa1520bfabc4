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
package org.orcagrid.bench.compare.sites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.compare.process.Latencies;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.cli.CommandFailure;

/** The comparison over two sites, with our own processes only: nothing is downloaded for a test. */
@Timeout(240)
final class SitesTest {
  private static final Machine MACHINE = new Machine("cpu", 2, 1, "Linux", "JVM", 1, 1, 1);

  @TempDir Path folder;

  @Test
  void measuresProcessesThatAreGoneAfterwards()
      throws IOException, InterruptedException, CommandFailure {
    SitesPlan plan = plan(List.of(SiteContender.GEO_EVENTUAL), 0.5);
    SitesResult result = SitesExperiment.run(plan, folder, said -> {});
    for (SiteTurn turn : SiteTurn.values()) {
      double operations =
          result
              .spread(SiteContender.GEO_EVENTUAL, turn, SitesResult.Rate::perSecond)
              .orElseThrow()
              .max();
      assertTrue(operations > 0 || turn.lags(), turn + ": " + operations);
    }
    assertEquals(
        0,
        ProcessHandle.current()
            .descendants()
            .filter(child -> child.info().commandLine().orElse("").contains("LoadProcess"))
            .count(),
        "processes left");
    String page = SitesPage.page(result, MACHINE);
    assertTrue(page.contains("| Orca geo, eventual"), page);
    assertFalse(page.contains("Ours divided by"), page);
    assertEquals(1 + SiteTurn.values().length, SitesPage.csv(result).lines().count());
  }

  @Test
  void ratiosCompareRoundsOfTheSameNumber() {
    SitesResult result =
        new SitesResult(
            plan(List.of(SiteContender.GEO_EVENTUAL, SiteContender.INFINISPAN_FORCED), 1),
            Map.of(SiteProduct.GEO, "ours", SiteProduct.INFINISPAN, "Infinispan"),
            Map.of(SiteProduct.GEO, 0.1, SiteProduct.INFINISPAN, 0.2),
            Map.of(
                new SitesResult.Place(SiteContender.GEO_EVENTUAL, SiteTurn.WRITES),
                List.of(rate(300), rate(1000)),
                new SitesResult.Place(SiteContender.INFINISPAN_FORCED, SiteTurn.WRITES),
                List.of(rate(100), rate(200))));
    String page = SitesPage.page(result, MACHINE);
    assertTrue(
        page.contains("| Orca geo, eventual / Infinispan, forced | 4.00 (3.00..5.00)"), page);
    assertTrue(page.contains("ours 10.0, Infinispan 20.0"), page);
  }

  private static SitesPlan plan(List<SiteContender> contenders, double seconds) {
    return new SitesPlan(contenders, new LoadSettings.Data(100, 64), 4, 1, 0, seconds);
  }

  private static SitesResult.Rate rate(double perSecond) {
    return new SitesResult.Rate(perSecond, 1, 1, Latencies.none());
  }
}
