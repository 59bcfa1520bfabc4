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
package org.orcagrid.cad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Server 1 leads 2 and 3; everything up to 100 is durable and applied when its epoch begins. */
class LeaderDurabilityTest {
  private static final LeaseTimes TIMES = new LeaseTimes(100, 200, 1_000, 600);
  private static final QuorumRule TWO = (ids, count) -> count >= 2;
  private static final long NONE = FlushRounds.NONE;

  private final LeaderDurability leader = new LeaderDurability(1, 100, 3, TIMES, 200, TWO);
  private long last = 100;
  private long committed = 100;
  private long applied = 100;
  private long now;

  private LeaderDurability.Now here() {
    return new LeaderDurability.Now(last, committed, applied, now);
  }

  private void joinBoth() {
    leader.onJoined(2, true, 100, 100, here());
    leader.onJoined(3, true, 100, 100, here());
    beat(2);
    beat(3);
  }

  private LeaderDurability.Effects beat(long id) {
    return leader.onBeat(id, now, -1, 0, here());
  }

  private void write(int count) {
    last += count;
    committed += count;
    applied += count;
  }

  @Test
  void aReplyIsShownOnceAQuorumHasPersistedAndAllMembersHaveAppliedIt() {
    leader.onHeartbeat(3, here());
    joinBoth();
    write(5);
    LeaderDurability.Effects demanded = leader.onDemand(105, 105, false, here());
    assertEquals(105, demanded.flush());
    assertEquals(NONE, demanded.askApplied(), "who flushes reports what it has applied");

    leader.onReport(1, 105, -1, here());
    LeaderDurability.Effects second = leader.onReport(2, 105, 105, here());
    assertEquals(105, leader.durable());
    assertEquals(100, leader.applied(), "3 has not applied it");
    assertTrue(second.moved());

    LeaderDurability.Effects third = leader.onReport(3, 100, 105, here());
    assertTrue(third.moved());
    assertEquals(105, leader.applied(), "though 3 has not persisted it");
  }

  /** A round of which the servers say that they have forced it in this order. */
  private LeaderDurability.Effects round(long... inOrder) {
    write(1);
    LeaderDurability.Effects demanded = leader.onDemand(last, 0, false, here());
    for (long id : inOrder) {
      leader.onReport(id, last, -1, here());
    }
    return demanded;
  }

  @Test
  void aLeaderThatForcesFirstIsAskedInEveryRound() {
    joinBoth();
    for (int i = 0; i < 200; i++) {
      assertTrue(round(1, 2, 3).flushes(1), "round " + i);
    }
  }

  @Test
  void aLeaderWhoseDiskHangsIsNotAskedUntilItAnswers() {
    joinBoth();
    round(1, 2, 3);
    round();
    leader.onHeartbeat(3, here());
    leader.onHeartbeat(3, here());
    leader.onReport(2, last, -1, here());
    leader.onReport(3, last, -1, here());
    round(2, 3);
    LeaderDurability.Effects without = round(2, 3);
    assertFalse(without.flushes(1));
    assertTrue(without.flushes(2) && without.flushes(3));
    for (int i = 0; i < FlushQuorum.ROUNDS_TO_MEASURE; i++) {
      round(1, 2, 3);
    }
    LeaderDurability.Effects with = round(1, 2, 3);
    assertTrue(with.flushes(1) && with.flushes(2));
    assertFalse(with.flushes(3));
  }

  @Test
  void withoutFlushesMembersAreAskedOnceForAllThatWaits() {
    leader.onHeartbeat(3, here());
    joinBoth();
    write(5);
    assertEquals(105, leader.onDemand(0, 103, false, here()).askApplied(), "later entries too");
    assertEquals(NONE, leader.onDemand(0, 104, false, here()).askApplied(), "it joins");
    write(1);
    assertEquals(106, leader.onDemand(0, 106, false, here()).askApplied());
  }

  /** Five writes are committed, and three more are not. */
  private void proposeLateBehindFive() {
    leader.onHeartbeat(3, here());
    joinBoth();
    write(5);
    last += 3;
  }

  @Test
  void noReplyWaitsForWritesThatAreNotCommitted() {
    proposeLateBehindFive();
    assertEquals(105, leader.onDemand(0, 103, false, here()).askApplied());
  }

  @Test
  void norIfItWaitsForThemToBeDurable() {
    proposeLateBehindFive();
    LeaderDurability.Effects demanded = leader.onDemand(103, 103, false, here());
    assertEquals(108, demanded.flush());
    assertFalse(demanded.flushAsksApplied(), "who flushes would report once it has applied 108");
    assertEquals(105, demanded.askApplied());
  }

