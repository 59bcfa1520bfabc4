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
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.node.GridPicture.Condition;
import org.orcagrid.node.GridPicture.MapLine;
import org.orcagrid.node.GridPicture.NodeLine;
import org.orcagrid.node.GridSurvey.Answer;
import org.orcagrid.transport.tcp.HostPort;

/** What several nodes tell, put together. */
class GridPictureTest {
  private static HostPort address(int node) {
    return new HostPort("node" + node, 7200);
  }

  private static Answer answer(int node, NodeState state) {
    return Answer.of(address(node), state);
  }

  @Test
  void theNewestViewSaysWhoIsANodeAndWhoIsSilentIsNamed() {
    GridPicture picture =
        GridPicture.of(
            List.of(
                answer(0, NodeStates.state(0, NodeStates.view(4), null, List.of())),
                answer(1, NodeStates.state(1, NodeStates.view(3), null, List.of())),
                Answer.none(address(2), "connection refused"),
                Answer.none(address(9), "no answer")));
    assertEquals("shop", picture.grid());
    assertEquals(4, picture.view());
    assertEquals(
        List.of(Condition.SERVES, Condition.CATCHES_UP, Condition.AWAY, Condition.NEW),
        picture.nodes().stream().map(NodeLine::condition).toList(),
        "a place without a node is none");
    NodeLine first = picture.nodes().get(0);
    assertNull(first.objection());
    assertEquals(1_000, first.sinceMillis(), "the earliest that any node has seen");
    assertEquals(13, first.heardMillis(), "as the other one says");
    assertEquals(0, first.said().silentWorkers());
    assertEquals(10, first.said().journal().bytes());
    assertEquals(Long.MAX_VALUE, first.said().journal().bytesMax());
    NodeLine silent = picture.nodes().get(2);
    assertEquals("node2:7200", silent.address());
    assertEquals("connection refused", silent.objection());
    assertNull(silent.said());
    NodeLine stranger = picture.nodes().get(3);
    assertEquals("node9:7200", stranger.address());
    assertEquals(-1, stranger.place());
  }

  @Test
  void mapsAreCountedWhereTheyAreServed() {
    GridPicture picture =
        GridPicture.of(
            List.of(
                answer(
                    0,
                    NodeStates.state(
                        0,
                        NodeStates.view(4),
                        null,
                        List.of(NodeStates.map(1, "z", true, 3), NodeStates.map(2, "a", true, 1)))),
                answer(
                    1,
                    NodeStates.state(
                        1, NodeStates.view(4), null, List.of(NodeStates.map(1, "z", false, 9))))));
    assertEquals(List.of("a", "z"), picture.maps().stream().map(MapLine::name).toList());
    MapLine z = picture.maps().get(1);
    assertEquals("causal/strict", z.model());
    assertEquals(1, z.copies());
    assertEquals(2, z.parts().size());
    assertEquals(3, z.entries(), "of those that serve it");
    assertEquals(9000, z.bytes());
    assertEquals(15, z.undurable());
    assertEquals(14, z.underWay());
  }

  @Test
  void whereNobodyAnswersThereIsNothingButTheReasons() {
    GridPicture picture = GridPicture.of(List.of(Answer.none(address(0), "no answer")));
    assertNull(picture.grid());
    assertEquals(0, picture.view());
    assertEquals("no answer", picture.nodes().get(0).objection());
    assertEquals(List.of(), picture.maps());
  }

  @Test
  void aGridOfNodesThatHaveJustBegunHasNoView() {
    GridPicture picture =
        GridPicture.of(List.of(answer(0, NodeStates.state(0, null, null, List.of()))));
    assertEquals(0, picture.view());
    assertEquals(Condition.NEW, picture.nodes().get(0).condition());
  }
}
