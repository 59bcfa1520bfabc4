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
package org.orcagrid.server.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReplyNeedsTest {
  private final ReplyNeeds needs = new ReplyNeeds();

  @Test
  void theReplyToTheRequestInExecutionNeedsWhatWasSetForItsOutcome() {
    needs.set(5, 10, 20, 30, 40);

    assertEquals(10, needs.durableFor(5, 0));
    assertEquals(20, needs.appliedFor(5, 0));
    assertEquals(30, needs.durableFor(5, -101));
    assertEquals(40, needs.appliedFor(5, -101));
  }

  @Test
  void anotherReplyNeedsNothing() {
    needs.set(5, 10, 20, 30, 40);

    assertEquals(0, needs.durableFor(6, 0));
    assertEquals(0, needs.appliedFor(-4, -1));
  }

  @Test
  void nothingIsNeededWhenNoRequestIsInExecution() {
    needs.set(0, 10, 20, 30, 40);
    needs.clear();

    assertEquals(0, needs.durableFor(0, 0));
    assertEquals(0, needs.appliedFor(0, -1));
  }
}
