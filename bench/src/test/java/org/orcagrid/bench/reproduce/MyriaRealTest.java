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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.bench.Fabricated;
import org.orcagrid.bench.myria.real.Instances;
import org.orcagrid.bench.myria.real.Operation;
import org.orcagrid.bench.myria.real.RealLoad;
import org.orcagrid.bench.myria.real.RealResult;

class MyriaRealTest {
  private static RealResult fabricated(MyriaReal figure) {
    Map<RealLoad, RealResult.Row> rows = new LinkedHashMap<>();
    for (RealLoad each : figure.loads(false)) {
      Histogram ours = new Histogram(60_000_000L, 2);
      ours.recordValue(2_000);
      Histogram theirs = new Histogram(60_000_000L, 2);
      theirs.recordValue(4_000);
      rows.put(
          each,
          new RealResult.Row(
              List.of(10.0, 30.0, 20.0),
              List.of(5.0, 6.0, 4.0),
              Map.of(Operation.STRONG_READ, ours),
              Map.of(Operation.STRONG_READ, theirs)));
    }
    Map<String, Double> calls = figure.hasCalls() ? Map.of("strong read", 1234.0) : Map.of();
    return new RealResult(List.of("PostgreSQL 18.3, fsync on"), 3, calls, rows);
  }

  @ParameterizedTest
  @EnumSource
  void eachSaysWhatWasMeasuredBesideJdbc(MyriaFigure which) {
    MyriaReal figure = new MyriaReal(which);
    RealResult result = fabricated(figure);
    String page = figure.page(result, Fabricated.MACHINE);
    assertTrue(page.startsWith("# MyriaStore, Figure "), page);
    assertTrue(page.contains("PostgreSQL 18.3, fsync on"), page);
    boolean hasLatencies = which == MyriaFigure.FIG9;
    String row =
        hasLatencies ? "| 2.0 | +4.0 | +2.0 | +4.0 |" : "20 | +5 | +4.00 | 2.00 5.00 5.00 |";
    assertTrue(page.lines().anyMatch(each -> each.matches(".*" + regex(row))), page);
    assertEquals(figure.hasCalls(), page.contains("1234"), page);
    assertEquals(
        1 + 3 * figure.loads(false).size(), figure.csv(result).lines().count(), "rounds of all");
  }

  private static String regex(String row) {
    return row.replace("|", "\\|").replace(" ", " *").replace("+", "");
  }

  @Test
  void whatIsNoInstanceOrNoDriverIsNamed(@TempDir Path folder) throws Exception {
    String address = "jdbc:postgresql://localhost:1/postgres";
    Path none = folder.resolve("none.jar");
    refused("none.jar cannot be read", List.of(address), none);
    Path empty = Files.createFile(folder.resolve("empty.jar"));
    refused("no driver of PostgreSQL in the jar", List.of(address), empty);
    refused("'localhost' is no address", List.of("localhost"), empty);
    refused("give one or two", List.of(address, address, address), empty);
  }

  private static void refused(String words, List<String> addresses, Path jar) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Instances.open(addresses, jar));
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }
}
