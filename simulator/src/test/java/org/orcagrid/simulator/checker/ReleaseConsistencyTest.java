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
package org.orcagrid.simulator.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.simulator.checker.Access.Kind;

/** Histories that must pass, and ones that must fail, each for one reason. */
class ReleaseConsistencyTest {
  private static final int DATA = 0;
  private static final int FLAG = 1;

  private final List<Access> history = new ArrayList<>();
  private long now;

  private long written;
  private long read = Access.ABSENT;

  /** Appends an access that ends before the next one begins. */
  private void access(int session, Kind kind, int key, long value, long clock, long rmw) {
    long begin = now += 10;
    long end = now += 10;
    boolean writes = kind == Kind.WRITE || kind == Kind.RELEASE;
    history.add(
        new Access(
            session,
            kind,
            key,
            begin,
            end,
            writes ? value : written,
            writes ? Access.ABSENT : value,
            clock,
            rmw));
  }

  private void swap(int session, int key, long from, long to, long clock, long rmw) {
    written = to;
    access(session, Kind.SWAP, key, from, clock, rmw);
  }

  private void open(int session, Kind kind, int key, long value) {
    history.add(new Access(session, kind, key, now += 10, Access.NEVER, value, read, 0, 0));
  }

  private void assertFails(String reason) {
    List<String> violations = ReleaseConsistency.violations(history);
    assertFalse(violations.isEmpty(), "nothing was found");
    assertTrue(violations.get(0).contains(reason), violations.get(0));
  }

  private void assertPasses() {
    assertEquals(List.of(), ReleaseConsistency.violations(history));
  }

  @Test
  void producerAndConsumer() {
    access(1, Kind.WRITE, DATA, 7, 10, 0);
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    access(2, Kind.ACQUIRE, FLAG, 1, 10, 0);
    access(2, Kind.READ, DATA, 7, 10, 0);
    assertPasses();
  }

  @Test
  void aConsumerThatMissesWhatWasReleased() {
    access(1, Kind.WRITE, DATA, 7, 10, 0);
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    access(2, Kind.ACQUIRE, FLAG, 1, 10, 0);
    access(2, Kind.READ, DATA, Access.ABSENT, 0, 0);
    assertFails("released to it");
  }

  @Test
  void aReaderThatHasNotAcquiredMayReadOldValues() {
    access(1, Kind.WRITE, DATA, 7, 10, 0);
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    access(2, Kind.READ, DATA, Access.ABSENT, 0, 0);
    assertPasses();
  }

  @Test
  void aChainThroughAnotherSession() {
    access(1, Kind.WRITE, DATA, 7, 10, 0);
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    access(2, Kind.ACQUIRE, FLAG, 1, 10, 0);
    access(2, Kind.RELEASE, FLAG, 2, 20, 0);
    access(3, Kind.ACQUIRE, FLAG, 2, 20, 0);
    access(3, Kind.READ, DATA, Access.ABSENT, 0, 0);
    assertFails("released to it");
  }

  @Test
  void whatWasOnlyAcquiredIsNotCarriedToRelaxedReads() {
    access(1, Kind.RELEASE, DATA, 7, 10, 0);
    access(2, Kind.ACQUIRE, DATA, 7, 10, 0);
    access(2, Kind.RELEASE, FLAG, 1, 10, 0);
    access(3, Kind.ACQUIRE, FLAG, 1, 10, 0);
    access(3, Kind.READ, DATA, Access.ABSENT, 0, 0);
    assertPasses();
  }

  @Test
  void butWhatItsOwnSessionHasReleasedBeforeIs() {
    access(1, Kind.RELEASE, DATA, 7, 10, 0);
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    access(3, Kind.ACQUIRE, FLAG, 1, 10, 0);
    access(3, Kind.READ, DATA, Access.ABSENT, 0, 0);
    assertFails("released to it");
  }

  @Test
  void aReadModifyWriteReleasesAndAcquires() {
    access(1, Kind.WRITE, DATA, 7, 10, 0);
    swap(1, FLAG, Access.ABSENT, 1, 0, 1);
    swap(2, FLAG, 1, 2, 0, 2);
    access(3, Kind.ACQUIRE, FLAG, 2, 0, 2);
    access(3, Kind.READ, DATA, Access.ABSENT, 0, 0);
    assertFails("released to it");
  }

  @Test
  void aWriteThatIsOrderedBeforeWhatWasReleasedToIt() {
    access(1, Kind.WRITE, DATA, 7, 20, 0);
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    access(2, Kind.ACQUIRE, FLAG, 1, 10, 0);
    access(2, Kind.WRITE, DATA, 8, 10, 0);
    assertFails("a write not after");
  }

  @Test
  void aSessionThatGoesBackOnOneKey() {
    access(1, Kind.WRITE, DATA, 7, 10, 0);
    access(1, Kind.WRITE, DATA, 8, 20, 0);
    access(2, Kind.READ, DATA, 8, 20, 0);
    access(2, Kind.READ, DATA, 7, 10, 0);
    assertFails("its session had seen");
  }

  @Test
  void anAcquireThatMissesAReleaseThatHadEnded() {
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    access(2, Kind.ACQUIRE, FLAG, Access.ABSENT, 0, 0);
    assertFails("not linearizable");
  }

  @Test
  void twoAcquiresThatGoBack() {
    access(1, Kind.RELEASE, FLAG, 1, 10, 0);
    open(1, Kind.RELEASE, FLAG, 2);
    access(2, Kind.ACQUIRE, FLAG, 2, 20, 0);
    access(3, Kind.ACQUIRE, FLAG, 1, 10, 0);
    assertFails("not linearizable");
  }

  @Test
  void whatNeverEndedMayHaveTakenEffect() {
    open(1, Kind.RELEASE, FLAG, 2);
    access(2, Kind.ACQUIRE, FLAG, 2, 20, 0);
    assertPasses();
  }

  @Test
  void addsThatNeverEndedAndThatNobodyHasReadAreTakenInTheOrderThatFits() {
    open(1, Kind.ADD, FLAG, 1);
    open(2, Kind.ADD, FLAG, 10);
    open(3, Kind.ADD, FLAG, 100);
    // 100, then 110 and 111: what the first of them was nobody has seen.
    access(4, Kind.READ, FLAG, 110, 0, 2);
    access(4, Kind.READ, FLAG, 111, 0, 3);
    assertPasses();
  }

  @Test
  void twoReadModifyWritesOfOneVersion() {
    swap(1, FLAG, Access.ABSENT, 1, 0, 1);
    swap(2, FLAG, Access.ABSENT, 2, 0, 1);
    assertFails("two writes of one version");
  }

  @Test
  void aReadModifyWriteThatHasReadSomethingElse() {
    access(1, Kind.RELEASE, FLAG, 5, 10, 0);
    swap(2, FLAG, Access.ABSENT, 6, 10, 1);
    assertFails("not what was written");
  }

  @Test
  void aValueOutOfThinAir() {
    access(1, Kind.READ, DATA, 5, 10, 0);
    assertFails("nobody has written");
  }
}
