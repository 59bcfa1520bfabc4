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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.BatchTooLargeException;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.OtherNodeException;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

class BatchesTest {
  private static final Key ONE = Key.of("one");
  private static final Key TWO = Key.of("two");

  private final Map<Key, Write> found = new HashMap<>();

  private Operation batch(Batch.Part... parts) {
    return batchAt(Batch.ANYWHERE, parts);
  }

  private Operation batchAt(int place, Batch.Part... parts) {
    found.clear();
    return Operation.batch(
        new Batch(place, List.of(parts)), version -> found.put(version.key(), version));
  }

  private static Batch.Part write(Key key, int value) {
    return Batch.Part.write(key, new byte[] {(byte) value});
  }

  private static Batch.Part replace(Key key, long expected, int value) {
    return new Batch.Part(key, expected, true, new byte[] {(byte) value});
  }

  private static ReplicaSession session(ReplicaNodes nodes, int node) {
    return nodes.replica(node).openSession(null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "causal/strict",
        "causal/synchronous",
        "causal/read-enforced",
        "causal/scope",
        "causal/eventual"
      })
  void itIsOneVersionOfAllKeysAtEachNode(String model) {
    ReplicaNodes nodes = new ReplicaNodes(model, 3);
    ReplicaSession session = session(nodes, 0);
    Operation batch = nodes.submit(0, session, batch(write(ONE, 1), write(TWO, 2)));
    nodes.settle();
    assertEquals(Operation.Status.DONE, batch.status());
    assertTrue(batch.hasWritten() && batch.batch().held());
    assertEquals(0, batch.batch().node());
    assertEquals(Map.of(), found, "nothing was there before");
    for (int node = 0; node < 3; node++) {
      assertEquals(batch.clock(), nodes.replica(node).peek(ONE).clock());
      assertEquals(batch.clock(), nodes.replica(node).peek(TWO).clock());
    }
    Operation read =
        nodes.submit(1, session(nodes, 1), batch(Batch.Part.read(ONE), Batch.Part.read(TWO)));
    nodes.settle();
    assertEquals(Operation.Status.DONE, read.status());
    assertFalse(read.hasWritten());
    assertEquals(2, found.size());
  }

  @Test
  void itIsOneRecordOfTheLog() {
    ReplicaNodes nodes = new ReplicaNodes("causal/synchronous", 3);
    nodes.submit(0, session(nodes, 0), batch(write(ONE, 1), write(TWO, 2)));
    nodes.settle();
    for (int node = 0; node < 3; node++) {
      List<LogRecord> batches =
          nodes.log(node).stream()
              .filter(record -> record instanceof LogRecord.Batch each && each.writes().size() == 2)
              .toList();
      assertEquals(1, batches.size());
    }
  }

  @Test
  void whatDoesNotHoldWritesNothingAndTellsWhatIsThere() {
    ReplicaNodes nodes = new ReplicaNodes("causal/eventual", 3);
    ReplicaSession session = session(nodes, 0);
    Operation first = nodes.submit(0, session, batch(write(ONE, 1)));
    Operation refused =
        nodes.submit(0, session, batch(replace(ONE, first.clock() + 1, 5), write(TWO, 2)));
    assertEquals(Operation.Status.DONE, refused.status());
    assertFalse(refused.hasWritten() || refused.batch().held());
    assertEquals(first.clock(), found.get(ONE).clock());
    assertNull(nodes.replica(0).peek(TWO));
    Operation written =
        nodes.submit(0, session, batch(replace(ONE, first.clock(), 5), Batch.Part.expect(TWO, 0)));
    assertTrue(written.hasWritten());
    assertEquals(first.clock(), found.get(ONE).clock(), "that is what was there before");
  }

  @Test
  void aRemovalIsNoValue() {
    ReplicaNodes nodes = new ReplicaNodes("causal/eventual", 1);
    ReplicaSession session = session(nodes, 0);
    nodes.submit(0, session, Operation.write(ONE, new byte[1]));
    nodes.submit(0, session, batch(Batch.Part.write(ONE, null)));
    assertTrue(nodes.submit(0, session, batch(replace(ONE, Batch.NO_VALUE, 3))).hasWritten());
    assertFalse(nodes.submit(0, session, batch(replace(ONE, Batch.NO_VALUE, 4))).hasWritten());
  }

  @Test
  void anExpectationIsAboutWhatIsNotDurableYetToo() {
    ReplicaNodes nodes = new ReplicaNodes("causal/synchronous", 2);
    Operation written = nodes.submit(0, session(nodes, 0), batch(replace(ONE, 0, 1)));
    assertTrue(written.hasWritten());
    assertNull(nodes.replica(0).peek(ONE), "it is not visible");
    Operation second = nodes.submit(0, session(nodes, 0), batch(replace(ONE, 0, 2)));
    assertEquals(Operation.Status.OPEN, second.status());
    Operation behind = nodes.submit(0, session(nodes, 0), Operation.write(ONE, new byte[] {3}));
    assertEquals(Operation.Status.OPEN, behind.status(), "it does not keep the batch waiting");
    nodes.settle();
    assertEquals(Operation.Status.DONE, second.status());
    assertFalse(second.hasWritten());
    assertEquals(written.clock(), found.get(ONE).clock());
    assertEquals(Operation.Status.DONE, behind.status());
    assertEquals(behind.clock(), nodes.replica(1).peek(ONE).clock());
  }

