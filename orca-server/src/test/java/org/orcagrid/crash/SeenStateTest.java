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
package org.orcagrid.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SeenStateTest {

  private final SeenState state = new SeenState();

  @Test
  void anOlderValueAfterANewerOneIsAViolation() {
    state.onRead("/a", state.newest("/a"), 5);
    state.onRead("/a", state.newest("/a"), 4);
    assertEquals(1, state.takeViolations().size());
  }

  @Test
  void aReadThatBeganBeforeTheNewerOneEndedMayBeOlder() {
    long before = state.newest("/a");
    state.onRead("/a", state.newest("/a"), 5);
    state.onRead("/a", before, 4);
    assertTrue(state.takeViolations().isEmpty());
  }

  @Test
  void aDurableWriteThatIsMissingAfterTheCutIsAViolation() {
    state.onDurable("/a", 7);
    state.onRead("/a", state.newest("/a"), 6);
    assertTrue(state.takeViolations().isEmpty(), "another server may not show it yet");
    state.settle();
    state.onRead("/a", state.newest("/a"), 6);
    assertEquals(1, state.takeViolations().size());
  }

  @Test
  void keysAreJudgedApart() {
    state.onRead("/a", state.newest("/a"), 5);
    state.onRead("/b", state.newest("/b"), 1);
    assertTrue(state.takeViolations().isEmpty());
  }
}
