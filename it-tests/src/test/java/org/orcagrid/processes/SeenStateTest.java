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
package org.orcagrid.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge must see what it is there to see. */
class SeenStateTest {
  private final SeenState state = new SeenState();

  private void read(int server, long value, long ofSession) {
    state.end(state.begin("k", server), value, ofSession);
  }

  @Test
  void anOlderValueThanAnyClientSawIsAViolation() {
    read(1, 5, -1);
    read(2, 4, -1);
    assertEquals(List.of("server 2 showed k=4 after 5 was seen"), state.violations());
  }

  @Test
  void aReadThatBeganBeforeMayBeOlder() {
    SeenState.Read slow = state.begin("k", 2);
    read(1, 5, -1);
    state.end(slow, 4, -1);
    assertEquals(List.of(), state.violations());
  }

  @Test
  void whatIsDurableMustBeSeen() {
    state.onDurable("k", 7);
    read(1, 6, -1);
    assertEquals(1, state.violations().size());
  }
}