  @Test
  void whoGoesAwayDoesNotHoldUpOthers() {
    ReplicaNodes nodes = new ReplicaNodes("causal/synchronous", 2);
    nodes.submit(0, session(nodes, 0), Operation.write(ONE, new byte[1]));
    ReplicaSession waiting = session(nodes, 0);
    Operation batch = nodes.submit(0, waiting, batch(replace(ONE, 0, 2)));
    nodes.replica(0).close(waiting);
    assertEquals(Operation.Status.ABORTED, batch.status());
    Operation write = nodes.submit(0, session(nodes, 0), Operation.write(ONE, new byte[1]));
    assertEquals(Operation.Status.DONE, write.status());
    nodes.replica(0).checkInvariants();
  }

  @Test
  void whatIsNotDurableIsToldWhenItIs() {
    ReplicaNodes nodes = new ReplicaNodes("causal/read-enforced", 2);
    ReplicaSession session = session(nodes, 0);
    Operation first = nodes.submit(0, session, batch(write(ONE, 1)));
    assertEquals(Operation.Status.DONE, first.status(), "what is written need not be");
    Operation next = nodes.submit(0, session, batch(replace(ONE, first.clock(), 2), write(TWO, 2)));
    assertEquals(Operation.Status.OPEN, next.status());
    assertEquals(next.clock(), nodes.replica(0).peek(ONE).clock(), "it has written");
    nodes.force(0);
    assertEquals(Operation.Status.DONE, next.status());
    assertEquals(first.clock(), found.get(ONE).clock());
  }

  @Test
  void itMayWriteKeysOfOtherSessionsOfItsClient() {
    ReplicaNodes nodes = new ReplicaNodes("causal/synchronous", 2);
    ReplicaSession first = session(nodes, 0);
    ReplicaSession beside = nodes.replica(0).openSessionBeside(first);
    nodes.submit(0, first, batch(write(ONE, 2), write(TWO, 2)));
    nodes.submit(0, beside, Operation.write(ONE, new byte[] {3}));
    assertTrue(first.hasOwnInvisible() && beside.hasOwnInvisible());
    Operation again = nodes.submit(0, first, batch(Batch.Part.read(ONE)));
    assertEquals(Operation.Status.OPEN, again.status());
    Operation read = nodes.submit(0, beside, Operation.read(TWO));
    assertEquals(Operation.Status.OPEN, read.status(), "it waits for what the client has written");
    nodes.settle();
    assertEquals(2, read.read().value()[0]);
    assertEquals(3, found.get(ONE).value()[0]);
    assertFalse(first.hasOwnInvisible() || beside.hasOwnInvisible());
  }

  @Test
  void whatIsNoBatchOfThisNodeIsRefused() {
    ReplicaNodes other = new ReplicaNodes("eventual/eventual", 1);
    assertThrows(
        UnsupportedOperationException.class,
        () -> other.submit(0, session(other, 0), batch(write(ONE, 1))));
    ReplicaNodes nodes = new ReplicaNodes("causal/eventual", 2);
    ReplicaSession session = session(nodes, 1);
    assertThrows(
        OtherNodeException.class, () -> nodes.submit(1, session, batchAt(0, write(ONE, 1))));
    assertTrue(nodes.submit(1, session, batchAt(1, write(ONE, 1))).hasWritten());
    byte[] large = new byte[300 << 10];
    assertThrows(
        BatchTooLargeException.class,
        () ->
            nodes.submit(
                1, session, batch(Batch.Part.write(ONE, large), Batch.Part.write(TWO, large))));
    assertThrows(IllegalArgumentException.class, () -> batch(write(ONE, 1), Batch.Part.read(ONE)));
    assertThrows(IllegalArgumentException.class, () -> Batch.Part.expect(ONE, -2));
  }

  @Test
  void whatTheScopeHasCountsToo() {
    ReplicaNodes nodes = new ReplicaNodes("causal/scope", 1);
    ReplicaSession session = session(nodes, 0);
    byte[] large = new byte[300 << 10];
    nodes.submit(0, session, batch(Batch.Part.write(ONE, large)));
    assertThrows(
        BatchTooLargeException.class,
        () -> nodes.submit(0, session, batch(Batch.Part.write(TWO, large))));
    assertTrue(nodes.submit(0, session, batch(Batch.Part.write(ONE, large))).hasWritten());
  }

  @Test
  void versionsOfOneClockStayTogether() {
    Write a = new Write(ONE, 1, new byte[10]);
    Write b = new Write(TWO, 1, new byte[10]);
    Write c = new Write(ONE, 2, new byte[10]);
    assertEquals(
        List.of(List.of(a, b), List.of(c)), Encoding.splitBetweenClocks(List.of(a, b, c), 1));
    assertEquals(List.of(List.of(a, b, c)), Encoding.splitBetweenClocks(List.of(a, b, c), 1000));
    assertEquals(List.of(), Encoding.splitBetweenClocks(List.of(), 1));
  }
}
