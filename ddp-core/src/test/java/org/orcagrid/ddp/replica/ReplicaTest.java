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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.BatchTooLargeException;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.wire.Packet;

/** What a write and a read wait for, step by step (DDP, Figures 2, 3 and 5). */
class ReplicaTest {
  private static final Key KEY = Key.of("k");
  private static final byte[] VALUE = {1};
  private static final int PAGE_BYTES = 100;
  private static final long PROGRESS_NANOS = 100;
  private static final int BATCH_BYTES_MAX = 1000;

  /** Two nodes, between which packets go when a test says so. */
  private static final class Nodes {
    private final List<Replica> replicas = new ArrayList<>();
    private final List<List<Packet>> sent = List.of(new ArrayList<>(), new ArrayList<>());
    private final List<List<LogRecord>> logs = List.of(new ArrayList<>(), new ArrayList<>());

    private final Set<Integer> caughtUp = new HashSet<>();
    private final Map<Integer, Long> trimmed = new HashMap<>();
    private long now;
    private final String model;

    Nodes(String model) {
      this.model = model;
      replicas.add(replica(0));
      replicas.add(replica(1));
      view(new ReplicaView(1, List.of(1, 1), 3));
      deliverAll();
    }

    private Replica replica(int self) {
      ReplicaSettings settings =
          new ReplicaSettings(
              2,
              self,
              Ddp.parse(model),
              ReplicaSettings.Conflicts.ABORT,
              new ReplicaSettings.Times(Long.MAX_VALUE, PROGRESS_NANOS),
              100,
              new ReplicaSettings.Limits(PAGE_BYTES, BATCH_BYTES_MAX, 2));
      return new Replica(settings, ReplicaRule.all(), new NodeEffects(self));
    }

    private final class NodeEffects implements Effects {
      private final int self;

      private NodeEffects(int self) {
        this.self = self;
      }

      @Override
      public void send(int peer, Packet packet) {
        sent.get(self).add(packet);
      }

      @Override
      public long persist(LogRecord record, boolean eager) {
        logs.get(self).add(record);
        return logs.get(self).size();
      }

      @Override
      public void trim(long position, long live) {
        trimmed.put(self, position);
      }

      @Override
      public void completed(Operation operation) {}

      @Override
      public void caughtUp(int view) {
        caughtUp.add(self);
      }
    }

    void view(ReplicaView view) {
      replicas.forEach(replica -> replica.onView(view));
      flush();
    }

    private void flush() {
      replicas.forEach(replica -> replica.flush(now));
    }

    /** It has lost its memory and its medium. */
    void restart(int node) {
      sent.get(node).clear();
      logs.get(node).clear();
      replicas.set(node, replica(node));
    }

    /** Time passes, enough for all that is done now and then. */
    void pass() {
      for (int round = 0; round < 20; round++) {
        now += PROGRESS_NANOS;
        replicas.forEach(replica -> replica.tick(now));
        flush();
        deliverAll();
      }
    }

    void forceAll() {
      for (int round = 0; round < 5; round++) {
        deliverAll();
        force(0);
        force(1);
      }
    }

    /** What node {@code from} has sent arrives. */
    void deliver(int from) {
      List<Packet> packets = List.copyOf(sent.get(from));
      sent.get(from).clear();
      packets.forEach(packet -> replicas.get(1 - from).onPacket(from, packet));
      flush();
    }

    void deliverAll() {
      while (!sent.get(0).isEmpty() || !sent.get(1).isEmpty()) {
        deliver(0);
        deliver(1);
      }
    }

    void force(int node) {
      replicas.get(node).onDurable(logs.get(node).size());
      flush();
    }

    Operation write(int node) {
      return submit(node, replicas.get(node).openSession(null), Operation.write(KEY, VALUE));
    }

    Operation read(int node) {
      return submit(node, replicas.get(node).openSession(null), Operation.read(KEY));
    }

    Operation submit(int node, ReplicaSession session, Operation operation) {
      replicas.get(node).submit(session, operation);
      flush();
      return operation;
    }
  }

  private static boolean isDone(Operation operation) {
    return operation.status() == Operation.Status.DONE;
  }

