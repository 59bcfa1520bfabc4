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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge of {@link MapProcessesTest} sees what it is to see. */
class MapLedgerTest {
  private final MapLedger ledger = new MapLedger();

  private List<String> judge(String... lines) {
    for (String line : lines) {
      ledger.add(line);
    }
    return ledger.judge();
  }

  private static void assertOne(String part, List<String> faults) {
    assertEquals(1, faults.size(), faults::toString);
    assertTrue(faults.get(0).contains(part), faults::toString);
  }

  @Test
  void aHistoryWithoutFaultsHasNone() {
    List<String> faults =
        judge(
            "TRIES SINGLES k1 5 0",
            "READ SINGLES k1 0 0 1 2",
            "WROTE SINGLES k1 5 100 3 6",
            "READ SINGLES k1 0 0 4 5",
            "READ SINGLES k1 5 100 4 5",
            "READ SINGLES k1 5 100 7 8");
    assertEquals(List.of(), faults);
    assertEquals(1, ledger.acknowledged());
    assertEquals(4, ledger.reads());
  }

  @Test
  void anAcknowledgedWriteThatIsGoneIsSeen() {
    List<String> faults =
        judge("TRIES SINGLES k1 5 0", "WROTE SINGLES k1 5 100 1 2", "READ SINGLES k1 0 0 3 4");
    assertOne("older than what was known", faults);
  }

  @Test
  void whatWasReadAndIsGoneIsSeen() {
    List<String> faults =
        judge("TRIES SINGLES k1 5 0", "READ SINGLES k1 5 100 1 2", "READ SINGLES k1 0 0 3 4");
    assertOne("older than what was known", faults);
  }

  @Test
  void aWriteBehindWhatWasKnownIsSeen() {
    List<String> faults =
        judge(
            "TRIES SINGLES k1 5 0",
            "TRIES SINGLES k1 6 0",
            "WROTE SINGLES k1 5 100 1 2",
            "WROTE SINGLES k1 6 99 3 4");
    assertOne("written behind", faults);
  }

  @Test
  void halfATransactionIsSeen() {
    assertOne("half transaction", judge("PAIR PAIRS 1ab 5 6"));
  }

  @Test
  void whatWasAbortedIsSeen() {
    List<String> faults =
        judge("TRIES PAIRS 1a 5 0", "ABORTED PAIRS 1a 5 0", "READ PAIRS 1a 5 100 1 2");
    assertOne("aborted", faults);
  }

  @Test
  void whatNobodyHasWrittenIsSeen() {
    assertOne("nobody has written", judge("READ SINGLES k1 5 100 1 2"));
  }

  @Test
  void twoValuesOfOneVersionAreSeen() {
    List<String> faults =
        judge(
            "TRIES SINGLES k1 5 0",
            "TRIES SINGLES k1 6 0",
            "READ SINGLES k1 5 100 1 3",
            "READ SINGLES k1 6 100 2 4");
    assertOne("two values", faults);
  }

  @Test
  void whatAProcessComplainsOfIsSeen() {
    assertOne("FAILED", judge("FAILED SINGLES: java.io.IOException"));
  }
}
