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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReplyQueueTest {
  private final ReplyQueue<String> queue = new ReplyQueue<>();

  private String poll(long durable, long applied) {
    ReplyQueue.Held<String> held = queue.pollReady(durable, applied, 0);
    return held == null ? null : held.reply();
  }

  @Test
  void aReplyLeavesOnlyWhenBothNeedsAreMet() {
    queue.hold("a", 5, 7, 0, 0);

    assertNull(poll(5, 6));
    assertNull(poll(4, 7));
    assertEquals(1, queue.size());
    assertEquals("a", poll(5, 7));
    assertTrue(queue.isEmpty());
  }

  @Test
  void aReplyThatNeedsNothingWaitsBehindOneThatDoes() {
    queue.hold("first", 9, 0, 0, 0);
    queue.hold("second", 0, 0, 0, 0);

    assertNull(poll(8, 0));
    assertEquals("first", poll(9, 0));
    assertEquals("second", poll(9, 0));
    assertNull(poll(9, 0));
  }

  @Test
  void aReplyCarriesTheTimeSinceWhichItWaits() {
    queue.hold("a", 1, 0, 0, 42);

    assertEquals(42, queue.pollReady(1, 0, 0).sinceNanos());
  }

  @Test
  void aClosedConnectionHoldsNothing() {
    queue.hold("a", 1, 0, 0, 0);
    queue.hold("b", 1, 0, 0, 0);
    queue.clear();

    assertTrue(queue.isEmpty());
    assertNull(poll(Long.MAX_VALUE, Long.MAX_VALUE));
  }
}
