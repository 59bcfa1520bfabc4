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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.state.Key;

/**
 * Single writes of a transactional map that meet each other, or transactions: each takes place, and
 * none is told of a conflict.
 */
@Timeout(60)
class SingleWritesTest {
  private static final int NODES = 3;
  private static final int SCHEDULES = 300;
  private static final Key KEY = Key.of("k");

  private static Operation submit(ReplicaNodes nodes, int node, Operation operation) {
    return nodes.submit(node, nodes.replica(node).openSession(null), operation);
  }

  private static byte[] value(int number) {
    return new byte[] {(byte) number};
  }

  /** Something arrives, or is forced. */
  private static void happen(ReplicaNodes nodes, SplittableRandom random) {
    int from = random.nextInt(NODES);
    int to = random.nextInt(NODES);
    if (from == to) {
      nodes.force(from);
    } else {
      nodes.deliver(from, to);
    }
  }

  private static void assertDone(Operation operation, long seed) {
    assertEquals(
        Operation.Status.DONE, operation.status(), () -> operation + " of schedule " + seed);
  }

  private static Operation read(ReplicaNodes nodes, int node) {
    Operation read = submit(nodes, node, Operation.read(KEY));
    nodes.settle();
    return read;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"transactional/strict", "transactional/synchronous", "transactional/eventual"})
  void allOfThemTakePlaceInAnyOrder(String model) {
    for (long seed = 0; seed < SCHEDULES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ReplicaNodes nodes = new ReplicaNodes(model, NODES);
      List<Operation> writes = new ArrayList<>();
      for (int i = 0; i < 2 * NODES; i++) {
        writes.add(submit(nodes, random.nextInt(NODES), Operation.write(KEY, value(i))));
        for (int steps = random.nextInt(4); steps > 0; steps--) {
          happen(nodes, random);
        }
      }
      for (int steps = 0; steps < 200; steps++) {
        happen(nodes, random);
      }
      nodes.settle();
      long of = seed;
      writes.forEach(each -> assertDone(each, of));
      Operation last =
          writes.stream().reduce((a, b) -> a.clock() > b.clock() ? a : b).orElseThrow();
      for (int node = 0; node < NODES; node++) {
        assertArrayEquals(last.value(), read(nodes, node).read().value());
      }
    }
  }

  @Test
  void ofManyThatExpectNothingOneWrites() {
    for (long seed = 0; seed < SCHEDULES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ReplicaNodes nodes = new ReplicaNodes("transactional/synchronous", NODES);
      List<Operation> all = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        all.add(submit(nodes, node, Operation.compareAndSet(KEY, (byte[]) null, value(node))));
      }
      for (int steps = 0; steps < 100; steps++) {
        happen(nodes, random);
      }
      nodes.settle();
      long of = seed;
      all.forEach(each -> assertDone(each, of));
      List<Operation> first = all.stream().filter(Operation::hasWritten).toList();
      assertEquals(1, first.size(), () -> "of schedule " + of);
      assertArrayEquals(first.get(0).value(), read(nodes, 0).read().value());
      assertTrue(
          all.stream()
              .filter(each -> !each.hasWritten())
              .allMatch(each -> each.read().clock() == first.get(0).clock()),
          "the others tell what they have found");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void oneThatMeetsATransactionWaitsForItsEnd(int writer) {
    for (Operation.Kind end : List.of(Operation.Kind.END, Operation.Kind.ABORT)) {
      for (boolean reads : List.of(true, false)) {
        ReplicaNodes nodes = new ReplicaNodes("transactional/synchronous", NODES);
        ReplicaSession session = nodes.replica(0).openSession(null);
        nodes.submit(0, session, Operation.of(Operation.Kind.BEGIN));
        nodes.settle();
        nodes.submit(0, session, reads ? Operation.read(KEY) : Operation.write(KEY, value(1)));
        nodes.settle();
        Operation write = submit(nodes, writer, Operation.write(KEY, value(2)));
        nodes.settle();
        assertEquals(Operation.Status.OPEN, write.status());
        assertDone(nodes.submit(0, session, Operation.read(KEY)), 0);
        nodes.submit(0, session, Operation.of(end));
        nodes.settle();
        assertDone(write, 0);
        assertArrayEquals(value(2), read(nodes, 0).read().value());
      }
    }
  }

  /** A transaction is not held up by what came after it. */
  @Test
  void aTransactionThatWritesWhatItHasReadDoesNotWaitForOneThatWaits() {
    ReplicaNodes nodes = new ReplicaNodes("transactional/synchronous", NODES);
    ReplicaSession session = nodes.replica(0).openSession(null);
    nodes.submit(0, session, Operation.of(Operation.Kind.BEGIN));
    nodes.settle();
    nodes.submit(0, session, Operation.read(KEY));
    Operation write = submit(nodes, 0, Operation.write(KEY, value(2)));
    nodes.settle();
    assertEquals(Operation.Status.OPEN, write.status());
    assertDone(nodes.submit(0, session, Operation.write(KEY, value(1))), 0);
    Operation end = nodes.submit(0, session, Operation.of(Operation.Kind.END));
    nodes.settle();
    assertDone(end, 0);
    assertDone(write, 0);
    assertArrayEquals(value(2), read(nodes, 1).read().value());
  }

  @Test
  void oneWhoseSessionIsClosedLeavesNothingBehind() {
    ReplicaNodes nodes = new ReplicaNodes("transactional/synchronous", NODES);
    ReplicaSession holder = nodes.replica(0).openSession(null);
    nodes.submit(0, holder, Operation.of(Operation.Kind.BEGIN));
    nodes.settle();
    nodes.submit(0, holder, Operation.read(KEY));
    ReplicaSession session = nodes.replica(1).openSession(null);
    Operation waits = nodes.submit(1, session, Operation.write(KEY, value(1)));
    nodes.settle();
    nodes.replica(1).close(session);
    nodes.replica(1).flush(0);
    nodes.settle();
    assertEquals(Operation.Status.ABORTED, waits.status());
    Operation other = submit(nodes, 2, Operation.write(KEY, value(2)));
    nodes.settle();
    nodes.replica(0).close(holder);
    nodes.replica(0).flush(0);
    nodes.settle();
    assertDone(other, 0);
    assertArrayEquals(value(2), read(nodes, 0).read().value());
    for (int node = 0; node < NODES; node++) {
      assertTrue(nodes.replica(node).isQuiet(), "nothing is left");
    }
  }
}
