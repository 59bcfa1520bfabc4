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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.Fabricated;
import org.orcagrid.bench.faults.CaseStudyOutcome;
import org.orcagrid.bench.faults.SequenceOutcome;

final class FaultTablesTest {
  private static final SequenceOutcome GOOD =
      new SequenceOutcome(7, "123 > 1(2)3", List.of(), 30, 2, 1, 1_500);
  private static final SequenceOutcome BAD =
      new SequenceOutcome(8, "123 > 12 > 123", List.of("server 2 showed 1 after 2"), 20, 0, 0, 900);

  private static Map<String, List<SequenceOutcome>> table3() {
    Map<String, List<SequenceOutcome>> outcomes = new LinkedHashMap<>();
    outcomes.put("orca", List.of(GOOD));
    outcomes.put("weak-zk", List.of(GOOD, BAD));
    return outcomes;
  }

  @Test
  void aRunThatWasBrokenOffGoesOnFromItsFile() {
    OrcaTable3 table = new OrcaTable3();
    assertEquals(table3(), OrcaTable3.fromCsv(table.csv(table3())));
    assertThrows(IllegalArgumentException.class, () -> OrcaTable3.fromCsv("head\norca,1,123\n"));
  }

  @Test
  void oneBadReadMakesASequenceNonMonotonic() {
    assertTrue(BAD.nonMonotonic());
    assertFalse(GOOD.nonMonotonic());
    String page = new OrcaTable3().page(table3(), 3, Fabricated.MACHINE);
    assertTrue(
        page.lines().anyMatch(line -> line.matches("\\| weak-ZK +\\| +b \\| +2 \\| +50.0 .*")),
        page);
  }

  @Test
  void theSharesOfACaseStudyAreOfTheLooksThatWereAnswered() {
    OrcaTable4 table = new OrcaTable4();
    Map<OrcaTable4.Case, CaseStudyOutcome> outcomes = new LinkedHashMap<>();
    outcomes.put(table.cases().get(0), new CaseStudyOutcome(10, 30, 60, 3, 5));
    String page = table.page(outcomes, 3, 1, Fabricated.MACHINE);
    assertTrue(
        page.lines()
            .anyMatch(
                line ->
                    line.matches(
                        "\\| location tracking \\| weak-ZK \\| +100 \\| +10.0 \\| +13.0 \\| +30.0"
                            + " .*")),
        page);
  }
}