  @Test
  void linearizableSynchronousWaitsForAllMediaAndHoldsReadsBack() {
    Nodes nodes = new Nodes("linearizable/synchronous");
    Operation write = nodes.write(0);
    nodes.deliver(0);
    Operation read = nodes.read(1);
    assertFalse(isDone(read), "INV holds reads back");
    nodes.deliverAll();
    assertFalse(isDone(write), "nothing is durable");
    nodes.force(1);
    nodes.deliver(1);
    assertFalse(isDone(write), "it is not durable at the coordinator");
    nodes.force(0);
    assertTrue(isDone(write));
    assertFalse(isDone(read), "VAL is on its way");
    nodes.deliverAll();
    assertTrue(isDone(read));
    assertArrayEquals(VALUE, read.read().value());
  }

  @Test
  void linearizableReadEnforcedCompletesEarlierAndReadsWaitForTheMedia() {
    Nodes nodes = new Nodes("linearizable/read-enforced");
    Operation write = nodes.write(0);
    nodes.deliverAll();
    assertTrue(isDone(write), "all have it");
    Operation read = nodes.read(1);
    assertFalse(isDone(read), "nobody has it durable");
    nodes.force(0);
    nodes.force(1);
    nodes.deliverAll();
    assertTrue(isDone(read));
  }

  @Test
  void readEnforcedSynchronousCompletesAtOnce() {
    Nodes nodes = new Nodes("read-enforced/synchronous");
    assertTrue(isDone(nodes.write(0)));
    Operation read = nodes.read(0);
    assertFalse(isDone(read));
    nodes.force(0);
    nodes.deliverAll();
    nodes.force(1);
    nodes.deliverAll();
    assertTrue(isDone(read));
  }

  @Test
  void causalSynchronousReadsTheLatestPersistedVersionAtTheFollower() {
    Nodes nodes = new Nodes("causal/synchronous");
    assertTrue(isDone(nodes.write(0)));
    nodes.deliver(0);
    Operation before = nodes.read(1);
    assertTrue(isDone(before), "reads never wait for others");
    assertNull(before.read());
    nodes.force(1);
    assertArrayEquals(VALUE, nodes.read(1).read().value());
  }

  @Test
  void causalReadEnforcedWaitsForTheLatestVisibleVersion() {
    Nodes nodes = new Nodes("causal/read-enforced");
    nodes.write(0);
    nodes.deliver(0);
    Operation read = nodes.read(1);
    assertFalse(isDone(read));
    nodes.force(1);
    assertTrue(isDone(read));
  }

  @Test
  void eventualStrictCompletesWhenAllHavePersisted() {
    Nodes nodes = new Nodes("eventual/strict");
    Operation write = nodes.write(0);
    nodes.force(0);
    nodes.deliverAll();
    assertFalse(isDone(write));
    nodes.force(1);
    nodes.deliverAll();
    assertTrue(isDone(write));
  }

  @Test
  void releaseReadEnforcedReadsAndWritesAtOnceAndAcquiresWhatAllHave() {
    Nodes nodes = new Nodes("release/read-enforced");
    ReplicaSession writer = nodes.replicas.get(0).openSession(null);
    ReplicaSession reader = nodes.replicas.get(1).openSession(null);
    Key flag = Key.of("flag");
    assertTrue(isDone(nodes.submit(0, writer, Operation.write(KEY, VALUE))));
    Operation release = nodes.submit(0, writer, Operation.release(flag, VALUE));
    nodes.deliver(0);
    Operation relaxed = nodes.submit(1, reader, Operation.read(flag));
    assertFalse(isDone(relaxed), "it is not durable here");
    nodes.force(1);
    assertTrue(isDone(relaxed), "no other node is asked");
    Operation acquire = nodes.submit(1, reader, Operation.acquire(flag));
    assertFalse(isDone(release));
    nodes.deliver(1);
    assertTrue(isDone(release), "all have it");
    nodes.deliver(0);
    assertFalse(isDone(acquire), "it is not durable at its writer's node");
    nodes.force(0);
    nodes.deliver(0);
    assertTrue(isDone(acquire));
    assertArrayEquals(VALUE, nodes.read(1).read().value());
  }

