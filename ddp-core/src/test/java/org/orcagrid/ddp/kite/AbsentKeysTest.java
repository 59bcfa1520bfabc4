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
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.store.ReplicaStore;

/** Who looks for a key that is not there leaves nothing behind. */
class AbsentKeysTest {
  private static final int LOOKS = 1_000;

  private final Scenario s = new Scenario(3, KiteRule.all());

  private long records(int node) {
    ReplicaStore store = s.machine(node).store();
    long count = 0;
    for (long place = 0; place != ReplicaStore.PLACES_END; place = store.nextPlace(place)) {
      count += store.recordAt(place) == ReplicaStore.NONE ? 0 : 1;
    }
    return count;
  }

  private void assertNoRecords() {
    for (int node = 0; node < 3; node++) {
      assertEquals(0, records(node), "records at node " + node);
    }
  }

  private void lookForAbsentKeys(OperationKind kind, Outcome expected) {
    for (int i = 0; i < LOOKS; i++) {
      Scenario.expect(s.session(0, 0), 7);
      KiteSession session = s.begin(0, 0, kind, kind + " " + i, 1);
      s.exchange(0, 1, 2);
      assertTrue(session.isIdle());
      assertEquals(expected, session.asked.outcome);
      assertEquals(Scenario.ABSENT, Scenario.result(session));
    }
    assertNoRecords();
  }

  /** A store of 64 keys takes another one, everywhere. */
  private void assertRoom() {
    s.begin(0, 1, OperationKind.WRITE, "data", 1);
    s.exchange(0, 1, 2);
    KiteSession release = s.begin(0, 1, OperationKind.RELEASE, "flag", 2);
    s.exchange(0, 1, 2);
    assertTrue(release.isIdle(), "no time has passed");
    assertEquals(Outcome.DONE, release.asked.outcome);
    assertEquals(0, s.worker(0).slowReleases());
  }

  @Test
  void anAcquireOfAnAbsentKeyMakesNone() {
    lookForAbsentKeys(OperationKind.ACQUIRE, Outcome.DONE);
    assertRoom();
  }

  @Test
  void aReadOfAnAbsentKeyMakesNoneInALaterEpoch() {
    s.machine(0).raiseEpoch(Scenario.everything());
    lookForAbsentKeys(OperationKind.READ, Outcome.DONE);
    lookForAbsentKeys(OperationKind.ACQUIRE, Outcome.DONE);
    assertRoom();
  }

  @Test
  void aCompareAndSetOfAnAbsentKeyMakesNoneIfItFails() {
    lookForAbsentKeys(OperationKind.COMPARE_AND_SET, Outcome.NOT_EQUAL);
    s.machine(0).raiseEpoch(Scenario.everything());
    lookForAbsentKeys(OperationKind.WEAK_COMPARE_AND_SET, Outcome.NOT_EQUAL);
    assertRoom();
  }

  @Test
  void aReadInALaterEpochFindsWhatThisNodeHasMissed() {
    s.begin(1, 0, OperationKind.WRITE, "key", 5);
    s.drop(1, 0);
    s.exchange(1, 2);
    s.machine(0).raiseEpoch(Scenario.everything());
    KiteSession read = s.begin(0, 0, OperationKind.READ, "key");
    s.exchange(0, 1, 2);
    assertEquals(5, Scenario.result(read));
    // It is kept: nobody has to be asked again.
    KiteSession again = s.begin(0, 0, OperationKind.READ, "key");
    assertTrue(again.isIdle());
    assertEquals(5, Scenario.result(again));
  }

  @Test
  void anAcquireKeepsWhatAnotherNodeHas() {
    s.begin(1, 0, OperationKind.WRITE, "key", 5);
    s.drop(1, 0);
    s.deliver(1, 2);
    KiteSession acquire = s.begin(0, 0, OperationKind.ACQUIRE, "key");
    s.exchange(0, 1, 2);
    assertEquals(5, Scenario.result(acquire));
    assertEquals(1, records(0));
  }

  @Test
  void aCompareAndSetOfAKeyThatThisNodeHasMissedSucceeds() {
    s.begin(1, 0, OperationKind.WRITE, "key", 5);
    s.drop(1, 0);
    s.deliver(1, 2);
    Scenario.expect(s.session(0, 0), 5);
    KiteSession swap = s.begin(0, 0, OperationKind.COMPARE_AND_SET, "key", 6);
    s.exchange(0, 1, 2);
    assertEquals(Outcome.DONE, swap.asked.outcome);
    assertEquals(5, Scenario.result(swap));
  }
}
