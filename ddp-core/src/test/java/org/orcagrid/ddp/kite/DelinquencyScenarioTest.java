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

/**
 * Kite, section 4.2, message by message: what an acquire sees on a node that has missed a write;
 * and what it would see if a rule were broken whose breach takes so many coincidences that random
 * schedules do not find it.
 */
class DelinquencyScenarioTest {
  private static final int WITNESS = 0;
  private static final int READER = 1;
  private static final int WRITER = 2;

  /** The writer writes and releases; the reader gets none of it. */
  private static void releaseWithout(Scenario s, long value) {
    s.begin(WRITER, 0, OperationKind.WRITE, "data", value);
    KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", value);
    s.drop(WRITER, READER);
    s.exchange(WITNESS, WRITER);
    if (!release.isIdle()) {
      s.pass(Scenario.RELEASE_NANOS);
      s.exchange(WITNESS, WRITER);
    }
    s.drop(WRITER, READER);
    assertTrue(release.isIdle(), "the slow release is over");
  }

  private static long acquire(Scenario s) {
    KiteSession acquire = s.begin(READER, 0, OperationKind.ACQUIRE, "flag");
    s.drop(READER, WRITER);
    s.deliver(READER, WITNESS);
    s.deliver(WITNESS, READER);
    assertTrue(acquire.isIdle(), "the acquire is over");
    return Scenario.result(acquire);
  }

  private static long read(Scenario s) {
    KiteSession read = s.begin(READER, 0, OperationKind.READ, "data");
    if (!read.isIdle()) {
      s.drop(READER, WRITER);
      s.exchange(READER, WITNESS);
    }
    return Scenario.result(read);
  }

  @Test
  void aDelinquentReaderRefreshesEachKeyOnce() {
    Scenario s = new Scenario(3, KiteRule.all());
    releaseWithout(s, 1);
    assertEquals(Scenario.ABSENT, read(s), "before it acquires, a reader may read old values");
    assertEquals(1, acquire(s));
    assertEquals(1, s.machine(READER).epoch());
    assertEquals(1, read(s), "what was written before the release");
    s.exchange(READER, WITNESS);
    assertTrue(s.begin(READER, 0, OperationKind.READ, "data").isIdle(), "in-epoch again");
    assertEquals(1, acquire(s));
    assertEquals(1, s.machine(READER).epoch(), "the bit was reset");
  }

  @Test
  void aReleaseWaitsForASilentNodeOnceAndNotAgain() {
    Scenario s = new Scenario(3, KiteRule.all());
    for (int round = 0; round < 3; round++) {
      s.begin(WRITER, 0, OperationKind.WRITE, "data", round);
      KiteSession release = s.begin(WRITER, 0, OperationKind.RELEASE, "flag", round);
      s.exchange(WITNESS, WRITER);
      assertEquals(round > 0, release.isIdle(), "round " + round);
      s.pass(Scenario.RELEASE_NANOS);
      s.exchange(WITNESS, WRITER);
      assertTrue(release.isIdle());
      s.dropAll(READER);
    }
    assertEquals(3, s.worker(WRITER).slowReleases(), "but tells that it is delinquent each time");
  }

  private static long resetOvertakenByASlowRelease(Set<KiteRule> rules) {
    Scenario s = new Scenario(3, rules);
    releaseWithout(s, 1);
    acquire(s);
    List<ByteBuffer> reset = s.hold(READER, WITNESS);
    assertEquals(1, read(s));
    releaseWithout(s, 2);
    s.putBack(READER, WITNESS, reset);
    s.deliver(READER, WITNESS);
    assertEquals(2, acquire(s));
    return read(s);
  }

  @Test
  void aResetDoesNotEraseALaterSlowRelease() {
    assertEquals(2, resetOvertakenByASlowRelease(KiteRule.all()));
    assertNotEquals(
        2,
        resetOvertakenByASlowRelease(KiteRule.without(KiteRule.RESET_BY_ACQUIRE_ID)),
        "the mutant");
  }

