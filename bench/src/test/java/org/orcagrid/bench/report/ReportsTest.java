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
package org.orcagrid.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.Fabricated;
import org.orcagrid.bench.Golden;
import org.orcagrid.bench.system.Systems;
import org.orcagrid.bench.workload.Workload;

final class ReportsTest {
  private static ExperimentResult result() {
    return Fabricated.of(
        Fabricated.plan(
            List.of(Systems.named("cad"), Systems.named("sync"), Systems.named("stock-sync")),
            List.of(Workload.A, Workload.F),
            List.of(10),
            List.of(0.0, 2.5)));
  }

  @Test
  void writesCsv() throws IOException {
    Golden.check("report.csv", CsvReport.render(result()));
  }

  @Test
  void writesMarkdown() throws IOException {
    Golden.check("report.md", MarkdownReport.render("Benchmark", result(), Fabricated.MACHINE));
  }

  @Test
  void writesJson() throws IOException {
    String json = JsonReport.render(result(), Fabricated.MACHINE);
    Golden.check("report.json", json);
    JsonNode measurements = new ObjectMapper().readTree(json).get("measurements");
    // Three systems without delay, two with it, two workloads, two rounds.
    assertEquals(20, measurements.size());
  }

  @Test
  void drawsThroughput() throws IOException {
    Golden.check("throughput.svg", ThroughputCharts.render(result(), Fabricated.MACHINE));
  }

  @Test
  void saysThatAnAddedDelayIsNotAvailableForStock() {
    String page = MarkdownReport.render("Benchmark", result(), Fabricated.MACHINE);
    String withDelay = page.substring(page.indexOf("added fsync delay 2.5 ms"));
    assertTrue(withDelay.contains("ADDED DELAY"), withDelay);
    assertTrue(withDelay.contains("n/a"), withDelay);
  }

  @Test
  void printsAlikeInEveryLocale() {
    Locale before = Locale.getDefault();
    String here = CsvReport.render(result());
    try {
      Locale.setDefault(Locale.GERMANY);
      assertEquals(here, CsvReport.render(result()));
    } finally {
      Locale.setDefault(before);
    }
  }
}