  @Test
  void aRelaxedReadDoesNotShowWhatMayBeGivenUp() {
    Nodes nodes = new Nodes("release/eventual");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    nodes.submit(0, session, Operation.getAndSet(KEY, VALUE));
    nodes.deliver(0);
    Operation read = nodes.read(1);
    assertFalse(isDone(read));
    nodes.deliverAll();
    assertTrue(isDone(read));
  }

  @Test
  void aScopeIsOneRecordAtAllNodes() {
    Nodes nodes = new Nodes("linearizable/scope");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    nodes.submit(0, session, Operation.write(KEY, VALUE));
    nodes.deliverAll();
    nodes.submit(0, session, Operation.write(Key.of("l"), VALUE));
    nodes.deliverAll();
    assertEquals(List.of(), nodes.logs.get(1), "nothing is persisted yet");
    Operation persist = nodes.submit(0, session, Operation.of(Operation.Kind.PERSIST));
    nodes.deliverAll();
    assertFalse(isDone(persist));
    nodes.force(0);
    nodes.force(1);
    nodes.deliverAll();
    assertTrue(isDone(persist));
    assertEquals(2, ((LogRecord.Batch) nodes.logs.get(1).get(0)).writes().size());
  }

  @Test
  void transactionsThatMeetAreAbortedAndLeaveNothing() {
    Nodes nodes = new Nodes("transactional/eventual");
    ReplicaSession one = nodes.replicas.get(0).openSession(null);
    ReplicaSession two = nodes.replicas.get(1).openSession(null);
    nodes.submit(0, one, Operation.of(Operation.Kind.BEGIN));
    nodes.submit(1, two, Operation.of(Operation.Kind.BEGIN));
    nodes.deliverAll();
    nodes.submit(0, one, Operation.write(KEY, VALUE));
    nodes.deliverAll();
    Operation late = nodes.submit(1, two, Operation.write(KEY, new byte[] {2}));
    assertEquals(Operation.Status.ABORTED, late.status());
    assertNull(nodes.read(1).read(), "not visible before its end");
    Operation end = nodes.submit(0, one, Operation.of(Operation.Kind.END));
    nodes.deliverAll();
    assertTrue(isDone(end));
    assertArrayEquals(VALUE, nodes.read(1).read().value());
  }

  @Test
  void aTransactionThatWasNotBegunCannotEndAndDisturbsNobody() {
    Nodes nodes = new Nodes("transactional/eventual");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    Operation end = Operation.of(Operation.Kind.END);
    assertThrows(IllegalStateException.class, () -> nodes.submit(0, session, end));
    nodes.submit(0, session, Operation.of(Operation.Kind.BEGIN));
    nodes.deliverAll();
    Operation begin = Operation.of(Operation.Kind.BEGIN);
    assertThrows(IllegalStateException.class, () -> nodes.submit(0, session, begin));
    Operation write = nodes.write(0);
    nodes.deliverAll();
    assertTrue(isDone(write));
  }

  @Test
  void aSessionThatIsClosedLeavesNothingBehind() {
    Nodes nodes = new Nodes("transactional/eventual");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    nodes.submit(0, session, Operation.of(Operation.Kind.BEGIN));
    nodes.deliverAll();
    nodes.submit(0, session, Operation.write(KEY, VALUE));
    nodes.deliverAll();
    Operation write = nodes.write(1);
    nodes.deliverAll();
    assertFalse(isDone(write), "the key is taken");
    nodes.replicas.get(0).close(session);
    nodes.flush();
    nodes.deliverAll();
    assertTrue(isDone(write));
  }

  @Test
  void aTransactionThatIsFullRefusesTheWriteAndCanStillEnd() {
    Nodes nodes = new Nodes("transactional/synchronous");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    nodes.submit(0, session, Operation.of(Operation.Kind.BEGIN));
    nodes.forceAll();
    byte[] half = new byte[BATCH_BYTES_MAX / 2];
    Operation first = nodes.submit(0, session, Operation.write(KEY, half));
    nodes.forceAll();
    assertTrue(isDone(first));
    BatchTooLargeException e =
        assertThrows(
            BatchTooLargeException.class,
            () -> nodes.submit(0, session, Operation.write(Key.of("l"), half)));
    assertTrue(e.getMessage().contains("batchBytesMax"), e.getMessage());
    Operation again = nodes.submit(0, session, Operation.write(KEY, half));
    nodes.forceAll();
    assertTrue(isDone(again), "it takes the place of the first one");
    Operation end = nodes.submit(0, session, Operation.of(Operation.Kind.END));
    nodes.forceAll();
    assertTrue(isDone(end));
  }

