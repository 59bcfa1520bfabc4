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

class LateWritesTest {
  private final LateWrites writes = new LateWrites();

  @Test
  void aWriteMayCommitOnceItIsDurable() {
    assertTrue(writes.mayCommit(5));
    writes.add(5, 0);
    writes.add(6, 0);
    assertFalse(writes.mayCommit(5));
    assertEquals(5, writes.onDurable(5, 10));
    assertTrue(writes.mayCommit(5));
    assertFalse(writes.mayCommit(6));
  }

  @Test
  void othersAreNotHeldUpByIt() {
    writes.add(5, 0);
    assertTrue(writes.mayCommit(4));
    assertTrue(writes.mayCommit(6), "it waits for 5 itself");
  }

  @Test
  void thoseThatHaveWaitedForTooLongAreGivenUp() {
    assertEquals(0, writes.oldestAgeNanos(50));
    writes.add(5, 100);
    writes.add(6, 150);
    assertEquals(100, writes.oldestAgeNanos(200));
    writes.giveUp();
    assertTrue(writes.mayCommit(5));
    assertEquals(0, writes.oldestAgeNanos(300));
    assertEquals(LateWrites.NONE, writes.onDurable(6, 300));
    assertEquals(0, writes.count());
  }

  @Test
  void whatTheyHaveWaitedIsSummedUp() {
    writes.add(5, 100);
    writes.add(6, 150);
    writes.add(7, 180);
    assertEquals(6, writes.onDurable(6, 200));
    assertEquals(2, writes.count());
    assertEquals(150, writes.waitedNanos());
    assertEquals(LateWrites.NONE, writes.onDurable(6, 300));
    assertEquals(150, writes.waitedNanos());
  }
}
