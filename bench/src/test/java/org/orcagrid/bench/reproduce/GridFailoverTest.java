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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.Fabricated;
import org.orcagrid.bench.failover.FailoverPlan.Ensemble;
import org.orcagrid.bench.failover.FailoverResult;
import org.orcagrid.bench.failover.FailoverResult.Round;
import org.orcagrid.bench.failover.FailoverResult.Series;
import org.orcagrid.bench.failover.Seen;

final class GridFailoverTest {
  private static final GridFailover FAILOVER = new GridFailover();

  private static Seen seen(int writeMillis, int readMillis, int unknown, String first) {
    return new Seen(writeMillis * 1_000_000L, readMillis * 1_000_000L, 0, unknown, 0, first);
  }

  private static FailoverResult result(String brokenOff) {
    Round good =
        new Round(
            0,
            List.of(seen(900, 15, 0, ""), seen(910, 800, 0, "")),
            List.of(seen(30, 20, 0, ""), seen(40, 20, 0, "")),
            3_000_000_000L,
            1.5);
    Round bad =
        new Round(
            1,
            List.of(seen(9900, 9800, 2, "No answer"), seen(1100, 800, 0, "")),
            List.of(seen(50, 20, 1, "Later"), seen(60, 20, 0, "")),
            4_000_000_000L,
            2.5);
    Map<Ensemble, Series> series = new EnumMap<>(Ensemble.class);
    series.put(Ensemble.STAYS, new Series(List.of(good, bad), brokenOff));
    return new FailoverResult(series);
  }

  private static void assertRow(String page, String pattern) {
    assertTrue(page.lines().anyMatch(line -> line.matches(pattern)), page);
  }

  @Test
  void eachSurvivingNodeGivesAValueAKill() {
    String page = FAILOVER.page(result(""), Fabricated.MACHINE);
    assertRow(
        page, "\\| no write, after the kill +\\| +stays \\| +4 \\| +910 \\| +9900 \\| +9900 \\|");
    assertRow(page, "\\| no write, while it comes back +\\| +stays \\| +4 \\| +40.0 \\| +60.0 .*");
    assertRow(page, "\\| start of the process .*\\| +2 \\| +3000 \\| +4000 \\| +4000 \\|");
    assertFalse(page.contains("BROKEN OFF"), page);
  }

  @Test
  void countsAreOfBothParts() {
    String page = FAILOVER.page(result(""), Fabricated.MACHINE);
    assertRow(page, "\\| stays +\\| +2 \\| +3 \\| +0 \\| No answer \\|");
  }

  @Test
  void aSeriesThatWasBrokenOffIsNotPassedForAWholeOne() {
    String page = FAILOVER.page(result("Node 2 does not serve"), Fabricated.MACHINE);
    assertTrue(page.contains("BROKEN OFF where the ensemble stays: Node 2 does not serve"), page);
  }

  @Test
  void allOfItIsInTheFile() {
    List<String> lines = FAILOVER.csv(result("")).lines().toList();
    assertEquals(1 + 8, lines.size());
    assertEquals("stays,2,1,2.50,4000.0,killed,9900.0,9800.0,2,0", lines.get(5));
  }
}