  @Test
  void aScopeThatIsFullRefusesTheWriteAndIsEmptyOncePersisted() {
    Nodes nodes = new Nodes("causal/scope");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    byte[] half = new byte[BATCH_BYTES_MAX / 2];
    nodes.submit(0, session, Operation.write(KEY, half));
    assertThrows(
        BatchTooLargeException.class,
        () -> nodes.submit(0, session, Operation.write(Key.of("l"), half)));
    nodes.submit(0, session, Operation.of(Operation.Kind.PERSIST));
    nodes.forceAll();
    assertTrue(isDone(nodes.submit(0, session, Operation.write(Key.of("l"), half))));
  }

  @Test
  void aWriteThatNoRecordHoldsIsRefused() {
    Nodes nodes = new Nodes("eventual/eventual");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    byte[] value = new byte[BATCH_BYTES_MAX];
    assertThrows(
        BatchTooLargeException.class, () -> nodes.submit(0, session, Operation.write(KEY, value)));
  }

  @Test
  void aNodeThatComesBackIsToldInPagesAndOnlyAsManyAsItHasRoomFor() {
    Nodes nodes = new Nodes("linearizable/synchronous");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    for (int i = 0; i < 200; i++) {
      nodes.submit(0, session, Operation.write(Key.of("k" + i), new byte[PAGE_BYTES / 2]));
      nodes.forceAll();
    }
    nodes.restart(1);
    nodes.view(new ReplicaView(2, List.of(1, 2), 1));
    int pages = 0;
    int largest = 0;
    while (!nodes.caughtUp.contains(1)) {
      int before = nodes.logs.get(1).size();
      nodes.deliverAll();
      List<LogRecord> log = nodes.logs.get(1);
      for (LogRecord record : log.subList(before, log.size())) {
        pages += record instanceof LogRecord.Learned ? 1 : 0;
        largest = Math.max(largest, LogCodec.bytes(record));
      }
      assertTrue(log.size() - before <= 5, "it has asked for four pages");
      nodes.force(1);
    }
    assertTrue(pages >= 50, pages + " pages");
    assertTrue(largest < 2 * PAGE_BYTES, largest + " bytes");
    nodes.view(new ReplicaView(3, List.of(1, 2), 3));
    nodes.deliverAll();
    assertEquals(PAGE_BYTES / 2, nodes.replicas.get(1).peek(Key.of("k199")).value().length);
  }

  @Test
  void nobodyServesInAViewBeforeAllHaveSaidHello() {
    Nodes nodes = new Nodes("causal/eventual");
    nodes.restart(1);
    nodes.view(new ReplicaView(2, List.of(1, 2), 1));
    while (!nodes.caughtUp.contains(1)) {
      nodes.deliverAll();
      nodes.forceAll();
    }
    nodes.view(new ReplicaView(3, List.of(1, 2), 3));
    assertFalse(nodes.replicas.get(1).isServing());
    nodes.deliver(0);
    assertTrue(nodes.replicas.get(1).isServing());
    assertFalse(nodes.replicas.get(0).isServing(), "node 1 has not been heard");
    nodes.deliverAll();
    assertTrue(nodes.replicas.get(0).isServing());
  }

