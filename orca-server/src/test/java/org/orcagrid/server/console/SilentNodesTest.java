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
package org.orcagrid.server.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.node.KeysFigures;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.node.GridSurvey.Answer;
import org.orcagrid.node.NodeState;
import org.orcagrid.transport.tcp.HostPort;

/** When nodes are asked again that have not answered. */
class SilentNodesTest {
  private static final HostPort NODE = new HostPort("a", 1);
  private static final Answer NONE = new Answer(NODE, null, "no answer");
  private static final NodeState STATE =
      new NodeState(
          new NodeState.Self("shop", 0, "a:1", true, 1, 1, 1, 1, 0, null),
          null,
          List.of(),
          List.of(),
          new KeysFigures(0, 0, 0, 0, 0, 0),
          new NodeState.Counts(0, 0, 0, 0, 0, 0, 0),
          Progress.NONE,
          List.of());

  private final SilentNodes silent = new SilentNodes();

  @Test
  void whoDoesNotAnswerIsAskedEverMoreSeldom() {
    assertNull(silent.instead(NODE, 0), "nobody has asked yet");
    long now = 0;
    for (long wait = SilentNodes.WAIT_NANOS_MIN; wait < 4 * SilentNodes.WAIT_NANOS_MAX; wait *= 2) {
      silent.onAnswer(NONE, now);
      long least = Math.min(wait, SilentNodes.WAIT_NANOS_MAX);
      assertSame(NONE, silent.instead(NODE, now + least - 1));
      assertNull(silent.instead(NODE, now + least));
      now += least;
    }
    silent.onAnswer(Answer.of(NODE, STATE), now);
    assertNull(silent.instead(NODE, now));
    silent.onAnswer(NONE, now);
    assertNull(silent.instead(NODE, now + SilentNodes.WAIT_NANOS_MIN), "it begins anew");
  }

  @Test
  void whoIsNoNodeAnyMoreIsForgotten() {
    silent.onAnswer(NONE, 0);
    silent.retain(List.of(NODE));
    assertEquals(NONE, silent.instead(NODE, 1));
    silent.retain(List.of());
    assertNull(silent.instead(NODE, 1));
  }
}
