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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** After a slow release keys that were not missed are in-epoch, and all of them are soon. */
class MissedKeysTest {
  private static final int WITNESS = 0;
  private static final int READER = 1;
  private static final int WRITER = 2;

  /** More than one question has room for. */
  private static final int KEYS = 56;

  /** All have the keys; the reader misses a write of one, and finds out that it does. */
  private static Scenario delinquent(Set<KiteRule> rules) {
    Scenario s = new Scenario(3, rules);
    for (int key = 0; key < KEYS; key++) {
      s.begin(WRITER, 0, OperationKind.WRITE, "key" + key, key);
      s.exchange(WITNESS, READER, WRITER);
    }
    s.begin(WRITER, 0, OperationKind.WRITE, "key7", 700);
    KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.drop(WRITER, READER);
    s.exchange(WITNESS, WRITER);
    s.pass(Scenario.RELEASE_NANOS);
    s.exchange(WITNESS, WRITER);
    s.drop(WRITER, READER);
    assertTrue(release.isIdle(), "the slow release is over");
    KiteSession acquire = s.begin(READER, 0, OperationKind.ACQUIRE, "flag");
    s.drop(READER, WRITER);
    s.deliver(READER, WITNESS);
    s.deliver(WITNESS, READER);
    assertTrue(acquire.isIdle(), "the acquire is over");
    assertEquals(1, s.machine(READER).epoch());
    return s;
  }

  /** The same, and it does not know what it has missed. */
  private static Scenario outOfEpoch(Set<KiteRule> rules) {
    Scenario s = delinquent(rules);
    s.machine(READER).raiseEpoch(Scenario.everything());
    assertTrue(s.worker(READER).isBusy(), "it is going to sweep");
    s.pass(Scenario.RELEASE_NANOS);
    return s;
  }

  private static long readHere(Scenario s, String key) {
    KiteSession read = s.begin(READER, 0, OperationKind.READ, key);
    assertTrue(read.isIdle(), key + " is in-epoch");
    return Scenario.result(read);
  }

  private static void assertSwept(Scenario s) {
    assertFalse(s.worker(READER).isBusy(), "the sweep is over");
    for (int key = 0; key < KEYS; key++) {
      if (key != 7) {
        assertEquals(key, readHere(s, "key" + key));
      }
    }
    KiteSession read = s.begin(READER, 0, OperationKind.READ, "key7");
    assertFalse(read.isIdle(), "what was missed is asked for");
    s.exchange(READER, WITNESS);
    assertEquals(700, Scenario.result(read));
  }

  @Test
  void onlyWhatWasMissedIsOutOfEpoch() {
    Scenario s = delinquent(KiteRule.all());
    for (int key = 0; key < KEYS; key++) {
      if (key != 7) {
        assertEquals(key, readHere(s, "key" + key));
      }
    }
    assertEquals(Scenario.ABSENT, readHere(s, "absent"));
    KiteSession read = s.begin(READER, 0, OperationKind.READ, "key7");
    assertFalse(read.isIdle(), "it was missed");
    s.exchange(READER, WITNESS);
    assertEquals(700, Scenario.result(read));
    assertEquals(700, readHere(s, "key7"));
  }

  @Test
  void whatWasMissedHasToBeNamed() {
    Scenario s = delinquent(KiteRule.without(KiteRule.NAME_MISSED_KEYS));
    assertNotEquals(700, readHere(s, "key7"), "the mutant");
  }

  @Test
  void whatNobodyHasWrittenIsInEpochBeforeItsAccess() {
    Scenario s = outOfEpoch(KiteRule.all());
    s.exchange(READER, WITNESS);
    assertSwept(s);
  }

  @Test
  void whatIsLostIsAskedForAgain() {
    Scenario s = outOfEpoch(KiteRule.all());
    s.dropAll(READER);
    s.exchange(READER, WITNESS);
    assertTrue(s.worker(READER).isBusy(), "some questions are lost");
    s.pass(Scenario.RESEND_NANOS);
    s.exchange(READER, WITNESS);
    assertSwept(s);
  }

  /** What was answered in the epoch before says nothing of what was missed since. */
  @Test
  void aLaterEpochBeginsAnew() {
    Scenario s = outOfEpoch(KiteRule.all());
    s.deliver(READER, WITNESS);
    s.machine(READER).raiseEpoch(Scenario.everything());
    s.deliver(WITNESS, READER);
    KiteSession read = s.begin(READER, 0, OperationKind.READ, "key1");
    assertFalse(read.isIdle(), "the answer is of the epoch before");
    s.exchange(READER, WITNESS);
    s.pass(Scenario.RELEASE_NANOS);
    s.exchange(READER, WITNESS);
    assertSwept(s);
  }

  @Test
  void aMajorityHasToAnswer() {
    Scenario s = outOfEpoch(KiteRule.without(KiteRule.SWEEP_ASKS_MAJORITY));
    s.dropAll(READER);
    assertNotEquals(700, readHere(s, "key7"), "the mutant");
  }

  @Test
  void whatIsLaterElsewhereStaysOut() {
    Scenario s = outOfEpoch(KiteRule.without(KiteRule.LATER_STAYS_OUT));
    s.exchange(READER, WITNESS);
    assertNotEquals(700, readHere(s, "key7"), "the mutant");
  }

  /** The filter is a KB: once it stands for all keys nobody has to send it. */
  @Test
  void whoHasMissedVeryMuchIsToldSoInFewBytes() {
    Scenario s = new Scenario(3, KiteRule.all());
    s.machine(WRITER).delinquency().onLearned(1 << READER);
    s.begin(WRITER, 0, OperationKind.WRITE, "data", 1);
    KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", 1);
    s.exchange(WITNESS, WRITER);
    s.pass(Scenario.RELEASE_NANOS);
    List<ByteBuffer> told = s.hold(WRITER, WITNESS);
    assertTrue(told.stream().allMatch(each -> each.capacity() < MissedKeys.BYTES));
    s.putBack(WRITER, WITNESS, told);
    s.exchange(WITNESS, WRITER);
    assertTrue(release.isIdle());
    MissedKeys missed = new MissedKeys();
    assertTrue(s.machine(WITNESS).delinquency().onAcquire(READER, 0, 1, missed));
    assertTrue(missed.isDense(), "all keys");
  }
}
