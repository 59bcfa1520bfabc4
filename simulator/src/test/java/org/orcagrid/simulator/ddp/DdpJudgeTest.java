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
package org.orcagrid.simulator.ddp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.consistency.Operation.Kind;
import org.orcagrid.ddp.replica.consistency.Operation.Status;
import org.orcagrid.simulator.checker.Access;

/** The judge sees what is wrong, and only that. */
class DdpJudgeTest {
  private final List<DdpEvent> history = new ArrayList<>();
  private final List<DdpJudge.Recovery> recoveries = new ArrayList<>();
  private long now;
  private int crashes;

  private void add(int client, Kind kind, int key, long clock, int transaction, int scope) {
    history.add(
        new DdpEvent(client, kind, key, clock, transaction, scope, ++now, ++now, Status.DONE));
  }

  private void write(int client, int key, long clock) {
    add(client, Kind.WRITE, key, clock, -1, -1);
  }

  private void read(int client, int key, long clock) {
    add(client, Kind.READ, key, clock, -1, -1);
  }

  private void modify(int client, long base, long clock, long expected) {
    Kind kind = expected == Access.ABSENT ? Kind.GET_AND_SET : Kind.COMPARE_AND_SET;
    long found = base == 0 ? Access.ABSENT : base;
    history.add(
        new DdpEvent(
            client,
            kind,
            0,
            clock,
            -1,
            -1,
            ++now,
            ++now,
            Status.DONE,
            new DdpEvent.Values(base, found, clock, expected),
            client));
  }

  private DdpVerdict judge(String model, Map<Integer, Long> last) {
    return new DdpJudge(Ddp.parse(model), history, recoveries, crashes).judge(List.of(last, last));
  }

  @Test
  void nothingIsWrongWithAQuietHistory() {
    write(1, 0, 10);
    read(2, 0, 10);
    write(2, 1, 20);
    read(1, 1, 20);
    DdpVerdict verdict = judge("linearizable/synchronous", Map.of(0, 10L, 1, 20L));
    assertEquals(List.of(), verdict.broken());
    assertEquals(Map.of(), verdict.missed());
    assertEquals(4, verdict.operations());
  }

  @Test
  void whatWasCompletedOrReadAndIsGoneIsMissed() {
    crashes = 1;
    write(1, 0, 10);
    write(1, 1, 20);
    read(2, 1, 20);
    DdpVerdict verdict = judge("linearizable/eventual", Map.of(0, 0L, 1, 0L));
    assertEquals(
        Set.of(Promise.COMPLETED_SURVIVES, Promise.READ_SURVIVES), verdict.missed().keySet());
  }

  @Test
  void aScopeThatWasNotPersistedMayBeLostAndOneThatWasMayNot() {
    crashes = 1;
    add(1, Kind.WRITE, 0, 10, -1, 7);
    assertEquals(Map.of(), judge("linearizable/scope", Map.of(0, 0L)).missed());
    add(1, Kind.PERSIST, -1, 0, -1, 7);
    assertEquals(
        Set.of(Promise.COMPLETED_SURVIVES),
        judge("linearizable/scope", Map.of(0, 0L)).missed().keySet());
  }

  @Test
  void aReadThatIsBehindACompletedWriteIsStale() {
    crashes = 1;
    write(1, 0, 10);
    read(2, 0, 0);
    DdpVerdict verdict = judge("read-enforced/synchronous", Map.of(0, 10L));
    assertEquals(Set.of(Promise.NON_STALE_READS), verdict.missed().keySet());
    assertEquals(List.of(), verdict.broken());
    crashes = 0;
    assertFalse(judge("linearizable/synchronous", Map.of(0, 10L)).broken().isEmpty());
  }

  @Test
  void whoKnowsOfAVersionByReadingMustNotReadAnOlderOne() {
    crashes = 1;
    write(1, 0, 10);
    read(2, 0, 10);
    write(2, 1, 20);
    read(3, 1, 20);
    read(3, 0, 0);
    Set<Promise> missed = judge("eventual/synchronous", Map.of(0, 10L, 1, 20L)).missed().keySet();
    assertTrue(missed.contains(Promise.MONOTONIC_READS));
  }

