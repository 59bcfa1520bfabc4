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
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MonotonicReadsTest {
  private final MonotonicReads checker = new MonotonicReads();

  private void writes(String... keys) {
    for (int i = 0; i < keys.length; i++) {
      checker.onWrite(keys[i], i + 1);
    }
  }

  @Test
  void acceptsReadsThatGoForward() {
    writes("a", "b", "a");
    checker.onRead("a", 1, 0, 1);
    checker.onRead("b", 2, 2, 3);
    checker.onRead("a", 3, 4, 5);
    assertEquals(0, checker.violations().size());
  }

  @Test
  void acceptsThatReadsAtTheSameTimeDisagree() {
    writes("a", "a");
    checker.onRead("a", 2, 0, 10);
    checker.onRead("a", 1, 5, 11);
    checker.onRead("a", 1, 10, 12);
    assertEquals(0, checker.violations().size());
  }

  @Test
  void acceptsThatWhatIsAcknowledgedMeanwhileIsNotShown() {
    writes("a", "a");
    checker.onAcknowledged(2, 5);
    checker.onRead("a", 1, 5, 9);
    assertEquals(0, checker.violations().size());
  }

  @Test
  void findsAReadThatDoesNotShowWhatWasAcknowledged() {
    writes("a", "b", "a");
    checker.onAcknowledged(2, 5);
    checker.onRead("a", 1, 6, 7);
    checker.onRead("b", -1, 6, 8);
    assertEquals(1, checker.violations().size());
    checker.onAcknowledged(3, 9);
    checker.onRead("a", 1, 10, 11);
    assertEquals(2, checker.violations().size());
  }

  @Test
  void whatWasAcknowledgedMayBeLost() {
    writes("a", "a");
    checker.onAcknowledged(2, 5);
    checker.onLost("a", 2);
    checker.onRead("a", 1, 6, 7);
    assertEquals(0, checker.violations().size());
    checker.onRead("a", -1, 8, 9);
    assertEquals(2, checker.violations().size());
  }

  @Test
  void findsAnOlderValueOfTheSameKey() {
    writes("a", "a");
    checker.onRead("a", 2, 0, 1);
    checker.onRead("a", 1, 2, 3);
    assertEquals(1, checker.violations().size());
  }

  @Test
  void findsAnOlderStateOfAnotherKey() {
    writes("a", "b");
    checker.onRead("b", 2, 0, 1);
    checker.onRead("a", -1, 2, 3);
    assertEquals(1, checker.violations().size());
    assertTrue(checker.violations().get(0).contains("showed write none"));
  }

  @Test
  void acceptsAnOldKeyThatNobodyWroteSince() {
    writes("a", "b", "b");
    checker.onRead("b", 3, 0, 1);
    checker.onRead("a", 1, 2, 3);
    assertEquals(0, checker.violations().size());
  }

  @Test
  void acceptsTheLossOfWhatNobodySaw() {
    writes("a", "a", "b");
    checker.onRead("a", 1, 0, 1);
    checker.onLost("a", 2);
    checker.onWrite("b", 10);
    checker.onRead("b", 10, 2, 3);
    checker.onRead("a", 1, 4, 5);
    assertEquals(0, checker.violations().size());
  }

  @Test
  void findsTheLossOfWhatAStateContainedThatWasShown() {
    writes("a", "b");
    checker.onRead("b", 2, 0, 1);
    checker.onLost("a", 1);
    assertEquals(1, checker.violations().size());
  }

  @Test
  void findsALostWriteThatIsStillShown() {
    writes("a", "a");
    checker.onLost("a", 2);
    checker.onRead("a", 2, 0, 1);
    assertEquals(1, checker.violations().size());
  }
}
