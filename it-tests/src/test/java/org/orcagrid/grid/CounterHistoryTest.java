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
import org.orcagrid.grid.CounterHistory.Addition;

/** Histories that must pass, and such that must not. */
class CounterHistoryTest {
  private final CounterHistory history = new CounterHistory();

  private void add(String session, String counter, long found, long invoked, long returned) {
    String clock = session.substring(0, 1);
    history.add(session, new Addition(clock, counter, found, invoked, returned));
  }

  private void assertFault(String part) {
    List<String> faults = history.judge();
    assertTrue(faults.size() == 1 && faults.get(0).contains(part), faults::toString);
  }

  @Test
  void additionsThatOverlapMayHaveAnyOrder() {
    add("a1", "x", 1, 0, 10);
    add("a2", "x", 0, 5, 15);
    add("b1", "x", 2, 0, 1);
    add("a1", "y", 0, 11, 12);
    add("b1", "y", 1, 2, 3);
    assertEquals(List.of(), history.judge());
    assertEquals(5, history.additions());
  }

  @Test
  void whatNobodyHasFoundMustHaveBeenUnknown() {
    add("a1", "x", 0, 0, 1);
    add("a1", "x", 2, 2, 3);
    assertFault("1 values were found by nobody, and 0 may be");
    history.addUnknown("x");
    assertEquals(List.of(), history.judge());
  }

  @Test
  void twoMustNotFindTheSame() {
    add("a1", "x", 0, 0, 1);
    add("b1", "x", 0, 0, 1);
    assertFault("two additions have found 0");
  }

  @Test
  void aSessionMustNotGoBack() {
    add("a1", "x", 1, 0, 1);
    add("a1", "x", 0, 2, 3);
    assertFault("each that is left has to come after another one");
  }

  @Test
  void whatHasReturnedComesBeforeWhatBeginsLaterByTheSameClock() {
    add("a1", "x", 1, 0, 1);
    add("a2", "x", 0, 2, 3);
    assertFault("each that is left has to come after another one");
  }

  @Test
  void byOtherClocksItNeedNot() {
    add("a1", "x", 1, 0, 1);
    add("b1", "x", 0, 2, 3);
    assertEquals(List.of(), history.judge());
  }

  @Test
  void twoCountersMustNotHaveOrdersThatContradictEachOther() {
    add("a1", "x", 1, 0, 1);
    add("a1", "y", 0, 2, 3);
    add("b1", "y", 1, 0, 1);
    add("b1", "x", 0, 2, 3);
    assertFault("each that is left has to come after another one");
  }
}
