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
package org.orcagrid.ddp.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.Quorum;

/** Scenarios of Raft, message by message. */
class RaftTest {
  private static final Members THREE = Members.of(Quorum.all(3));

  private static Set<RaftRule> all() {
    return EnumSet.allOf(RaftRule.class);
  }

  private static Set<RaftRule> allBut(RaftRule broken) {
    return EnumSet.complementOf(EnumSet.of(broken));
  }

  private static RaftGroup three() {
    return new RaftGroup(3, THREE, all());
  }

  /** Commands without what leaders begin with. */
  private static List<String> commands(RaftGroup group, int node) {
    return group.member(node).applied().stream().filter(each -> !each.equals("-")).toList();
  }

  @Test
  void whatALeaderCommitsAllApply() {
    RaftGroup group = three();
    assertEquals(Raft.REFUSED, group.propose(0, "too early"));
    group.elect(0, 0, 1, 2);
    assertEquals(2, group.propose(0, "a"));
    assertEquals(3, group.propose(0, "b"));
    assertEquals(List.of(), commands(group, 0));
    group.exchange(0, 1, 2);
    for (int node = 0; node < 3; node++) {
      assertEquals(List.of("a", "b"), commands(group, node));
      assertEquals(0, group.raft(node).leader());
    }
    assertEquals(Raft.REFUSED, group.propose(1, "no leader"));
  }

  @Test
  void oneNodeAloneIsAMajority() {
    RaftGroup group = new RaftGroup(1, Members.of(1), all());
    group.elect(0, 0);
    group.propose(0, "a");
    assertEquals(List.of("a"), commands(group, 0));
  }

  @Test
  void oneNodeAloneWaitsForNoTimeOut() {
    RaftGroup group = new RaftGroup(1, Members.of(1), all());
    group.pass(RaftGroup.BEAT_NANOS, 0);
    assertEquals(Raft.Role.LEADER, group.raft(0).role());
  }

  @Test
  void tooMuchThatIsNotCommittedIsRefused() {
    RaftGroup group = three();
    group.elect(0, 0, 1, 2);
    for (int i = 0; i < 10; i++) {
      assertNotEquals(Raft.REFUSED, group.propose(0, "a"));
    }
    assertEquals(Raft.REFUSED, group.propose(0, "a"));
    group.exchange(0, 1, 2);
    assertNotEquals(Raft.REFUSED, group.propose(0, "a"));
  }

  @Test
  void aLeaderWithoutAMajorityGivesUp() {
    RaftGroup group = three();
    group.elect(0, 0, 1, 2);
    group.pass(2 * RaftGroup.ELECTION_NANOS, 0);
    assertNotEquals(Raft.Role.LEADER, group.raft(0).role());
    assertEquals(Raft.REFUSED, group.propose(0, "a"));
  }

  /** Nothing is said of the disk before it is true, and beats do not pile up meanwhile. */
  @Test
  void answersWaitForTheDisk() {
    RaftGroup group = three();
    group.elect(0, 0, 1, 2);
    group.member(1).diskStands(true);
    group.propose(0, "a");
    group.pass(RaftGroup.ELECTION_NANOS / 2, 0, 1);
    assertEquals(List.of(), commands(group, 0));
    group.member(1).diskStands(false);
    group.exchange(0, 1);
    assertEquals(List.of("a"), commands(group, 0));
  }

  // --- elections ---------------------------------------------------------------------------------

  @Test
  void aNodeThatWasCutOffDeposesNobody() {
    RaftGroup group = three();
    group.elect(0, 0, 1, 2);
    long term = group.raft(0).term();
    for (int i = 0; i < 20; i++) {
      group.pass(RaftGroup.ELECTION_NANOS / 2, 0, 1);
      group.pass(RaftGroup.ELECTION_NANOS / 2, 2);
      group.exchange(0, 1);
    }
    group.pass(3 * RaftGroup.ELECTION_NANOS, 0, 1, 2);
    assertEquals(term, group.raft(0).term());
    assertEquals(Raft.Role.LEADER, group.raft(0).role());
    assertEquals(0, group.raft(2).leader());
  }

  /** Node 2 does not hear the leader, and node 1 does. */
  private static boolean isDeposed(Set<RaftRule> rules) {
    RaftGroup group = new RaftGroup(3, THREE, rules);
    group.elect(0, 0, 1, 2);
    for (int i = 0; i < 40; i++) {
      group.tick(0, RaftGroup.BEAT_NANOS);
      group.drop(0, 2);
      group.deliver(0, 1);
      group.deliver(1, 0);
      group.tick(1, 0);
      group.tick(2, 0);
      group.deliver(2, 1);
      group.deliver(1, 2);
      group.deliver(2, 1);
      group.deliver(1, 2);
      group.drop(2, 0);
    }
    return group.raft(1).leader() != 0;
  }

  @Test
  void whoHearsTheLeaderElectsNobodyElse() {
    assertFalse(isDeposed(all()));
    assertTrue(isDeposed(allBut(RaftRule.LEADER_IS_NOT_DISTURBED)), "the mutant");
  }