  @Test
  void whoCannotKnowMayReadAnOlderOneButNotForAll() {
    write(1, 0, 10);
    read(2, 0, 10);
    read(3, 0, 0);
    DdpVerdict verdict = judge("causal/synchronous", Map.of(0, 10L));
    assertFalse(verdict.missed().containsKey(Promise.MONOTONIC_READS));
    assertTrue(verdict.missed().containsKey(Promise.MONOTONIC_FOR_ALL));
    assertEquals(List.of(), verdict.broken());
  }

  @Test
  void whatAWriterHadWrittenBeforeIsKnownToWhoReadsIt() {
    write(1, 0, 10);
    write(1, 1, 20);
    read(2, 1, 20);
    read(2, 0, 0);
    assertFalse(judge("causal/synchronous", Map.of(0, 10L, 1, 20L)).broken().isEmpty());
    assertEquals(List.of(), judge("eventual/synchronous", Map.of(0, 10L, 1, 20L)).broken());
  }

  @Test
  void nodesThatDifferInTheEndAreWrong() {
    DdpVerdict verdict =
        new DdpJudge(Ddp.parse("eventual/eventual"), history, recoveries, 0)
            .judge(List.of(Map.of(0, 1L), Map.of(0, 2L)));
    assertFalse(verdict.broken().isEmpty());
  }

  @Test
  void aPartOfATransactionIsWrong() {
    add(1, Kind.BEGIN, -1, 0, 3, -1);
    add(1, Kind.WRITE, 0, 10, 3, -1);
    add(1, Kind.WRITE, 1, 20, 3, -1);
    assertEquals(List.of(), judge("transactional/synchronous", Map.of(0, 0L, 1, 0L)).broken());
    assertEquals(List.of(), judge("transactional/synchronous", Map.of(0, 10L, 1, 20L)).broken());
    assertFalse(judge("transactional/synchronous", Map.of(0, 10L, 1, 0L)).broken().isEmpty());
  }

  @Test
  void aPartOfAScopeThatCameBackIsWrong() {
    crashes = 1;
    add(1, Kind.WRITE, 0, 10, -1, 3);
    add(1, Kind.WRITE, 1, 20, -1, 3);
    recoveries.add(new DdpJudge.Recovery(++now, Map.of(0, 10L, 1, 0L)));
    assertFalse(judge("causal/scope", Map.of(0, 10L, 1, 20L)).broken().isEmpty());
  }

  @Test
  void whereNothingIsDurableNothingIsThereWhenAllHaveComeBack() {
    crashes = 1;
    write(1, 0, 10);
    recoveries.add(new DdpJudge.Recovery(++now, Map.of(0, 10L)));
    assertEquals(List.of(), judge("linearizable/eventual", Map.of(0, 10L)).broken());
    assertFalse(judge("linearizable/none", Map.of(0, 10L)).broken().isEmpty());
    recoveries.set(0, new DdpJudge.Recovery(now, Map.of(0, 0L)));
    assertEquals(List.of(), judge("linearizable/none", Map.of(0, 0L)).broken());
  }

  @Test
  void whatAllNodesHadIsThereWhileSomebodyServesOn() {
    crashes = 1;
    write(1, 0, 10);
    for (String model : List.of("linearizable/none", "linearizable/eventual")) {
      assertFalse(judge(model, Map.of(0, 0L)).broken().isEmpty(), model);
    }
    assertEquals(List.of(), judge("read-enforced/none", Map.of(0, 0L)).broken());
    assertEquals(List.of(), judge("causal/none", Map.of(0, 0L)).broken());
    read(2, 0, 10);
    assertFalse(judge("read-enforced/none", Map.of(0, 0L)).broken().isEmpty());
    assertEquals(List.of(), judge("causal/none", Map.of(0, 0L)).broken());
    recoveries.add(new DdpJudge.Recovery(++now, Map.of(0, 0L)));
    assertEquals(List.of(), judge("linearizable/none", Map.of(0, 0L)).broken());
  }

  @Test
  void whatAnAbortedTransactionHasWrittenMustNotBeRead() {
    add(1, Kind.BEGIN, -1, 0, 3, -1);
    add(1, Kind.WRITE, 0, 10, 3, -1);
    read(2, 0, 10);
    add(1, Kind.ABORT, -1, 0, 3, -1);
    crashes = 1;
    assertFalse(judge("transactional/synchronous", Map.of(0, 10L)).broken().isEmpty());
  }

