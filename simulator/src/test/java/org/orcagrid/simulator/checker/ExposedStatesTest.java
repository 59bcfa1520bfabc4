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
package org.orcagrid.simulator.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.orcagrid.simulator.checker.ExposedStates.Verdict;

class ExposedStatesTest {
  private static final long FIRST = 1L << 32;
  private static final long SECOND = 2L << 32;

  private final ExposedStates states = new ExposedStates();

  private boolean read(String key, long index) {
    return states.end(states.begin(key), index, "server 1") != Verdict.WENT_BACK;
  }

  @Test
  void anOlderValueOfTheSameKeyIsFound() {
    states.onWrite("a", FIRST + 1);
    states.onWrite("a", FIRST + 2);
    assertTrue(read("a", FIRST + 2));
    assertFalse(read("a", FIRST + 1));
    assertFalse(read("a", -1));
    assertEquals(2, states.violations().size());
  }

  @Test
  void anOlderStateOfAnotherKeyIsFound() {
    states.onWrite("a", FIRST + 1);
    states.onWrite("b", FIRST + 2);
    assertTrue(read("b", FIRST + 2));
    assertFalse(read("a", -1));
  }

  @Test
  void aWriteThatWasLostUnreadIsNotAskedFor() {
    states.onWrite("a", FIRST + 1);
    states.onWrite("a", FIRST + 5);
    assertTrue(read("a", FIRST + 1));
    states.onWrite("b", SECOND + 1);
    assertTrue(read("b", SECOND + 1));
    assertTrue(read("a", FIRST + 1), "a crash has taken 5");
  }

  @Test
  void aWriteThatWasReadAndLostIsFound() {
    states.onWrite("a", FIRST + 1);
    states.onWrite("a", FIRST + 5);
    assertTrue(read("a", FIRST + 5));
    states.onWrite("b", SECOND + 1);
    assertTrue(read("b", SECOND + 1));
    assertFalse(read("a", FIRST + 1));
  }

  @Test
  void aWriteWithoutAnAcknowledgementCountsOnceItWasSeen() {
    assertTrue(read("a", FIRST + 3));
    assertFalse(read("a", -1));
  }

  @Test
  void readsAtTheSameTimeMayDisagree() {
    states.onWrite("a", FIRST + 1);
    states.onWrite("a", FIRST + 2);
    ExposedStates.Read early = states.begin("a");
    assertTrue(read("a", FIRST + 2));
    assertEquals(Verdict.STALE, states.end(early, FIRST + 1, "server 2"));
  }

  @Test
  void anOldButAllowedAnswerIsCountedAsStale() {
    states.onWrite("a", FIRST + 1);
    states.onWrite("a", FIRST + 2);
    assertTrue(read("a", FIRST + 1));
    assertTrue(read("a", FIRST + 2));
    assertEquals(1, states.stale());
    assertEquals(2, states.reads());
  }
}
