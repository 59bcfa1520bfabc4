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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.NumberBound;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/** A forged or damaged clock, log or ballot does not stop what comes later. */
class ForgedClocksTest {
  private static final long FAR = Timestamp.clock((1L << 43) - 1, 1);
  private static final long STEP = ClockBound.STEP;

  private final Scenario s = new Scenario(3, KiteRule.all());

  private static Message message(MessageType type, Consumer<Message> header) {
    int headerBytes = Message.headerBytes(type);
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(Message.bytes(headerBytes, 3, Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    Message m = new Message().wrap(buffer, 0);
    m.begin(type, headerBytes).view(1).keyLength(3).valueLength(Long.BYTES);
    buffer.put(m.keyAt(), "key".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    header.accept(m);
    assertTrue(m.isWhole(buffer.capacity()));
    return m;
  }

  /** As the thread of a worker does it: what cannot be ours is not taken. */
  private boolean send(int to, Message m) {
    boolean ours = s.worker(to).mayBeOurs(m);
    if (ours) {
      s.worker(to).onMessage(1, m, 1);
    }
    return ours;
  }

  private boolean sendClock(int to, long clock, long rmw) {
    return send(to, message(MessageType.WRITE, m -> m.id(1).clock(clock).rmw(rmw)));
  }

  private void assertWritable() {
    s.begin(0, 0, OperationKind.WRITE, "key", 5);
    s.exchange(0, 1, 2);
    KiteSession read = s.begin(2, 0, OperationKind.READ, "key");
    s.exchange(0, 1, 2);
    assertEquals(5, Scenario.result(read), "what was written after it");
    KiteSession add = s.begin(0, 0, OperationKind.GET_AND_ADD, "key", 1);
    s.exchange(0, 1, 2);
    assertEquals(Outcome.DONE, add.asked.outcome);
    KiteSession acquire = s.begin(2, 0, OperationKind.ACQUIRE, "key");
    s.exchange(0, 1, 2);
    assertEquals(6, Scenario.result(acquire));
  }

  @Test
  void aWriteFollowsAForgedClock() {
    sendClock(0, FAR, 0);
    s.drop(0, 1);
    assertWritable();
  }

  @Test
  void aClockFarAheadIsRefusedAndCounted() {
    assertFalse(sendClock(0, FAR, 0));
    assertFalse(sendClock(0, Timestamp.clock(STEP + 1, 1), 0));
    assertFalse(sendClock(0, -1, 0));
    assertFalse(sendClock(0, Timestamp.clock(1, 0), STEP + 1));
    assertEquals(4, s.machine(0).refusedClocks());
  }

  @Test
  void aClockWithinAStepIsTakenAndKnown() {
    assertTrue(sendClock(0, Timestamp.clock(STEP, 1), 0));
    assertTrue(sendClock(0, Timestamp.clock(STEP * 2, 1), 0), "a step ahead of the last");
    assertFalse(sendClock(0, Timestamp.clock(STEP * 4, 1), 0));
  }

  /** Whoever follows a clock that was forged just within a step says so until it is believed. */
  @Test
  void whatIsSaidAgainAndAgainIsBelieved() {
    assertTrue(sendClock(0, Timestamp.clock(STEP, 1), 0));
    s.drop(0, 1);
    for (int times = 1; times < NumberBound.CLAIMS; times++) {
      assertFalse(sendClock(1, Timestamp.clock(STEP + times, 0), 0));
      assertFalse(sendClock(2, Timestamp.clock(STEP + times, 0), 0));
      assertFalse(sendClock(2, FAR, 0));
    }
    assertTrue(sendClock(1, Timestamp.clock(STEP + 9, 0), 0));
    assertTrue(sendClock(2, Timestamp.clock(STEP + 9, 0), 0));
    assertFalse(sendClock(2, FAR, 0), "the last step is nobody's");
    for (int i = 0; i < 9; i++) {
      s.begin(0, 0, OperationKind.WRITE, "key", i);
    }
    s.dropAll(1);
    s.dropAll(2);
    s.pass(2_000_000_000L);
    s.exchange(0, 1, 2);
    assertWritable();
  }

  @Test
  void logsAndBallotsFarAheadAreRefused() {
    assertFalse(send(0, message(MessageType.COMMIT, m -> m.log(Long.MAX_VALUE))));
    assertFalse(send(0, message(MessageType.PROPOSE_REPLY, m -> m.lastLog(STEP + 1))));
    assertFalse(send(0, message(MessageType.PROPOSE, m -> m.log(1).ballot(Long.MAX_VALUE))));
    assertFalse(send(0, message(MessageType.ACCEPT_REPLY, m -> m.acceptedBallot(1L << 60))));
    assertWritable();
  }

  /** It knows nothing of how far the others are; only the last step is nobody's. */
  @Test
  void aNodeThatJoinsTakesOverWhatTheOthersHave() {
    for (long version = STEP; version < STEP * 20; version += STEP) {
      for (int node = 0; node < 3; node++) {
        assertTrue(sendClock(node, Timestamp.clock(version, 1), 0));
      }
    }
    s.dropAll(0);
    s.dropAll(1);
    s.dropAll(2);
    KiteView view = s.follow(2);
    assertFalse(sendClock(2, FAR, 0));
    s.machine(0).offer(view);
    s.machine(1).offer(view);
    s.pass(2_000_000_000L);
    s.exchange(0, 1, 2);
    assertTrue(s.machine(2).isServing());
    assertTrue(sendClock(2, Timestamp.clock(STEP * 19, 1), 0));
    assertWritable();
  }
}
