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
package org.orcagrid.bench.zab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.zab.TotalOrder.Event;

/** Histories that must pass, and such that must not. */
class TotalOrderTest {
  private static Event write(int session, int key, long zxid) {
    return new Event(session, true, key, 100 + zxid, zxid);
  }

  private static Event read(int session, int key, long zxid) {
    return new Event(session, false, key, zxid == 0 ? 0 : 100 + zxid, zxid);
  }

  private static int violations(Event... history) {
    return TotalOrder.violations(List.of(history)).size();
  }

  @Test
  void aReaderMayBeBehindButNotGoBack() {
    assertEquals(0, violations(write(1, 7, 1), write(1, 8, 2), read(2, 7, 0), read(2, 8, 0)));
    assertEquals(0, violations(write(1, 7, 1), write(1, 8, 2), read(2, 7, 0), read(2, 8, 2)));
    assertEquals(1, violations(write(1, 7, 1), write(1, 8, 2), read(2, 8, 2), read(2, 7, 0)));
  }

  @Test
  void aSessionReadsItsOwnWrites() {
    assertEquals(0, violations(write(1, 7, 1), read(1, 7, 1)));
    assertEquals(1, violations(write(1, 7, 1), read(1, 7, 0)));
  }

  @Test
  void placesAreGivenOnceAndWithoutGapsAndInTheSessionsOrder() {
    assertEquals(1, violations(write(1, 7, 1), write(1, 7, 3)));
    assertEquals(1, violations(write(1, 7, 1), write(2, 8, 1)));
    assertEquals(1, violations(write(1, 7, 2), write(1, 8, 1)));
  }

  @Test
  void whatIsReadWasWritten() {
    assertEquals(1, violations(write(1, 7, 1), new Event(2, false, 7, 5, 1)));
  }
}