  @Test
  void theCommitOfALateWriteAsksMembersAndNobodyAsksAgain() {
    assertFalse(leader.onLateCommit(101), "the leader is the only member");
    leader.onHeartbeat(3, here());
    joinBoth();
    write(5);
    assertTrue(leader.onLateCommit(105));
    assertFalse(leader.onLateCommit(105));
    assertEquals(NONE, leader.onDemand(0, 105, false, here()).askApplied());
    leader.onReport(2, -1, 105, here());
    assertEquals(100, leader.applied());
    leader.onReport(3, -1, 105, here());
    assertEquals(105, leader.applied());
  }

  @Test
  void whoJoinsIsAskedForWhatTheOthersWereAsked() {
    leader.onHeartbeat(3, here());
    joinBoth();
    write(5);
    leader.onLateCommit(105);
    leader.onLeft(3);
    assertEquals(105, leader.onJoined(3, true, 100, 104, here()).askApplied());
  }

  @Test
  void theLeaderIsAskedToCallWhenItHasAppliedWhatIsWanted() {
    last = 105;
    leader.onDemand(0, 105, true, here());
    assertEquals(105, leader.ownAppliedWanted());
    applied = 105;
    LeaderDurability.Effects done = leader.onOwnProgress(here());
    assertTrue(done.moved());
    assertTrue(done.announce());
    assertEquals(0, leader.ownAppliedWanted());
  }

  @Test
  void aMemberThatHoldsAReadUpIsMarkedOutAfterAWhile() {
    leader.onHeartbeat(3, here());
    joinBoth();
    write(5);
    leader.onDemand(0, 105, false, here());
    leader.onReport(2, -1, 105, here());
    now = 199;
    assertEquals(List.of(), leader.onHeartbeat(3, here()).markOut());
    now = 200;
    assertEquals(List.of(3L), leader.onHeartbeat(3, here()).markOut());
    LeaderDurability.Effects gone = leader.onMarkedOut(3, here());
    assertEquals(List.of(3L), gone.removed());
    assertEquals(105, leader.applied());
    assertTrue(gone.moved());
  }

  @Test
  void nobodyIsMarkedOutForWhatTheLeaderItselfHasNotApplied() {
    leader.onHeartbeat(3, here());
    joinBoth();
    last = 105;
    leader.onDemand(0, 105, false, here());
    now = 5_000;
    beat(2);
    beat(3);
    assertEquals(List.of(), leader.onHeartbeat(3, here()).markOut());
  }

  @Test
  void aGrantNeedsTheLeadersOwnLease() {
    leader.onJoined(2, true, 100, 100, here());
    assertFalse(leader.onBeat(2, 0, -1, 0, here()).grant(), "no heartbeat of its own yet");
    leader.onHeartbeat(3, here());
    assertTrue(beat(2).grant());
    now = 200;
    assertFalse(leader.onBeat(2, 0, -1, 0, here()).grant(), "the lease has run out");
  }

  @Test
  void anAnswerOfAQuorumExtendsTheLease() {
    assertFalse(leader.onHeartbeat(3, here()).leaseExtended());
    assertTrue(leader.onBeat(2, 0, -1, 0, here()).leaseExtended());
    assertEquals(200, leader.lease().endNanos());
  }

  @Test
  void aSilentMemberHoldsReadsUpForTheRemovalTimeAtMost() {
    leader.onHeartbeat(3, here());
    joinBoth();
    leader.onLeft(3);
    write(5);
    leader.onDemand(0, 105, false, here());
    leader.onReport(2, -1, 105, here());
    now = 999;
    leader.onHeartbeat(3, here());
    assertEquals(100, leader.applied());
    now = 1_000;
    assertEquals(
        List.of(2L, 3L), sorted(leader.onHeartbeat(3, here()).removed()), "2 is silent too");
    assertEquals(105, leader.applied());
  }

  @Test
  void aLearnerThatAsksForWhatIsSettledIsTold() {
    leader.onReport(1, 105, -1, here());
    leader.onReport(2, 105, -1, here());
    assertTrue(leader.onDemand(103, 0, true, here()).announce());
    assertFalse(leader.onDemand(0, 0, true, here()).announce());
  }

  private static List<Long> sorted(List<Long> ids) {
    return ids.stream().sorted().toList();
  }
}
