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

/** The judge of Kite's keys in {@link MapProcessesTest} sees what it is to see. */
class KeysLedgerTest {
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
            "ADDS KEYS c 0 1 10",
            "ADDS KEYS c 0 1 11",
            "ADDS KEYS c 0 1 12",
            "ADDED KEYS c 1 1 10 20",
            "ADDED KEYS c 0 1 11 20",
            "RELEASES KEYS f 5 1 10",
            "ACQUIRED KEYS f 0 1 11 12",
            "ACQUIRED KEYS f 5 1 11 13",
            "SAW KEYS d 6 1 5",
            "RELEASED KEYS f 5 1 10 15",
            "RELEASES KEYS f 6 1 16",
            "ACQUIRED KEYS f 5 1 17 18",
            "COUNTED KEYS c 3 1 30 40",
            "LOST 50",
            "ADDS KEYS c 0 2 60",
            "ADDED KEYS c 0 2 60 70",
            "ACQUIRED KEYS f 0 2 60 70",
            "COUNTED KEYS c 1 2 80 90");
    assertEquals(List.of(), faults);
    assertEquals(3, ledger.keys().additions());
    assertEquals(4, ledger.keys().acquires());
    assertEquals(2, ledger.keys().memories());
  }

  @Test
  void twoAdditionsWithOneResultAreSeen() {
    List<String> faults =
        judge(
            "ADDS KEYS c 0 1 10",
            "ADDS KEYS c 0 1 10",
            "ADDED KEYS c 0 1 10 20",
            "ADDED KEYS c 0 1 10 20",
            "COUNTED KEYS c 2 1 30 40");
    assertOne("added to twice", faults);
  }

  @Test
  void anAdditionInAnotherOrderIsSeen() {
    List<String> faults =
        judge(
            "ADDS KEYS c 0 1 10",
            "ADDS KEYS c 0 1 10",
            "ADDS KEYS c 0 1 10",
            "ADDED KEYS c 2 1 10 20",
            "ADDED KEYS c 1 1 30 40",
            "COUNTED KEYS c 3 1 50 60");
    assertOne("another order", faults);
  }

  @Test
  void anAcknowledgedAdditionThatIsGoneIsSeen() {
    List<String> faults =
        judge("ADDS KEYS c 0 1 10", "ADDED KEYS c 0 1 10 20", "COUNTED KEYS c 0 1 30 40");
    assertOne("lacks some of 1", faults);
  }

  @Test
  void anAdditionThatNobodyMadeIsSeen() {
    List<String> faults =
        judge("ADDS KEYS c 0 1 10", "ADDED KEYS c 0 1 10 20", "COUNTED KEYS c 2 1 30 40");
    assertOne("more than the 1", faults);
  }

  @Test
  void acknowledgedAdditionsThatNobodyHasCountedAreSeen() {
    assertOne("nobody has counted", judge("ADDS KEYS c 0 1 10", "ADDED KEYS c 0 1 10 20"));
  }

  @Test
  void dataOlderThanTheirFlagAreSeen() {
    assertOne("older than their flag", judge("SAW KEYS d 4 1 5"));
  }

  @Test
  void aFlagThatNobodyHasReleasedIsSeen() {
    assertOne("nobody has released", judge("ACQUIRED KEYS f 5 1 10 20"));
  }

  @Test
  void aReleasedFlagThatIsGoneIsSeen() {
    List<String> faults =
        judge("RELEASES KEYS f 5 1 10", "RELEASED KEYS f 5 1 10 20", "ACQUIRED KEYS f 0 1 30 40");
    assertOne("released over", faults);
  }

  @Test
  void anOlderFlagThanOneThatWasAcquiredIsSeen() {
    List<String> faults =
        judge(
            "RELEASES KEYS f 5 1 10",
            "RELEASED KEYS f 5 1 10 20",
            "RELEASES KEYS f 6 1 30",
            "ACQUIRED KEYS f 6 1 40 50",
            "ACQUIRED KEYS f 5 1 60 70");
    assertOne("released over", faults);
  }

  @Test
  void aMemoryThatBeginsAnewWithoutALossIsSeen() {
    List<String> faults =
        judge("LOST 5", "ACQUIRED KEYS f 0 1 10 20", "ACQUIRED KEYS f 0 2 30 40", "LOST 50");
    assertOne("too few were lost", faults);
  }

  @Test
  void aMemoryThatAnswersAfterTheNextOneIsSeen() {
    List<String> faults =
        judge(
            "ACQUIRED KEYS f 0 1 10 20",
            "LOST 25",
            "ACQUIRED KEYS f 0 2 30 40",
            "ACQUIRED KEYS f 0 1 50 60");
    assertOne("both memories", faults);
  }
}
