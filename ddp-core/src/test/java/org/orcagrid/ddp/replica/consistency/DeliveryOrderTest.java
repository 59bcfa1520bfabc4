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
package org.orcagrid.ddp.replica.consistency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.Alone;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.wire.Update;
import org.orcagrid.ddp.store.DirectMemory;

/** When an update that lacks its history has its turn, and when never. */
class DeliveryOrderTest {
  private static final int WRITER = 1;
  private static final int OTHER = 2;

  /** It has seen an update of the other node that nobody has any more. */
  private static final Update LACKING =
      new Update(
          WRITER,
          number(1, 2),
          number(1, 1),
          new long[] {0, 0, number(1, 5)},
          false,
          List.of(Alone.VALUE));

  private static long number(int life, int sequence) {
    return (long) life << Integer.SIZE | sequence;
  }

  /** The order at node 0, where two nodes are gone and one of them has come back. */
  private static DeliveryOrder afterTheOthersAreGone(Set<ReplicaRule> rules) {
    ReplicaSettings settings = Alone.settings("causal/none", 3, ReplicaSettings.Limits.DEFAULT);
    ReplicaState state = new ReplicaState(settings, rules, new DirectMemory(() -> {}));
    assertTrue(state.onView(new ReplicaView(1, List.of(1, 1, 1), 0b111)));
    DeliveryOrder order = new DeliveryOrder(state);
    order.deliver(new Update(WRITER, number(1, 1), 0, new long[3], false, List.of(Alone.VALUE)));
    assertNotNull(order.add(LACKING));
    assertTrue(state.onView(new ReplicaView(2, List.of(1, 0, 0), 0b001)));
    List<Update> givenUp = new ArrayList<>();
    order.forgetHopeless(givenUp::add);
    assertEquals(List.of(LACKING), givenUp);
    assertTrue(state.onView(new ReplicaView(3, List.of(1, 0, 2), 0b001)));
    Update ofNextLife =
        new Update(OTHER, number(2, 1), 0, new long[3], false, List.of(Alone.VALUE));
    order.deliver(ofNextLife);
    return order;
  }

  @Test
  void whatWasGivenUpStaysSo() {
    DeliveryOrder order = afterTheOthersAreGone(ReplicaRule.all());
    assertTrue(order.isGivenUp(LACKING));
    Update later =
        new Update(WRITER, number(1, 3), number(1, 2), new long[3], false, List.of(Alone.VALUE));
    assertTrue(order.isGivenUp(later), "what is behind it lacks it");
    Update ofNextLife =
        new Update(WRITER, number(2, 1), 0, new long[3], false, List.of(Alone.VALUE));
    assertFalse(order.isGivenUp(ofNextLife));
  }

  /** With the next life of the other node its history counts as delivered: it has its turn. */
  @Test
  void withoutTheRuleItComesAgainAndIsTaken() {
    DeliveryOrder order = afterTheOthersAreGone(ReplicaRule.allBut(ReplicaRule.GIVEN_UP_STAYS));
    assertFalse(order.isGivenUp(LACKING));
    WaitingUpdate again = order.add(LACKING);
    assertSame(again, order.pollReady(WRITER));
  }
}
