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
package org.orcagrid.bench.watches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.stats.LatencySummary;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.Systems;

class StormExperimentTest {

  @Test
  @Timeout(120)
  void everyWatchFiresAndOthersAreMeasured(@TempDir Path folder) throws Exception {
    StormPlan plan = new StormPlan(1, 4, 25, 1, 2, 0.2);
    List<String> said = new ArrayList<>();
    List<StormResult> results =
        StormExperiment.run(
            plan, List.of(Systems.named("orca")), new ProcessLauncher(folder), said::add);
    assertEquals(4, results.size());
    assertEquals(6, said.size(), "two storms and the lost connections, at two starts");
    for (StormResult each : results) {
      assertTrue(each.firingMillis() > 0);
      assertTrue(each.calmReads().count() > 0, each::toString);
      assertTrue(each.calmWrites().count() > 0, each::toString);
    }
    String table = StormResult.table(results);
    assertEquals(3, table.lines().count(), table);
  }

  @Test
  void mediansAreShownInMilliseconds() {
    LatencySummary one = new LatencySummary(1, 0, 1_000, 0, 2_000, 0, 30_000);
    StormResult first = new StormResult("a", 1, 100, one, one, one, one);
    StormResult second = new StormResult("a", 2, 300, one, one, one, one);
    String line = StormResult.table(List.of(first, second)).lines().skip(2).findFirst().get();
    assertEquals(
        "a|200|1.00|2.00|1.00|2.00|30|1.00|2.00|1.00|2.00|30",
        line.replaceAll("^\\| *| *\\|$", "").replaceAll(" *\\| *", "|"));
  }

  @Test
  void aPlanOutOfBoundsIsRefused() {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> new StormPlan(3, 0, 1, 1, 1, 1));
    assertEquals("--sessions is 1 to 1000, not 0.", refusal.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new StormPlan(3, 1, 1, 1, 1, 0));
  }
}