  @Test
  void aRemovedKeyIsForgottenWhenTheRemovalIsDurableAtAllNodes() {
    Nodes nodes = new Nodes("causal/eventual");
    nodes.write(0);
    nodes.deliverAll();
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    nodes.submit(0, session, Operation.write(KEY, null));
    nodes.deliverAll();
    nodes.force(0);
    nodes.pass();
    assertNull(nodes.replicas.get(1).peek(KEY).value());
    assertNotNull(nodes.replicas.get(0).peek(KEY), "the removal is not durable at the other node");
    nodes.force(1);
    nodes.pass();
    assertNull(nodes.replicas.get(0).peek(KEY));
    assertNull(nodes.replicas.get(1).peek(KEY));
    assertNull(nodes.read(1).read());
    Operation again = nodes.write(1);
    nodes.deliverAll();
    assertTrue(isDone(again));
    assertArrayEquals(VALUE, nodes.read(0).read().value());
  }

  @Test
  void aRemovalWhoseScopeIsNotPersistedIsKept() {
    Nodes nodes = new Nodes("causal/scope");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    nodes.submit(0, session, Operation.write(KEY, null));
    nodes.forceAll();
    nodes.pass();
    assertNotNull(nodes.replicas.get(0).peek(KEY));
    nodes.submit(0, session, Operation.of(Operation.Kind.PERSIST));
    nodes.forceAll();
    nodes.pass();
    assertNull(nodes.replicas.get(0).peek(KEY));
  }

  @Test
  void theLogIsTrimmedAndTheLatestVersionsAreLeft() {
    Nodes nodes = new Nodes("read-enforced/synchronous");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    for (int i = 0; i < 200; i++) {
      byte[] value = {(byte) i};
      nodes.submit(0, session, Operation.write(Key.of("k" + i % 3), value));
      if (i % 20 == 0) {
        nodes.replicas.get(0).makeRoom();
      }
      nodes.forceAll();
      nodes.pass();
    }
    List<LogRecord> log = nodes.logs.get(0);
    long trimmed = nodes.trimmed.get(0);
    assertTrue(log.size() - trimmed < 60, log.size() - trimmed + " of " + log.size());
    Replica again = nodes.replica(0);
    Logs.recover(again, log.subList((int) trimmed - 1, log.size()));
    for (int key = 0; key < 3; key++) {
      Key each = Key.of("k" + key);
      assertEquals(nodes.replicas.get(0).peek(each), again.peek(each));
    }
  }

  @Test
  void aNodeThatIsAloneGoesOnForEver() {
    List<LogRecord> log = new ArrayList<>();
    ReplicaSettings settings =
        new ReplicaSettings(
            1,
            0,
            Ddp.parse("causal/eventual"),
            ReplicaSettings.Conflicts.ABORT,
            new ReplicaSettings.Times(Long.MAX_VALUE, Long.MAX_VALUE),
            2);
    Replica alone = new Replica(settings, ReplicaRule.all(), new Silent(log));
    alone.onView(new ReplicaView(1, List.of(1), 1));
    ReplicaSession session = alone.openSession(null);
    for (int i = 0; i < 10; i++) {
      Operation write = Operation.write(KEY, VALUE);
      alone.submit(session, write);
      assertTrue(isDone(write), "write " + i);
    }
  }

  /** Sends nothing to anybody. */
  private record Silent(List<LogRecord> log) implements Effects {
    @Override
    public void send(int peer, Packet packet) {
      throw new IllegalStateException("There is nobody to send to");
    }

    @Override
    public long persist(LogRecord record, boolean eager) {
      log.add(record);
      return log.size();
    }

    @Override
    public void trim(long position, long live) {}

    @Override
    public void completed(Operation operation) {}

    @Override
    public void caughtUp(int view) {}
  }

  @Test
  void whatAModelDoesNotHaveIsRefused() {
    Nodes nodes = new Nodes("causal/synchronous");
    ReplicaSession session = nodes.replicas.get(0).openSession(null);
    assertThrows(
        UnsupportedOperationException.class,
        () -> nodes.submit(0, session, Operation.of(Operation.Kind.BEGIN)));
    String sentence =
        assertThrows(
                UnsupportedOperationException.class,
                () -> nodes.submit(0, session, Operation.acquire(KEY)))
            .getMessage();
    assertTrue(sentence.contains("release consistency has"), sentence);
    ReplicaSession other = new Nodes("causal/synchronous").replicas.get(0).openSession(null);
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            new Nodes("causal/synchronous").submit(0, other, Operation.of(Operation.Kind.PERSIST)));
  }
}