  @Test
  void twoReadModifyWritesMustNotFindTheSameVersion() {
    write(1, 0, 10);
    modify(1, 10, 11, 10);
    modify(2, 11, 12, Access.ABSENT);
    assertEquals(List.of(), judge("linearizable/eventual", Map.of(0, 12L)).broken());
    modify(2, 11, 13, 11);
    assertFalse(judge("read-enforced/eventual", Map.of(0, 13L)).broken().isEmpty());
    recoveries.add(new DdpJudge.Recovery(now - 2, Map.of(0, 11L)));
    assertEquals(
        List.of(),
        judge("linearizable/eventual", Map.of(0, 13L)).broken(),
        "the other one may have been lost");
  }

  @Test
  void nothingMustComeBetweenWhatIsFoundAndWhatIsWritten() {
    write(1, 0, 10);
    write(1, 0, 20);
    modify(2, 10, 21, Access.ABSENT);
    assertFalse(judge("transactional/eventual", Map.of(0, 21L)).broken().isEmpty());
  }

  @Test
  void aReadModifyWriteThatFindsAnOldValueIsNotLinearizable() {
    write(1, 0, 10);
    write(1, 0, 20);
    // It says of the versions what it should.
    history.add(
        new DdpEvent(
            2,
            Kind.GET_AND_SET,
            0,
            21,
            -1,
            -1,
            ++now,
            ++now,
            Status.DONE,
            new DdpEvent.Values(20, 10, 21, Access.ABSENT),
            2));
    assertFalse(judge("linearizable/synchronous", Map.of(0, 21L)).broken().isEmpty());
  }

  @Test
  void whoAcquiresMustFindWhatWasWrittenBeforeTheRelease() {
    write(1, 0, 10);
    add(1, Kind.RELEASE, 1, 20, -1, -1);
    read(2, 0, 0);
    assertEquals(List.of(), judge("release/eventual", Map.of(0, 10L, 1, 20L)).broken());
    add(2, Kind.ACQUIRE, 1, 20, -1, -1);
    read(2, 0, 0);
    assertFalse(judge("release/eventual", Map.of(0, 10L, 1, 20L)).broken().isEmpty());
  }

  @Test
  void whatWasWrittenBeforeACompletedReleaseMustSurvive() {
    write(1, 0, 10);
    recoveries.add(new DdpJudge.Recovery(50, Map.of(0, 0L, 1, 20L)));
    assertEquals(List.of(), judge("release/synchronous", Map.of(0, 0L, 1, 20L)).broken());
    add(1, Kind.RELEASE, 1, 20, -1, -1);
    assertEquals(List.of(), judge("release/eventual", Map.of(0, 0L, 1, 20L)).broken());
    assertFalse(judge("release/synchronous", Map.of(0, 0L, 1, 20L)).broken().isEmpty());
  }

  @Test
  void whatWasWrittenBeforeAnAcquiredReleaseMustSurvive() {
    write(1, 0, 10);
    add(1, Kind.RELEASE, 1, 20, -1, -1);
    recoveries.add(new DdpJudge.Recovery(50, Map.of(0, 0L, 1, 20L)));
    assertEquals(List.of(), judge("release/read-enforced", Map.of(0, 0L, 1, 20L)).broken());
    add(2, Kind.ACQUIRE, 1, 20, -1, -1);
    assertFalse(judge("release/read-enforced", Map.of(0, 0L, 1, 20L)).broken().isEmpty());
  }

  @Test
  void transactionsThatEachMissTheOtherHaveNoOrder() {
    add(1, Kind.READ, 0, 0, 3, -1);
    add(2, Kind.READ, 1, 0, 4, -1);
    add(1, Kind.WRITE, 1, 10, 3, -1);
    add(2, Kind.WRITE, 0, 20, 4, -1);
    add(1, Kind.END, -1, 0, 3, -1);
    add(2, Kind.END, -1, 0, 4, -1);
    assertFalse(judge("transactional/synchronous", Map.of(0, 20L, 1, 10L)).broken().isEmpty());
  }

  @Test
  void transactionsOneAfterTheOtherHaveAnOrder() {
    add(1, Kind.READ, 0, 0, 3, -1);
    add(1, Kind.WRITE, 0, 10, 3, -1);
    add(1, Kind.END, -1, 0, 3, -1);
    add(2, Kind.READ, 0, 10, 4, -1);
    add(2, Kind.WRITE, 0, 20, 4, -1);
    add(2, Kind.END, -1, 0, 4, -1);
    assertEquals(List.of(), judge("transactional/synchronous", Map.of(0, 20L)).broken());
  }
}
