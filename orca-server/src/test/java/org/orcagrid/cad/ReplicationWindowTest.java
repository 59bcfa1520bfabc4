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
package org.orcagrid.cad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReplicationWindowTest {
  private static final long AGE = 1_000;

  @Test
  void theCountBoundClosesTheWindowUntilOneIsReplicated() {
    ReplicationWindow window = new ReplicationWindow(2, 1_000, AGE);

    assertTrue(window.admit(1, 10, 0));
    assertTrue(window.admit(2, 10, 0));
    assertFalse(window.admit(3, 10, 0));
    window.onReplicated(1);
    assertTrue(window.admit(4, 10, 0));
    assertEquals(2, window.count());
    assertEquals(20, window.bytes());
  }

  @Test
  void theByteBoundClosesTheWindow() {
    ReplicationWindow window = new ReplicationWindow(10, 100, AGE);

    assertTrue(window.admit(1, 60, 0));
    assertTrue(window.admit(2, 40, 0), "exactly full");
    assertFalse(window.admit(3, 1, 0));
    window.onReplicated(1);
    assertTrue(window.admit(3, 60, 0));
  }

  @Test
  void oneEntryLargerThanTheBoundIsAdmittedAloneSoThatItCanEverCommit() {
    ReplicationWindow window = new ReplicationWindow(10, 100, AGE);

    assertTrue(window.admit(1, 5_000, 0));
    assertFalse(window.admit(2, 1, 0));
    window.onReplicated(1);
    assertEquals(0, window.bytes());
    assertTrue(window.admit(2, 1, 0));
    assertFalse(window.admit(3, 5_000, 0), "not beside another one");
  }

  @Test
  void anEntryThatIsTooOldClosesTheWindow() {
    ReplicationWindow window = new ReplicationWindow(10, 1_000, AGE);

    assertTrue(window.admit(1, 10, 0));
    assertTrue(window.admit(2, 10, AGE));
    assertFalse(window.admit(3, 10, AGE + 1));
    assertEquals(AGE + 1, window.oldestAgeNanos(AGE + 1));
    window.onReplicated(1);
    assertTrue(window.admit(3, 10, AGE + 1), "the oldest is now the second");
  }

  @Test
  void anAcknowledgementCoversEverythingBeforeIt() {
    ReplicationWindow window = new ReplicationWindow(10, 1_000, AGE);
    window.admit(1, 10, 0);
    window.admit(2, 20, 0);
    window.admit(4, 30, 0);

    window.onReplicated(3);
    assertEquals(1, window.count());
    assertEquals(30, window.bytes());
    window.onReplicated(100);
    assertEquals(0, window.count());
    assertEquals(0, window.bytes());
    assertEquals(0, window.oldestAgeNanos(AGE));
  }

  @Test
  void theRingKeepsCountAndBytesOverManyWraps() {
    ReplicationWindow window = new ReplicationWindow(3, 1_000, AGE);
    long bytes = 0;
    for (long index = 1; index <= 1_000; index++) {
      assertTrue(window.admit(index, index % 7, index));
      bytes += index % 7;
      if (index >= 3) {
        window.onReplicated(index - 2);
        bytes -= (index - 2) % 7;
      }
      assertEquals(bytes, window.bytes());
      assertEquals(Math.min(index, 2), window.count());
      assertEquals(Math.min(index, 2) - 1, window.oldestAgeNanos(index));
    }
  }

  @Test
  void theClockMayBeNegativeAndOverflow() {
    ReplicationWindow window = new ReplicationWindow(3, 1_000, AGE);

    assertTrue(window.admit(1, 1, Long.MAX_VALUE - 10));
    assertTrue(window.admit(2, 1, Long.MIN_VALUE + 10));
    assertFalse(window.admit(3, 1, Long.MIN_VALUE + AGE));
  }
}
