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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/** Reads of all keys of a transactional map, while transactions are decided. */
class QuietMomentsTest {
  private final Set<String> seenByOne = new TreeSet<>();
  private final Set<String> seenByOther = new TreeSet<>();

  private Operation write(ReplicaNodes nodes, int node, String key) {
    return nodes.submit(
        node,
        nodes.replica(node).openSession(null),
        Operation.write(Key.of(key), new byte[] {(byte) node}));
  }

  private Operation scan(ReplicaNodes nodes, int node, Set<String> seen) {
    return nodes.submit(
        node,
        nodes.replica(node).openSession(null),
        Operation.scan(write -> seen.add(write.key().toString())));
  }

  /** Two writes are decided, each at its own node, and no other node knows it. */
  private List<Operation> scansBetween(Set<ReplicaRule> rules) {
    ReplicaNodes nodes = new ReplicaNodes("transactional/eventual", 3, rules);
    write(nodes, 0, "x");
    write(nodes, 1, "y");
    nodes.deliver(0, 1);
    nodes.deliver(1, 0);
    nodes.deliver(0, 1);
    nodes.deliver(0, 2);
    nodes.deliver(1, 2);
    nodes.deliver(2, 0);
    nodes.deliver(2, 1);
    List<Operation> scans = List.of(scan(nodes, 0, seenByOne), scan(nodes, 1, seenByOther));
    nodes.settle();
    return scans;
  }

  @Test
  void twoReadsOfAllKeysAgreeOnTheOrderOfTransactions() {
    for (Operation scan : scansBetween(ReplicaRule.all())) {
      assertEquals(Operation.Status.DONE, scan.status());
    }
    assertTrue(
        seenByOne.containsAll(seenByOther) || seenByOther.containsAll(seenByOne),
        () -> seenByOne + " and " + seenByOther);
    assertEquals(3, seenByOne.size() + seenByOther.size(), "both have waited for one");
  }

  @Test
  void whatIsHeldBackAtTwoNodesWouldWaitForEachOtherIfIdsDidNotCount() {
    for (Operation scan : scansBetween(ReplicaRule.allBut(ReplicaRule.HELD_BACK_BY_EARLIER))) {
      assertEquals(Operation.Status.OPEN, scan.status());
    }
  }

  @Test
  void writesThatGoOnDoNotKeepAReadOfAllKeysFromItsMoment() {
    ReplicaNodes nodes = new ReplicaNodes("transactional/eventual", 3);
    Operation first = write(nodes, 0, "x");
    nodes.deliver(0, 1);
    nodes.deliver(0, 2);
    nodes.deliver(1, 0);
    nodes.deliver(2, 0);
    Operation scan = scan(nodes, 0, seenByOne);
    List<Operation> later = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      later.add(write(nodes, 1, "later " + i));
      later.add(write(nodes, 0, "here " + i));
      // All but what node 0 needs of node 2.
      for (int round = 0; round < 3; round++) {
        nodes.deliver(0, 1);
        nodes.deliver(0, 2);
        nodes.deliver(1, 0);
        nodes.deliver(1, 2);
        nodes.deliver(2, 1);
      }
    }
    assertEquals(Operation.Status.OPEN, first.status());
    assertEquals(Operation.Status.OPEN, scan.status());
    nodes.deliver(2, 0);
    assertEquals(Operation.Status.DONE, first.status());
    assertEquals(Operation.Status.DONE, scan.status());
    assertEquals(1, seenByOne.size(), seenByOne::toString);
    nodes.settle();
    for (Operation each : later) {
      assertEquals(Operation.Status.DONE, each.status());
    }
    scan(nodes, 2, seenByOther);
    assertEquals(21, seenByOther.size());
  }
}
