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
package org.orcagrid.ddp.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.state.Key;

/** Replicas of maps in memory only: what they keep, and what they come back with. */
class MemoryOnlyTest {
  private static final byte[] ONE = {1};

  static List<Ddp> models() {
    return Arrays.stream(Consistency.values())
        .map(consistency -> Ddp.of(consistency, Persistency.NONE))
        .toList();
  }

  private static void write(ReplicaNodes nodes, int node, String key) {
    ReplicaSession session = nodes.replica(node).openSession(null);
    Operation write = nodes.submit(node, session, Operation.write(Key.of(key), ONE));
    nodes.settle();
    assertEquals(Operation.Status.DONE, write.status(), key);
  }

  private static List<Integer> members(ReplicaNodes nodes) {
    return List.of(nodes.life(0), nodes.life(1), nodes.life(2));
  }

  @ParameterizedTest
  @MethodSource("models")
  void whoComesBackHasNothingUntilOthersHaveToldIt(Ddp model) {
    ReplicaNodes nodes = new ReplicaNodes(model.id(), 3);
    write(nodes, 0, "a");
    assertNotNull(nodes.replica(2).peek(Key.of("a")));
    nodes.crash(2);
    nodes.view(List.of(nodes.life(0), nodes.life(1), 0), 3);
    nodes.settle();
    write(nodes, 1, "b");
    nodes.start(2);
    assertNull(nodes.replica(2).peek(Key.of("a")));
    nodes.view(members(nodes), 3);
    nodes.settle();
    nodes.view(members(nodes), 7);
    nodes.settle();
    assertTrue(nodes.replica(2).isServing());
    assertNotNull(nodes.replica(2).peek(Key.of("a")));
    assertNotNull(nodes.replica(2).peek(Key.of("b")));
    assertNothingLogged(nodes);
  }

  @ParameterizedTest
  @MethodSource("models")
  void whenAllHaveGoneItBeginsWithNothing(Ddp model) {
    ReplicaNodes nodes = new ReplicaNodes(model.id(), 3);
    write(nodes, 0, "a");
    for (int node = 0; node < 3; node++) {
      nodes.crash(node);
    }
    for (int node = 0; node < 3; node++) {
      nodes.start(node);
    }
    nodes.view(members(nodes), 0);
    nodes.settle();
    nodes.view(members(nodes), 7);
    nodes.settle();
    for (int node = 0; node < 3; node++) {
      assertTrue(nodes.replica(node).isServing());
      assertNull(nodes.replica(node).peek(Key.of("a")));
      assertFalse(nodes.replica(node).recoveryReport().isOfAnything());
    }
    write(nodes, 1, "a");
    assertNotNull(nodes.replica(0).peek(Key.of("a")));
    assertNothingLogged(nodes);
  }

  private static void assertNothingLogged(ReplicaNodes nodes) {
    for (int node = 0; node < 3; node++) {
      assertEquals(List.of(), nodes.log(node));
    }
  }
}
