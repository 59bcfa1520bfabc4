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

class AskedReportsTest {

  private final AskedReports asked = new AskedReports();

  @Test
  void nothingIsDueThatWasNotAsked() {
    assertEquals(Long.MAX_VALUE, asked.next());
    assertFalse(asked.answer(9, 9));
  }

  @Test
  void aFlushIsReportedOnceItIsOnDiskAndApplied() {
    asked.askFlushed(5);
    assertFalse(asked.answer(5, 4));
    assertFalse(asked.answer(4, 5));
    assertTrue(asked.answer(5, 6));
    assertFalse(asked.answer(6, 6), "once");
  }

  @Test
  void whatIsAppliedIsReportedWithoutTheDisk() {
    asked.askApplied(5);
    assertFalse(asked.answer(9, 4));
    assertTrue(asked.answer(0, 5));
  }

  @Test
  void whoWaitsForTheFirstDoesNotWaitForTheLast() {
    asked.askApplied(5);
    asked.askApplied(9);
    asked.askApplied(7);
    assertEquals(5, asked.next());
    assertTrue(asked.answer(0, 5));
    assertEquals(9, asked.next());
    assertFalse(asked.answer(0, 8), "what lies between does not cost a report each");
    assertTrue(asked.answer(0, 9));
    assertEquals(Long.MAX_VALUE, asked.next());
  }

  @Test
  void oneReportAnswersAllThatItCovers() {
    asked.askFlushed(3);
    asked.askFlushed(4);
    asked.askApplied(4);
    assertTrue(asked.answer(4, 4));
    assertEquals(Long.MAX_VALUE, asked.next());
    asked.askFlushed(6);
    assertEquals(6, asked.next());
  }
}
