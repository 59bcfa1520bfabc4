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
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.NumberBound;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.replica.wire.Update;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** Packets with a clock that no node has made, in each kind of message that has one. */
class ForgedClocksOfMapsTest {
  private static final Key KEY = Key.of("key");

  /** One of each kind, with this clock if it has any. */
  private static List<ReplicaMessage> messages(long clock) {
    Write write = new Write(KEY, clock, new byte[] {1, 2, 3});
    List<Write> writes = List.of(write);
    Update update = new Update(1, 1L << 32, 0, new long[3], false, writes);
    return List.of(
        new ReplicaMessage.Inv(write),
        new ReplicaMessage.Ack(KEY, clock, ReplicaMessage.CONSISTENCY),
        new ReplicaMessage.Val(KEY, clock, ReplicaMessage.PERSISTENCY),
        new ReplicaMessage.Upd(update),
        new ReplicaMessage.UpdPersisted(7),
        new ReplicaMessage.Landed(64, new ReplicaMessage.Inv(write)),
        new ReplicaMessage.Kept(64),
        new ReplicaMessage.Taken(64),
        new ReplicaMessage.Progress(new long[] {1, 2, 3}),
        new ReplicaMessage.TxBegin(clock),
        new ReplicaMessage.TxWrite(3, write),
        new ReplicaMessage.TxEnd(3, writes),
        new ReplicaMessage.TxAck(3, ReplicaMessage.TxStep.WRITE, clock),
        new ReplicaMessage.TxConflict(3),
        new ReplicaMessage.TxVal(3, ReplicaMessage.CONSISTENCY),
        new ReplicaMessage.TxAbort(3),
        new ReplicaMessage.ScopePersist(4, writes),
        new ReplicaMessage.ScopeAck(4),
        new ReplicaMessage.Hello(1),
        new ReplicaMessage.StateAsk(1, 2),
        new ReplicaMessage.State(
            1, 1, List.of(new ReplicaMessage.Known(write, ReplicaMessage.CONSISTENCY)), writes),
        new ReplicaMessage.StateEnd(1, clock, clock, new long[3], new long[3]),
        new ReplicaMessage.Recovered(1),
        new ReplicaMessage.ForgetAsk(5, writes),
        new ReplicaMessage.ForgetReady(5, writes),
        new ReplicaMessage.Forget(5, writes));
  }

  static List<ReplicaMessage> forged() {
    return messages(Timestamp.clock(NumberBound.VERSIONS_STEP * 4, 1)).stream()
        .filter(message -> message.clock() != 0)
        .toList();
  }

  private static Packet packet(ReplicaMessage message) {
    return new Packet(1, 1, 1, 1000, 0, 1001, false, List.of(message));
  }

  @Test
  void thereIsOneOfEachKind() {
    Set<Class<?>> kinds = Set.of(ReplicaMessage.class.getPermittedSubclasses());
    assertEquals(
        kinds, messages(1).stream().map(ReplicaMessage::getClass).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @MethodSource("forged")
  void aClockFarAheadIsRefusedAndWritesGoOn(ReplicaMessage message) {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/synchronous", 3);
    MalformedPacketException refused =
        assertThrows(
            MalformedPacketException.class, () -> nodes.replica(0).onPacket(1, packet(message)));
    assertTrue(refused.getMessage().contains("too far ahead"), refused.getMessage());
    Operation write = Operation.write(KEY, new byte[1]);
    nodes.submit(0, nodes.replica(0).openSession(null), write);
    nodes.settle();
    assertEquals(Operation.Status.DONE, write.status());
    assertTrue(Timestamp.version(write.clock()) < 100, () -> "clock " + write.clock());
  }
}
