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

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;

/** Nodes whose stores have no room for another key say so. */
class FullStoreTest {
  private static final int WRITER = 0;
  private static final int[] ALL = {0, 1, 2};

  /** Three nodes that have the key {@code flag}; those that are named have no room for another. */
  private static Scenario whereFull(Set<KiteRule> rules, int... full) {
    Scenario s = new Scenario(3, rules);
    s.begin(WRITER, 1, OperationKind.RELEASE, "flag", 0);
    s.exchange(ALL);
    for (int node : full) {
      fill(s.machine(node).store());
    }
    return s;
  }

  private static void fill(ReplicaStore store) {
    Bytes key = new Bytes(Long.BYTES);
    long made = 1;
    for (int i = 0; made != ReplicaStore.NONE; i++) {
      key.room(Long.BYTES).putLong(0, i);
      key.length(Long.BYTES);
      made = store.findOrCreate(key.buffer(), 0, Long.BYTES, KeyHash.hash(key.buffer(), 0, 8));
    }
  }

  private static KiteSession exchange(Scenario s, KiteSession session) {
    s.exchange(ALL);
    return session;
  }

  private static KiteSession releaseAfterAWrite(Scenario s) {
    s.begin(WRITER, 0, OperationKind.WRITE, "data", 1);
    return exchange(s, s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1));
  }

  @Test
  void aReleaseDoesNotWaitForANodeWithoutRoom() {
    Scenario s = whereFull(KiteRule.all(), 2);
    for (int i = 0; i < 10; i++) {
      s.begin(WRITER, 0, OperationKind.WRITE, "data " + i, 1);
      KiteSession release = exchange(s, s.begin(WRITER, 0, OperationKind.RELEASE, "flag", i));
      assertTrue(release.isIdle(), "no time has passed");
      assertEquals(Outcome.DONE, release.asked.outcome);
    }
    assertEquals(10, s.worker(WRITER).slowReleases());
  }

  /** What a node without room reads of data that was released before the flag that it acquires. */
  private static KiteSession readAtTheFullNode(Set<KiteRule> rules) {
    Scenario s = whereFull(rules, 2);
    KiteSession release = releaseAfterAWrite(s);
    assertEquals(Outcome.DONE, release.asked.outcome);
    KiteSession acquire = exchange(s, s.begin(2, 0, OperationKind.ACQUIRE, "flag"));
    assertEquals(1, Scenario.result(acquire));
    return exchange(s, s.begin(2, 0, OperationKind.READ, "data"));
  }

  @Test
  void aNodeWithoutRoomDoesNotReadWhatWasBefore() {
    assertEquals(Outcome.STORE_FULL, readAtTheFullNode(KiteRule.all()).asked.outcome);
    KiteSession wrong = readAtTheFullNode(KiteRule.without(KiteRule.FULL_IS_NO_ACK));
    assertEquals(Outcome.DONE, wrong.asked.outcome, "the mutant");
    assertEquals(Scenario.ABSENT, Scenario.result(wrong), "the mutant");
  }

  @Test
  void aReleaseFailsIfTooFewHaveRoomForAWriteBeforeIt() {
    Scenario s = whereFull(KiteRule.all(), 1, 2);
    KiteSession release = releaseAfterAWrite(s);
    assertTrue(release.isIdle(), "no time has passed");
    assertEquals(Outcome.STORE_FULL, release.asked.outcome);
    KiteSession acquire = exchange(s, s.begin(1, 0, OperationKind.ACQUIRE, "flag"));
    assertEquals(0, Scenario.result(acquire), "nothing was released");
    // Nor is anything later, as long as the write may be lost.
    KiteSession again = exchange(s, s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 2));
    assertEquals(Outcome.STORE_FULL, again.asked.outcome);
    KiteSession other = exchange(s, s.begin(WRITER, 1, OperationKind.RELEASE, "flag", 3));
    assertEquals(Outcome.DONE, other.asked.outcome, "another session has lost nothing");
  }

  @Test
  void anAddFailsIfTooFewHaveRoomForAWriteBeforeIt() {
    Scenario s = whereFull(KiteRule.all(), 1, 2);
    s.begin(WRITER, 0, OperationKind.WRITE, "data", 1);
    KiteSession add = exchange(s, s.begin(WRITER, 0, OperationKind.GET_AND_ADD, "flag", 1));
    assertTrue(add.isIdle());
    assertEquals(Outcome.STORE_FULL, add.asked.outcome);
    KiteSession next = exchange(s, s.begin(1, 0, OperationKind.GET_AND_ADD, "flag", 7));
    assertEquals(Outcome.DONE, next.asked.outcome, "its promise is not waited for");
    assertEquals(0, Scenario.result(next));
  }

  @Test
  void aReleaseOfAKeyForWhichTooFewHaveRoomWritesNothing() {
    Scenario s = whereFull(KiteRule.all(), 1, 2);
    KiteSession release = exchange(s, s.begin(WRITER, 0, OperationKind.RELEASE, "new", 1));
    assertTrue(release.isIdle());
    assertEquals(Outcome.STORE_FULL, release.asked.outcome);
    KiteSession acquire = exchange(s, s.begin(WRITER, 0, OperationKind.ACQUIRE, "new"));
    assertEquals(Outcome.DONE, acquire.asked.outcome);
    assertEquals(Scenario.ABSENT, Scenario.result(acquire));
  }

  @Test
  void aReadModifyWriteOfAKeyForWhichTooFewHaveRoomWritesNothing() {
    Scenario s = whereFull(KiteRule.all(), 1, 2);
    for (OperationKind kind :
        new OperationKind[] {OperationKind.GET_AND_ADD, OperationKind.GET_AND_SET}) {
      KiteSession rmw = exchange(s, s.begin(WRITER, 0, kind, "new", 1));
      assertTrue(rmw.isIdle(), "no time has passed");
      assertEquals(Outcome.STORE_FULL, rmw.asked.outcome);
    }
  }

  @Test
  void oneNodeWithoutRoomKeepsNobodyFromReadModifyWrites() {
    Scenario s = whereFull(KiteRule.all(), 2);
    for (int i = 0; i < 3; i++) {
      KiteSession add = exchange(s, s.begin(WRITER, 0, OperationKind.GET_AND_ADD, "new", 1));
      assertTrue(add.isIdle(), "no time has passed");
      assertEquals(Outcome.DONE, add.asked.outcome);
      KiteSession release = exchange(s, s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1));
      assertTrue(release.isIdle(), "no time has passed");
    }
  }

  @Test
  void anAcquireOfWhatTooFewHaveRoomForFails() {
    Scenario s = whereFull(KiteRule.all(), 1, 2);
    s.begin(WRITER, 0, OperationKind.WRITE, "data", 1);
    s.exchange(ALL);
    KiteSession acquire = exchange(s, s.begin(WRITER, 1, OperationKind.ACQUIRE, "data"));
    assertTrue(acquire.isIdle(), "no time has passed");
    assertEquals(Outcome.STORE_FULL, acquire.asked.outcome);
  }

  @Test
  void writesFailWhenTooManyOfThemHaveNoRoomElsewhere() {
    Scenario s = whereFull(KiteRule.all(), 1, 2);
    KiteSession write = null;
    for (int i = 0; i < 16; i++) {
      write = exchange(s, s.begin(WRITER, 0, OperationKind.WRITE, "data " + i, 1));
      assertTrue(write.isIdle());
    }
    assertEquals(Outcome.STORE_FULL, write.asked.outcome);
  }

  @Test
  void aWriteThatFindsRoomLaterIsSafe() {
    Scenario s = whereFull(KiteRule.all(), 1, 2);
    assertEquals(Outcome.STORE_FULL, releaseAfterAWrite(s).asked.outcome);
    s.machine(1).store().clear();
    s.machine(2).store().clear();
    s.pass(2_000_000_000L);
    s.exchange(ALL);
    KiteSession release = exchange(s, s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 2));
    assertEquals(Outcome.DONE, release.asked.outcome);
    assertFalse(s.worker(WRITER).isBusy());
  }
}
