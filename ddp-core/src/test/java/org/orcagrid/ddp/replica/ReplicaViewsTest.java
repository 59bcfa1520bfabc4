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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaView;

/** Views that change nothing but their number: maps go on. */
class ReplicaViewsTest {
  private final ReplicaNodes nodes = new ReplicaNodes("linearizable/eventual", 2);

  @Test
  void aViewThatOnlyHasAnotherNumberStopsNobody() {
    ReplicaSession session = nodes.replica(0).openSession(null);
    for (int number = 2; number < 5; number++) {
      // Only one node is told of it before what is written has reached the other one.
      nodes.replica(0).onView(new ReplicaView(number, List.of(1, 1), 3));
      assertTrue(nodes.replica(0).isServing());
      Operation write = Operation.write(Key.of("key"), new byte[] {(byte) number});
      nodes.submit(0, session, write);
      nodes.settle();
      assertEquals(Operation.Status.DONE, write.status());
      nodes.replica(1).onView(new ReplicaView(number, List.of(1, 1), 3));
      assertTrue(nodes.replica(1).isServing());
    }
    nodes.replica(0).onView(new ReplicaView(5, List.of(1, 0), 1));
    assertTrue(nodes.replica(0).isServing());
    assertThrows(
        IllegalStateException.class,
        () -> nodes.replica(0).onView(new ReplicaView(7, List.of(1, 0), 1)),
        "it is told of every view");
  }
}
