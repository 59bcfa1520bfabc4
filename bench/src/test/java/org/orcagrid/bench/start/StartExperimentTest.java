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
package org.orcagrid.bench.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.system.Systems;

@Timeout(120)
class StartExperimentTest {
  @TempDir Path folder;

  @Test
  void eachSystemStartsWithAllZnodesAndNothingIsLeft() throws Exception {
    List<String> said = new ArrayList<>();
    List<StartResult> results =
        StartExperiment.run(
            new StartPlan(2_500, 10, 128, 2),
            List.of(Systems.named("orca"), Systems.named("stock-nosync")),
            folder,
            said::add);
    assertEquals(
        List.of("orca", "stock-nosync", "stock-nosync", "orca"),
        results.stream().map(StartResult::system).toList());
    for (StartResult each : results) {
      assertTrue(each.seconds() > 0, each::toString);
      assertTrue(each.processorSeconds() > 0, each::toString);
      assertTrue(each.peakMegabytes() > each.liveMegabytes(), each::toString);
      assertTrue(each.liveMegabytes() > 0, each::toString);
    }
    assertEquals(5, said.size(), said::toString);
    nothingIsLeft();
  }

  @Test
  void aServerThatDoesNotStartIsNamedWithTheEndOfItsLog() throws Exception {
    IOException failure =
        assertThrows(
            IOException.class,
            () ->
                StartExperiment.run(
                    new StartPlan(1, 0, 128, 1),
                    List.of(Systems.named("orca:orca.durability=never")),
                    folder,
                    said -> {}));
    assertTrue(
        failure.getMessage().startsWith("orca:orca.durability=never does not serve"),
        failure::getMessage);
    assertTrue(
        failure.getMessage().contains("orca.durability=never is not known"), failure::getMessage);
    nothingIsLeft();
  }

  private void nothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void mediansAndRangesAreShown() {
    String table =
        StartResult.table(
            List.of(
                new StartResult("orca", 1, 2, 300, 200), new StartResult("orca", 3, 4, 500, 200)));
    assertTrue(
        table.contains("| orca   | 2.00 (1.00..3.00) | 3.00 (2.00..4.00) | 400 (300..500) |"),
        table);
  }

  @Test
  void aPlanOutOfBoundsIsRefused() {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> new StartPlan(0, 1, 64, 1));
    assertEquals("--znodes is 1 to 20000000, not 0.", refusal.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new StartPlan(1, 1, 63, 1));
  }
}
