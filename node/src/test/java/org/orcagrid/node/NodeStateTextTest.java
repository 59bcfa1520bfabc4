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
package org.orcagrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node says of itself, as text. */
class NodeStateTextTest {
  @Test
  void whatIsWrittenIsRead() {
    NodeState all =
        NodeStates.state(
            0,
            NodeStates.view(4),
            "it has failed: - <b>",
            List.of(NodeStates.map(1, "carts", true, 3), NodeStates.map(2, "x", false, 0)));
    assertEquals(all, NodeStateText.parse(NodeStateText.of(all)));
    NodeState little = NodeStates.state(1, null, null, List.of());
    assertEquals(little, NodeStateText.parse(NodeStateText.of(little)));
  }

  @Test
  void aReasonCannotPassForALine() {
    String reason = "disk\nkeys 9 9 9 9 9 9\r\nend\t" + "x".repeat(2000);
    NodeState read =
        NodeStateText.parse(
            NodeStateText.of(NodeStates.state(0, NodeStates.view(4), reason, List.of())));
    assertTrue(read.self().failure().startsWith("disk keys 9 9"), read.self()::toString);
    assertEquals(1000, read.self().failure().length());
    assertEquals(1, read.keys().keys());
  }

  @Test
  void whatIsNoStateIsRefused() {
    String text = NodeStateText.of(NodeStates.state(0, NodeStates.view(4), null, List.of()));
    for (String wrong :
        List.of(
            "",
            "orca-node 2\n" + text,
            text.substring(0, text.indexOf("keys ")),
            text.replace("end", "more"),
            text.replace("counts 1 2", "counts 1"),
            text.replace("peer 1", "peer x"))) {
      assertThrows(IllegalArgumentException.class, () -> NodeStateText.parse(wrong), wrong);
    }
  }
}
