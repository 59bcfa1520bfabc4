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
package org.orcagrid.ddp.kite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/** Numbers do not run out: of views, of nodes at a place, of writes in a run. */
class NumbersTest {
  private static final int NODES = 3;

  private static KiteView view(int number, int generation) {
    return new KiteView(
        number,
        1,
        0,
        Collections.nCopies(NODES, 1),
        Collections.nCopies(NODES, generation),
        0,
        true);
  }

  private static KiteNode node(KiteView view) {
    return new KiteNode(
        KiteSettings.of(NODES, 0, 1, 2),
        new ReplicaStore(new ReplicaStore.Limits(64, 64, 1 << 20), 16),
        view,
        KiteRule.all());
  }

  @Test
  void theLastNodeOfAPlaceInALateViewDoesWhatTheFirstDoes() {
    Scenario s = new Scenario(view(Integer.MAX_VALUE, KiteView.NODES_OF_PLACE_MAX - 1));
    s.begin(0, 0, OperationKind.RELEASE, "key", 5);
    s.exchange(0, 1, 2);
    for (int i = 0; i < 3; i++) {
      for (int node = 0; node < NODES; node++) {
        KiteSession add = s.begin(node, 0, OperationKind.GET_AND_ADD, "key", 1);
        s.exchange(0, 1, 2);
        s.pass(2_000_000_000L);
        s.exchange(0, 1, 2);
        assertEquals(Outcome.DONE, add.asked.outcome);
        assertEquals(5 + 3 * i + node, Scenario.result(add));
      }
    }
    s.begin(2, 0, OperationKind.WRITE, "key", 7);
    s.exchange(0, 1, 2);
    KiteSession read = s.begin(1, 0, OperationKind.ACQUIRE, "key");
    s.exchange(0, 1, 2);
    assertEquals(7, Scenario.result(read));
    assertEquals(2, Timestamp.version(read.resultTimestamp().clock()));
    assertEquals(0, s.machine(1).refusedClocks());
  }

  @Test
  void oneNodeMoreIsRefusedAtStart() {
    KiteView view = view(9, KiteView.NODES_OF_PLACE_MAX);
    String message = assertThrows(IllegalArgumentException.class, () -> node(view)).getMessage();
    assertTrue(message.contains("has had 65535 nodes"), message);
  }

  @Test
  void aRunOfWritesThatOneMessageCannotCountIsAcknowledgedByTwo() {
    int writes = Message.COUNT_MAX + 10;
    List<ByteBuffer> sent = new ArrayList<>();
    KiteWorker worker =
        new KiteWorker(
            node(KiteView.first(NODES)),
            0,
            (peer, bytes, into) -> {
              sent.add(ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN));
              into.wrap(sent.get(sent.size() - 1), 0);
              return true;
            },
            session -> {});
    ByteBuffer buffer = ByteBuffer.allocateDirect(48).order(ByteOrder.LITTLE_ENDIAN);
    Message write = new Message().wrap(buffer, 0);
    for (int i = 1; i <= writes; i++) {
      write.begin(MessageType.WRITE, Message.HEADER_BYTES).view(1).id(i).keyLength(1);
      write.valueLength(1).clock(Timestamp.clock(i, 1));
      worker.onMessage(1, write, 1);
    }
    worker.poll(2);
    long acknowledged = 0;
    Message acks = new Message();
    for (ByteBuffer each : sent) {
      acks.wrap(each, 0);
      assertEquals(MessageType.WRITE_ACKS, acks.type());
      assertEquals(1 + acknowledged, acks.id());
      acknowledged += acks.count();
    }
    assertEquals(writes, acknowledged);
  }
}
