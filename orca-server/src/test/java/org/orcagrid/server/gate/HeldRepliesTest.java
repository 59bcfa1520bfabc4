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
package org.orcagrid.server.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldRepliesTest {
  private static final int LIMIT = 4;

  private record Demanded(long durable, long applied) {}

  private final List<Demanded> demands = new ArrayList<>();
  private final ReplyGate gate =
      new ReplyGate(10, 10, (durable, applied) -> demands.add(new Demanded(durable, applied)));
  private final GateMetrics metrics = new GateMetrics();
  private final RecordingConnection connection = new RecordingConnection();
  private final HeldReplies replies = new HeldReplies(connection, gate, metrics, LIMIT);

  private int send(int xid, long durable, long applied) {
    return replies.send(RecordingConnection.reply(xid), durable, applied, 0);
  }

  @Test
  void aReplyWhoseNeedsAreMetLeavesAtOnceAndAsksForNothing() {
    assertEquals(100, send(1, 10, 10));

    assertEquals(List.of(1), connection.delivered());
    assertEquals(List.of(), demands);
    assertEquals(0, metrics.repliesHeld());
  }

  @Test
  void aReplyIsHeldUntilBothIndexesAreReached() {
    assertEquals(0, send(1, 11, 12));
    assertEquals(List.of(new Demanded(11, 12)), demands);
    assertEquals(1, gate.held());

    gate.advance(11, 11);
    assertEquals(List.of(), connection.delivered());
    gate.advance(0, 12);
    assertEquals(List.of(1), connection.delivered());
    assertEquals(0, gate.held());
    assertEquals(1, metrics.repliesHeld());
  }

  @Test
  void onlyWhatIsMissingIsAskedFor() {
    send(1, 11, 10);
    send(2, 0, 13);

    assertEquals(List.of(new Demanded(11, 0), new Demanded(0, 13)), demands);
  }

  @Test
  void repliesBehindOneThatNeedsAsMuchAskForNothing() {
    send(1, 11, 12);
    send(2, 11, 12);
    send(3, 0, 12);
    send(4, 13, 12);
    assertEquals(List.of(new Demanded(11, 12), new Demanded(13, 12)), demands);

    gate.advance(13, 12);
    assertEquals(List.of(1, 2, 3, 4), connection.delivered());
    send(5, 14, 0);
    assertEquals(new Demanded(14, 0), demands.get(2), "the queue was empty");
  }

  @Test
  void aReplyThatNeedsNothingWaitsBehindOneThatIsHeld() {
    send(1, 11, 0);
    send(2, 0, 0);
    assertEquals(List.of(), connection.delivered());

    gate.advance(11, 0);
    assertEquals(List.of(1, 2), connection.delivered());
  }

  @Test
  void theGateNeverClosesAgain() {
    gate.advance(20, 20);
    gate.advance(5, 5);

    assertEquals(20, gate.durable());
    assertEquals(20, gate.applied());
    assertEquals(100, send(1, 20, 20));
  }

  @Test
  void aDemandThatIsAnsweredAtOnceLetsTheReplyLeaveWithinTheCall() {
    ReplyGate[] self = new ReplyGate[1];
    self[0] = new ReplyGate(0, 0, (durable, applied) -> self[0].advance(durable, applied));
    HeldReplies answered = new HeldReplies(connection, self[0], metrics, LIMIT);

    answered.send(RecordingConnection.reply(1), 3, 4, 0);
    assertEquals(List.of(1), connection.delivered());
    assertEquals(0, self[0].held());
  }

  @Test
  void readingPausesAtTheLimitAndResumesAtHalfOfIt() {
    for (int xid = 1; xid < LIMIT; xid++) {
      send(xid, 10 + xid, 0);
      assertTrue(connection.isReading());
    }
    send(LIMIT, 10 + LIMIT, 0);
    assertFalse(connection.isReading());

    gate.advance(12, 0);
    assertTrue(connection.isReading());
  }

  @Test
  void readingPausesAgainAfterTheServerItselfResumedItWithADelivery() {
    for (int xid = 1; xid <= LIMIT; xid++) {
      send(xid, 10 + xid, 0);
    }
    gate.advance(11, 0);
    assertTrue(connection.isReading(), "the stock server reads on after each reply");

    send(LIMIT + 1, 20, 0);
    assertFalse(connection.isReading(), "but not beyond the limit");
  }

  @Test
  void theEndOfTheConnectionComesBehindTheRepliesBeforeIt() {
    send(1, 11, 0);
    replies.send(new HeldReplies.Close(), 0, 0, 0);
    assertFalse(connection.hasEnded());

    gate.advance(11, 0);
    assertEquals(List.of(1), connection.delivered());
    assertTrue(connection.hasEnded());
  }

  @Test
  void aClosedConnectionGetsNothingMore() {
    send(1, 11, 0);
    replies.close();
    assertEquals(0, gate.held());

    gate.advance(11, 0);
    assertEquals(0, send(2, 0, 0));
    assertEquals(List.of(), connection.delivered());
  }

  @Test
  void connectionsDoNotWaitForEachOther() {
    RecordingConnection other = new RecordingConnection();
    HeldReplies otherReplies = new HeldReplies(other, gate, metrics, LIMIT);
    send(1, 20, 0);
    otherReplies.send(RecordingConnection.reply(1), 11, 0, 0);

    gate.advance(11, 0);
    assertEquals(List.of(1), other.delivered());
    assertEquals(List.of(), connection.delivered());
    assertEquals(1, gate.held());
  }
}
