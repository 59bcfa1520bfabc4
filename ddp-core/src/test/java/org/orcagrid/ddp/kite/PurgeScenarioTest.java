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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.store.ReplicaStore;

/** Removed keys are forgotten, message by message. */
class PurgeScenarioTest {
  private static final long RESEND_NANOS = 1_000_000_000;

  /** Of the 64 for which a scenario's stores have room. */
  private static final int KEYS = 50;

  private final KiteView first = KiteView.first(3);

  /** What node 0 has sent to node 1 of the first write. */
  private List<ByteBuffer> early;

  /** A key is written and removed in crowded stores, and all have marked it. */
  private Scenario marked(Set<KiteRule> rules) {
    Scenario s = new Scenario(3, rules);
    for (int i = 0; i < KEYS; i++) {
      s.begin(0, 0, OperationKind.WRITE, "live " + i, i);
      s.exchange(0, 1, 2);
    }
    s.begin(0, 0, OperationKind.WRITE, "key", 1);
    early = s.hold(0, 1);
    s.putBack(0, 1, early);
    s.exchange(0, 1, 2);
    s.begin(0, 0, OperationKind.WRITE, "key", Scenario.ABSENT);
    s.exchange(0, 1, 2);
    for (int i = 0; i < 3; i++) {
      s.pass(10 * RESEND_NANOS);
    }
    s.exchange(0, 1, 2);
    return s;
  }

  private long acquired(Scenario s, int node) {
    KiteSession acquire = s.begin(node, 1, OperationKind.ACQUIRE, "key");
    s.exchange(0, 1, 2);
    assertTrue(acquire.isIdle());
    return Scenario.result(acquire);
  }

  private void enter(Scenario s, KiteView view) {
    for (int node = 0; node < 3; node++) {
      s.machine(node).offer(view);
    }
    s.exchange(0, 1, 2);
  }

  private long readAfterALateWrite(Set<KiteRule> rules) {
    Scenario s = marked(rules);
    assertEquals(first.number(), s.machine(0).purgeWanted());
    enter(s, first.purged());
    for (int node = 0; node < 3; node++) {
      assertEquals(1, s.machine(node).forgottenKeys());
      assertEquals(KEYS, s.machine(node).store().keys());
    }
    s.putBack(0, 1, early);
    s.deliver(0, 1);
    KiteSession read = s.begin(1, 1, OperationKind.READ, "key");
    return Scenario.result(read);
  }

  @Test
  void aWriteOfBeforeDoesNotBringAForgottenKeyBack() {
    assertEquals(Scenario.ABSENT, readAfterALateWrite(KiteRule.all()));
    assertEquals(1, readAfterALateWrite(KiteRule.without(KiteRule.SINCE_PURGE)), "the mutant");
  }

  @Test
  void aMarkedKeyWaitsForTheNextView() {
    Scenario s = marked(KiteRule.all());
    s.begin(1, 0, OperationKind.RELEASE, "key", 2);
    assertTrue(s.session(1, 0).isIdle(), "it was not begun");
    KiteView another = new KiteView(2, first.joined());
    enter(s, another);
    assertTrue(s.machine(1).marked().isEmpty());
    assertEquals(Scenario.ABSENT, acquired(s, 2));
    KiteSession release = s.begin(1, 0, OperationKind.RELEASE, "key", 2);
    s.exchange(0, 1, 2);
    assertTrue(release.isIdle());
    assertEquals(2, acquired(s, 2));
    assertEquals(0, s.machine(1).forgottenKeys());
  }

  @Test
  void aKeyThatIsUsedIsNotMarked() {
    Scenario s = new Scenario(3, KiteRule.all());
    for (int i = 0; i < KEYS; i++) {
      s.begin(0, 0, OperationKind.WRITE, "live " + i, i);
      s.exchange(0, 1, 2);
    }
    s.begin(0, 0, OperationKind.WRITE, "key", Scenario.ABSENT);
    s.exchange(0, 1, 2);
    s.begin(1, 0, OperationKind.ACQUIRE, "key");
    for (int i = 0; i < 3; i++) {
      s.pass(10 * RESEND_NANOS);
    }
    assertFalse(s.session(1, 0).isIdle());
    s.deliver(0, 1);
    assertTrue(s.machine(1).marked().isEmpty());
    assertEquals(0, s.machine(0).purgeWanted());
  }

  @Test
  void aWorkerInAPurgeViewWaitsForTheRoomThatItMakes() {
    int keys = 64;
    KiteSettings settings =
        new KiteSettings(1, 0, 2, 1, 16, new KiteSettings.Times(1_000, RESEND_NANOS, 100));
    ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(keys, 1024, 1 << 20), 16);
    KiteNode node = new KiteNode(settings, store, KiteView.first(1), KiteRule.all());
    List<KiteWorker> workers =
        List.of(
            new KiteWorker(node, 0, (peer, bytes, into) -> false, session -> {}),
            new KiteWorker(node, 1, (peer, bytes, into) -> false, session -> {}));
    long now = 1;
    for (int i = 0; i < keys; i++) {
      assertEquals(Outcome.DONE, written(workers.get(0), "key " + i, 1, now));
    }
    assertEquals(Outcome.DONE, written(workers.get(0), "key 0", Scenario.ABSENT, now));
    assertEquals(Outcome.STORE_FULL, written(workers.get(1), "another", 1, now));
    for (int i = 0; i < 20 && node.purgeWanted() == 0; i++) {
      now += 10 * RESEND_NANOS;
      workers.get(0).poll(now);
      workers.get(1).poll(now);
    }
    node.offer(KiteView.first(1).purged());
    workers.get(0).poll(now);
    assertNull(written(workers.get(0), "another", 1, now), "it is not begun");
    workers.get(1).poll(now);
    assertEquals(Outcome.DONE, written(workers.get(0), "another", 1, now));
  }

  /** How a write has ended, null if it was not begun. */
  private Outcome written(KiteWorker worker, String key, long value, long now) {
    Operation asked = new Operation();
    asked.kind(OperationKind.WRITE);
    asked.key().set(key.getBytes(StandardCharsets.UTF_8));
    asked.value().length(-1);
    if (value != Scenario.ABSENT) {
      asked.value().room(Long.BYTES).putLong(0, value);
      asked.value().length(Long.BYTES);
    }
    return worker.begin(0, asked, now) ? asked.outcome : null;
  }
}