  private static long epochRaisedDuringARefresh(Set<KiteRule> rules) {
    Scenario s = new Scenario(3, rules);
    releaseWithout(s, 1);
    acquire(s);
    s.exchange(READER, WITNESS);
    KiteSession refresh = s.begin(READER, 1, OperationKind.READ, "data");
    s.drop(READER, WRITER);
    s.deliver(READER, WITNESS);
    List<ByteBuffer> late = s.hold(WITNESS, READER);
    releaseWithout(s, 2);
    assertEquals(2, acquire(s));
    s.putBack(WITNESS, READER, late);
    s.deliver(WITNESS, READER);
    assertTrue(refresh.isIdle());
    assertEquals(1, Scenario.result(refresh), "that session has not acquired");
    return read(s);
  }

  @Test
  void aKeyGetsTheEpochAtWhichItsRefreshStarted() {
    assertEquals(2, epochRaisedDuringARefresh(KiteRule.all()));
    assertNotEquals(
        2, epochRaisedDuringARefresh(KiteRule.without(KiteRule.EPOCH_AT_START)), "the mutant");
  }

  private static long delinquencyInTheSecondRound(Set<KiteRule> rules) {
    int reader = 1;
    int late = 2;
    int writer = 0;
    Scenario s = new Scenario(5, rules);
    s.begin(writer, 0, OperationKind.WRITE, "data", 1);
    s.drop(writer, reader);
    s.exchange(0, 2, 3, 4);
    // Node 3 answers before it knows anything; the question to node 2 is slow.
    KiteSession acquire = s.begin(reader, 0, OperationKind.ACQUIRE, "flag");
    s.drop(reader, 0);
    s.drop(reader, 4);
    s.deliver(reader, 3);
    s.deliver(3, reader);
    List<ByteBuffer> question = s.hold(reader, late);
    KiteSession release = s.begin(writer, 0, OperationKind.RELEASE, "flag", 1);
    s.drop(writer, reader);
    s.exchange(0, 2, 3, 4);
    // Nodes 3 and 4 learn who is delinquent, and then node 2 sees the release.
    s.pass(Scenario.RELEASE_NANOS);
    s.drop(writer, reader);
    s.drop(writer, late);
    s.exchange(0, 3, 4);
    s.drop(writer, reader);
    s.exchange(0, 2, 3, 4);
    assertTrue(release.isIdle());
    s.putBack(reader, late, question);
    s.deliver(reader, late);
    s.deliver(late, reader);
    assertEquals(KiteSession.Phase.ACQUIRE_WRITE_BACK, acquire.phase);
    s.deliver(reader, 3);
    s.deliver(3, reader);
    assertTrue(acquire.isIdle());
    assertEquals(1, Scenario.result(acquire));
    KiteSession read = s.begin(reader, 0, OperationKind.READ, "data");
    s.exchange(1, 2, 3, 4);
    return Scenario.result(read);
  }

  @Test
  void theSecondRoundOfAnAcquireLooksForDelinquencyToo() {
    assertEquals(1, delinquencyInTheSecondRound(KiteRule.all()));
    assertNotEquals(
        1,
        delinquencyInTheSecondRound(KiteRule.without(KiteRule.DELINQUENCY_IN_EVERY_ROUND)),
        "the mutant");
  }

  /** A worker that has had no processor reads what has come meanwhile before it gives up. */
  @Test
  void aWorkerThatHasStoodStillReadsFirst() {
    Scenario s = new Scenario(3, KiteRule.all());
    s.begin(2, 0, OperationKind.WRITE, "data", 1);
    KiteSession release = s.begin(2, 0, OperationKind.RELEASE, "flag", 1);
    s.exchange(0, 2);
    s.deliver(2, 1);
    s.stand(2 * Scenario.RELEASE_NANOS);
    s.worker(2).poll(s.now());
    assertFalse(release.isIdle());
    s.exchange(0, 1, 2);
    assertTrue(release.isIdle());
    assertEquals(0, s.worker(2).slowReleases());
  }
}
