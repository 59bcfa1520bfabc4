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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/** Read-modify-writes, step by step (Hermes, section 3.6). */
class ReadModifyWriteTest {
  private static final Key KEY = Key.of("k");
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};
  private static final byte[] THREE = {3};

  private static boolean isDone(Operation operation) {
    return operation.status() == Operation.Status.DONE;
  }

  private static Operation compareAndSet(
      ReplicaNodes nodes, int node, byte[] expected, byte[] value) {
    ReplicaSession session = nodes.replica(node).openSession(null);
    return nodes.submit(node, session, Operation.compareAndSet(KEY, expected, value));
  }

  private static Operation getAndSet(ReplicaNodes nodes, int node, byte[] value) {
    ReplicaSession session = nodes.replica(node).openSession(null);
    return nodes.submit(node, session, Operation.getAndSet(KEY, value));
  }

  private static Operation write(ReplicaNodes nodes, int node, byte[] value) {
    ReplicaSession session = nodes.replica(node).openSession(null);
    return nodes.submit(node, session, Operation.write(KEY, value));
  }

  private static byte[] valueAt(ReplicaNodes nodes, int node) {
    ReplicaSession session = nodes.replica(node).openSession(null);
    Operation read = nodes.submit(node, session, Operation.read(KEY));
    assertTrue(isDone(read));
    return read.read() == null ? null : read.read().value();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linearizable/strict",
        "linearizable/synchronous",
        "linearizable/read-enforced",
        "linearizable/scope",
        "linearizable/eventual",
        "read-enforced/synchronous",
        "transactional/synchronous"
      })
  void makesAMapsOperations(String model) {
    ReplicaNodes nodes = new ReplicaNodes(model, 3);
    Operation putIfAbsent = compareAndSet(nodes, 0, null, ONE);
    nodes.settle();
    assertTrue(isDone(putIfAbsent) && putIfAbsent.hasWritten());
    assertNull(putIfAbsent.read());

    Operation again = compareAndSet(nodes, 1, null, TWO);
    nodes.settle();
    assertTrue(isDone(again));
    assertFalse(again.hasWritten());
    assertArrayEquals(ONE, again.read().value());

    Operation replace = compareAndSet(nodes, 2, ONE, TWO);
    nodes.settle();
    assertTrue(isDone(replace) && replace.hasWritten());

    Operation put = getAndSet(nodes, 0, THREE);
    nodes.settle();
    assertArrayEquals(TWO, put.read().value());
    assertEquals(replace.clock(), put.read().clock());

    Operation remove = compareAndSet(nodes, 1, THREE, null);
    nodes.settle();
    assertTrue(isDone(remove) && remove.hasWritten());
    assertNull(valueAt(nodes, 0));
    Operation absent = compareAndSet(nodes, 2, null, ONE);
    nodes.settle();
    assertTrue(absent.hasWritten(), "a removed key has no value");
  }

  @Test
  void completesWhenAllHaveIt() {
    ReplicaNodes nodes = new ReplicaNodes("read-enforced/eventual", 2);
    Operation swap = getAndSet(nodes, 0, ONE);
    assertFalse(isDone(swap), "a write would be done, a read-modify-write may have to be given up");
    nodes.settle();
    assertTrue(isDone(swap));
  }

  @Test
  void aWriteComesBeforeOneThatHasBegunAndThatReadsItThen() {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/eventual", 2);
    Operation swap = getAndSet(nodes, 1, ONE);
    Operation write = write(nodes, 0, TWO);
    nodes.settle();
    assertTrue(isDone(swap) && isDone(write));
    assertEquals(write.clock(), swap.read().clock());
    assertArrayEquals(ONE, valueAt(nodes, 0));
  }

  @Test
  void ofTwoThatExpectTheSameOneWins() {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/eventual", 3);
    Operation one = compareAndSet(nodes, 0, null, ONE);
    Operation two = compareAndSet(nodes, 2, null, TWO);
    nodes.settle();
    assertTrue(isDone(one) && isDone(two));
    assertTrue(one.hasWritten() != two.hasWritten());
    Operation loser = one.hasWritten() ? two : one;
    Operation winner = one.hasWritten() ? one : two;
    assertEquals(winner.clock(), loser.read().clock());
  }

  /** Its node dies when others have it: whoever has it ends it. */
  @Test
  void isEndedByOthersWhenItsNodeIsGone() {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/synchronous", 3);
    getAndSet(nodes, 0, ONE);
    nodes.deliver(0, 1);
    nodes.crash(0);
    nodes.view(List.of(0, 1, 1), 0b110);
    nodes.settle();
    assertArrayEquals(ONE, valueAt(nodes, 1));
    assertArrayEquals(ONE, valueAt(nodes, 2));
  }

  /** The same, but a write was first: the read-modify-write is forgotten. */
  @Test
  void isNotEndedByOthersWhereAWriteWasFirst() {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/synchronous", 3);
    Operation swap = getAndSet(nodes, 0, ONE);
    nodes.deliver(0, 1);
    Operation write = write(nodes, 2, TWO);
    nodes.crash(0);
    nodes.view(List.of(0, 1, 1), 0b110);
    nodes.settle();
    assertTrue(isDone(write));
    assertFalse(isDone(swap));
    assertArrayEquals(TWO, valueAt(nodes, 1));
    assertArrayEquals(TWO, valueAt(nodes, 2));
  }

  /**
   * Node 2 has acknowledged one, then a later one of the same version, of a node that would have
   * refused the first and is gone: node 0 must not think that it has all acknowledgements now.
   */
  private static Operation afterALaterOneOfTheGone(Set<ReplicaRule> rules) {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/eventual", 3, rules);
    Operation first = getAndSet(nodes, 0, ONE);
    getAndSet(nodes, 1, TWO);
    nodes.deliver(0, 2);
    nodes.deliver(1, 2);
    nodes.deliver(2, 0);
    nodes.crash(1);
    nodes.view(List.of(1, 0, 1), 0b101);
    nodes.settle();
    assertTrue(isDone(first));
    return first;
  }

  @Test
  void isNotDecidedBeforeAllHaveToldWhatTheGoneHaveLeft() {
    Operation first = afterALaterOneOfTheGone(ReplicaRule.all());
    assertArrayEquals(TWO, first.read().value());
    Operation broken = afterALaterOneOfTheGone(ReplicaRule.allBut(ReplicaRule.DECIDE_WHEN_SETTLED));
    assertNull(broken.read(), "both have found the same version");
  }

  /**
   * Node 2 alone has logged what node 1 could not end; both are away while node 0 ends another one
   * of the same version, whose clock is earlier.
   */
  private static ReplicaNodes withOrphan(Set<ReplicaRule> rules) {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/synchronous", 3, rules);
    getAndSet(nodes, 1, ONE);
    nodes.deliver(1, 2);
    nodes.force(2);
    nodes.crash(1);
    nodes.crash(2);
    nodes.view(List.of(1, 0, 0), 0b001);
    nodes.settle();
    Operation swap = getAndSet(nodes, 0, TWO);
    nodes.settle();
    assertTrue(isDone(swap));
    assertNull(swap.read());
    return nodes;
  }

  @Test
  void whatOnlyANodeHasThatWasAwayDoesNotCount() {
    assertArrayEquals(TWO, afterTheOrphansReturn(ReplicaRule.all()));
    assertArrayEquals(
        ONE, afterTheOrphansReturn(ReplicaRule.allBut(ReplicaRule.ORPHANS_YIELD)), "a lost update");
  }

  private static byte[] afterTheOrphansReturn(Set<ReplicaRule> rules) {
    ReplicaNodes nodes = withOrphan(rules);
    nodes.start(2);
    nodes.view(List.of(1, 0, 2), 0b001);
    nodes.settle();
    nodes.view(List.of(1, 0, 2), 0b101);
    nodes.settle();
    assertArrayEquals(valueAt(nodes, 0), valueAt(nodes, 2));
    return valueAt(nodes, 2);
  }

  @Test
  void norDoesItWhenAllHaveCrashedLater() {
    ReplicaNodes nodes = withOrphan(ReplicaRule.all());
    nodes.start(2);
    nodes.view(List.of(1, 0, 2), 0b001);
    nodes.settle();
    nodes.view(List.of(1, 0, 2), 0b101);
    nodes.settle();
    nodes.crash(0);
    nodes.crash(2);
    nodes.start(0);
    nodes.start(2);
    nodes.view(List.of(2, 0, 3), 0);
    nodes.settle();
    nodes.view(List.of(2, 0, 3), 0b101);
    nodes.settle();
    assertArrayEquals(TWO, valueAt(nodes, 0));
    assertArrayEquals(TWO, valueAt(nodes, 2));
  }

  /** It has completed, and then all lose power: it is there again. */
  @Test
  void whatHasCompletedSurvivesThatAllCrash() {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/synchronous", 2);
    Operation swap = getAndSet(nodes, 0, ONE);
    nodes.settle();
    assertTrue(isDone(swap));
    nodes.crash(0);
    nodes.crash(1);
    nodes.start(0);
    nodes.start(1);
    nodes.view(List.of(2, 2), 0);
    nodes.settle();
    nodes.view(List.of(2, 2), 0b11);
    nodes.settle();
    assertArrayEquals(ONE, valueAt(nodes, 0));
    assertArrayEquals(ONE, valueAt(nodes, 1));
  }

  @Test
  void aTransactionFindsWhatItHasWritten() {
    ReplicaNodes nodes = new ReplicaNodes("transactional/eventual", 2);
    ReplicaSession session = nodes.replica(0).openSession(null);
    nodes.submit(0, session, Operation.of(Operation.Kind.BEGIN));
    nodes.settle();
    nodes.submit(0, session, Operation.write(KEY, ONE));
    Operation swap = nodes.submit(0, session, Operation.compareAndSet(KEY, ONE, TWO));
    Operation fails = nodes.submit(0, session, Operation.compareAndSet(KEY, ONE, THREE));
    assertTrue(isDone(swap) && swap.hasWritten());
    assertTrue(isDone(fails) && !fails.hasWritten());
    assertNull(valueAt(nodes, 1));
    nodes.submit(0, session, Operation.of(Operation.Kind.END));
    nodes.settle();
    assertArrayEquals(TWO, valueAt(nodes, 1));
  }

  @Test
  void areRefusedWhereNodesDoNotAgree() {
    for (Consistency consistency : Consistency.values()) {
      String model = consistency.id() + "/synchronous";
      assertEquals(!consistency.isUpdating(), consistency.isAtomic(), model);
      if (!consistency.isAtomic()) {
        ReplicaNodes nodes = new ReplicaNodes(model, 1);
        String sentence =
            assertThrows(UnsupportedOperationException.class, () -> getAndSet(nodes, 0, ONE), model)
                .getMessage();
        assertTrue(sentence.contains(model) && sentence.contains("transactional"), sentence);
      }
    }
  }
}