  @Test
  void aLeaderHandsOver() {
    RaftGroup group = three();
    group.elect(0, 0, 1, 2);
    group.propose(0, "a");
    group.transfer(0, 2);
    assertEquals(Raft.REFUSED, group.propose(0, "meanwhile"));
    group.exchange(0, 1, 2);
    assertEquals(Raft.Role.LEADER, group.raft(2).role());
    group.propose(2, "b");
    group.exchange(0, 1, 2);
    assertEquals(List.of("a", "b"), commands(group, 0));
  }

  @Test
  void aTransferThatFailsIsGivenUp() {
    RaftGroup group = three();
    group.elect(0, 0, 1, 2);
    group.transfer(0, 2);
    group.pass(RaftGroup.ELECTION_NANOS + RaftGroup.BEAT_NANOS, 0, 1);
    assertNotEquals(Raft.REFUSED, group.propose(0, "a"));
  }

  // --- Figure 8 of the paper ---------------------------------------------------------------------

  /** Whether an entry that is applied at one node is another one at the others in the end. */
  private static boolean isOverwritten(Set<RaftRule> rules) {
    RaftGroup group = new RaftGroup(5, Members.of(Quorum.all(5)), rules);
    group.elect(0, 0, 1, 2, 3, 4);
    group.exchange(0, 1, 2, 3, 4);
    // (a) Node 0 leads and has an entry that only node 1 gets.
    group.propose(0, "old");
    group.deliver(0, 1);
    group.crash(0);
    // (b) Node 4 leads by the votes of 2 and 3, with another entry at that index.
    group.win(4, 2, 3);
    group.crash(4);
    // (c) Node 0 leads again, by 1 and 2, and the old entry comes to a majority.
    group.start(0);
    group.win(0, 1, 2);
    group.deliver(0, 1);
    group.deliver(1, 0);
    for (int i = 0; i < 2; i++) {
      group.deliver(0, 2);
      group.deliver(2, 0);
    }
    boolean isApplied = commands(group, 0).contains("old");
    // (d) Node 4 leads again, by 2 and 3, and has its own entry taken.
    group.crash(0);
    group.start(4);
    group.win(4, 2, 3);
    group.pass(RaftGroup.ELECTION_NANOS, 2, 3, 4);
    return isApplied && group.raft(2).committed() > 2 && !commands(group, 2).contains("old");
  }

  @Test
  void entriesOfEarlierTermsAreNotCounted() {
    assertFalse(isOverwritten(all()));
    assertTrue(isOverwritten(allBut(RaftRule.COUNTS_OWN_TERM)), "the mutant");
  }

  // --- members and snapshots ---------------------------------------------------------------------

  @Test
  void aNewNodeLearnsAndThenVotes() {
    RaftGroup group = new RaftGroup(4, THREE, all());
    group.elect(0, 0, 1, 2);
    group.propose(0, "a");
    group.exchange(0, 1, 2);
    group.step(0, () -> group.raft(0).compact(group.raft(0).committed()));
    assertNotEquals(Raft.REFUSED, group.change(0, new Members(0b0111, 0b1000)));
    group.pass(RaftGroup.ELECTION_NANOS, 0, 1, 2, 3);
    assertEquals(List.of("a"), commands(group, 3));
    assertNotEquals(Raft.REFUSED, group.change(0, Members.of(0b1111)));
    assertEquals(
        Raft.REFUSED,
        group.change(0, Members.of(0b0111)),
        "the change before is not committed yet");
    group.pass(RaftGroup.ELECTION_NANOS, 0, 1, 2, 3);
    assertEquals(Members.of(0b1111), group.raft(3).members());
    // Three of four are needed now.
    group.propose(0, "b");
    group.exchange(0, 1);
    assertEquals(List.of("a"), commands(group, 0));
    group.pass(RaftGroup.BEAT_NANOS, 0, 1, 3);
    assertEquals(List.of("a", "b"), commands(group, 3));
  }

  @Test
  void aLeaderThatIsRemovedGoes() {
    RaftGroup group = three();
    group.elect(0, 0, 1, 2);
    group.exchange(0, 1, 2);
    group.change(0, Members.of(0b110));
    group.exchange(0, 1, 2);
    assertEquals(Raft.Role.FOLLOWER, group.raft(0).role());
    group.pass(4 * RaftGroup.ELECTION_NANOS, 0, 1, 2);
    assertNotEquals(Raft.Role.LEADER, group.raft(0).role());
    assertTrue(group.raft(1).leader() > 0);
  }

  @Test
  void moreThanOneVoterAtATimeIsRefused() {
    RaftGroup group = new RaftGroup(5, THREE, all());
    group.elect(0, 0, 1, 2);
    group.exchange(0, 1, 2);
    IllegalArgumentException two =
        assertThrows(IllegalArgumentException.class, () -> group.change(0, Members.of(0b11111)));
    assertTrue(two.getMessage().contains("one voter at a time"), two.getMessage());
    assertThrows(IllegalArgumentException.class, () -> group.change(0, Members.of(0b1111)));
    assertThrows(IllegalArgumentException.class, () -> new Members(1, 1));
  }

  @Test
  void settingsWithWhichNoGroupWorksAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new RaftSettings(0, 200, 100, 1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new RaftSettings(0, 300, 100, 0, 1, 1));
  }
}
