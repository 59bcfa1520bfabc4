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

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The three leases: the leader's, a member's, and a voter's promise. */
class LeasesTest {
  private static final LeaseTimes TIMES = new LeaseTimes(100, 200, 1_000, 600);
  private static final QuorumRule TWO = (ids, count) -> count >= 2;

  @Test
  void theTimesMustBeInTheirOrder() {
    assertTrue(TIMES.isOrdered());
    assertFalse(
        new LeaseTimes(100, 199, 1_000, 600).isOrdered(), "a grant that ends before the next");
    assertFalse(
        new LeaseTimes(100, 200, 999, 600).isOrdered(), "a removal that could come too early");
    assertFalse(new LeaseTimes(0, 200, 1_000, 600).isOrdered());
    assertFalse(new LeaseTimes(100, 200, 1_000, 599).isOrdered(), "a leader that could come early");
  }

  @Test
  void theLeadersLeaseCountsFromTheSendingOfWhatAQuorumAnswered() {
    LeaderLease lease = new LeaderLease(TIMES);
    assertFalse(lease.isValid(0), "nobody has answered");
    lease.onAnswered(1, 50, TWO);
    assertFalse(lease.isValid(51), "one of three has answered");
    assertTrue(lease.onAnswered(2, 50, TWO));
    assertEquals(250, lease.endNanos());
    assertTrue(lease.isValid(249));
    assertFalse(lease.isValid(250));
  }

  @Test
  void anAnswerToAnOldHeartbeatExtendsNothing() {
    LeaderLease lease = new LeaderLease(TIMES);
    lease.onAnswered(1, 300, TWO);
    lease.onAnswered(2, 300, TWO);
    assertFalse(lease.onAnswered(3, 100, TWO));
    assertEquals(500, lease.endNanos());
  }

  @Test
  void theLeaseIsAsOldAsTheOldestAnswerThatItNeeds() {
    LeaderLease lease = new LeaderLease(TIMES);
    lease.onAnswered(1, 400, TWO);
    lease.onAnswered(2, 100, TWO);
    assertEquals(300, lease.endNanos());
    lease.onAnswered(3, 200, TWO);
    assertEquals(400, lease.endNanos());
  }

  @Test
  void anotherConfigurationMayComeIntoForceOnceAQuorumOfItHasPromisedAsMuch() {
    QuorumRule old = among(1, 2, 3);
    QuorumRule next = among(3, 4, 5);
    LeaderLease lease = new LeaderLease(TIMES);
    assertTrue(lease.isKeptBy(next, 0), "no lease was ever out");

    lease.onAnswered(4, 90, old);
    lease.onAnswered(5, 99, old);
    lease.onAnswered(1, 100, old);
    lease.onAnswered(2, 100, old);
    assertFalse(lease.isKeptBy(next, 101), "4 and 5 could have a leader too early");
    lease.onAnswered(4, 100, old);
    assertFalse(lease.isKeptBy(next, 101), "so could 3 and 5");
    lease.onAnswered(3, 110, old);
    assertTrue(lease.isKeptBy(next, 111));

    lease.onAnswered(2, 200, old);
    lease.onAnswered(1, 200, old);
    assertFalse(lease.isKeptBy(next, 201), "the lease counts from a later one now");
  }

  @Test
  void aConfigurationOfServersThatDoNotAnswerComesIntoForceWhenNoLeaseIsLeft() {
    LeaderLease lease = new LeaderLease(TIMES);
    lease.onAnswered(1, 100, TWO);
    lease.onAnswered(2, 100, TWO);
    QuorumRule stock = among(3, 4, 5);
    assertFalse(lease.isKeptBy(stock, 1_299), "a grant of the last moment may be valid");
    assertTrue(lease.isKeptBy(stock, 1_300));
  }

  private static QuorumRule among(long... voters) {
    return (ids, count) -> {
      int found = 0;
      for (int i = 0; i < count; i++) {
        long id = ids[i];
        found += Arrays.stream(voters).anyMatch(voter -> voter == id) ? 1 : 0;
      }
      return found > voters.length / 2;
    };
  }

  @Test
  void aMembersLeaseCountsFromItsOwnStamp() {
    MemberLease lease = new MemberLease();
    assertFalse(lease.isValid(0));
    lease.onGrant(1_000, 200);
    assertTrue(lease.isValid(1_199));
    assertFalse(lease.isValid(1_200));
    assertEquals(150, lease.remainingNanos(1_050));
    assertEquals(0, lease.remainingNanos(1_300));
  }

  @Test
  void anOlderGrantShortensNothing() {
    MemberLease lease = new MemberLease();
    lease.onGrant(1_000, 200);
    lease.onGrant(900, 200);
    assertTrue(lease.isValid(1_150));
  }

  @Test
  void aGrantIsAsLongAsTheLeaderSays() {
    MemberLease lease = new MemberLease();
    lease.onGrant(1_000, 200);
    lease.onGrant(1_100, 40);
    assertTrue(lease.isValid(1_139));
    assertFalse(lease.isValid(1_140), "another leader, which counts less, has the last word");
  }

  @Test
  void whoMarkedItselfOutIgnoresGrantsThatWereOnTheirWay() {
    MemberLease lease = new MemberLease();
    lease.onGrant(1_000, 200);
    lease.onMarkOut(1_050);
    assertFalse(lease.isValid(1_051));
    lease.onGrant(1_040, 200);
    lease.onGrant(1_050, 200);
    assertFalse(lease.isValid(1_051), "both stamps are of before");
    lease.onGrant(1_060, 200);
    assertTrue(lease.isValid(1_070), "it was admitted again");
  }

  @Test
  void theClockOfAMemberMayBeNegativeAndOverflow() {
    MemberLease lease = new MemberLease();
    lease.onGrant(Long.MAX_VALUE - 50, 200);
    assertTrue(lease.isValid(Long.MIN_VALUE + 100));
    assertFalse(lease.isValid(Long.MIN_VALUE + 150));
  }

  @Test
  void aPromiseIsKeptFromTheLastAnswer() {
    ElectionPromise promise = new ElectionPromise();
    assertEquals(0, promise.remainingNanos(0), "nothing was promised");
    promise.onAnswer(100, 1_000);
    promise.onAnswer(300, 1_000);
    promise.onAnswer(200, 1_000);
    assertEquals(1_000, promise.remainingNanos(300));
    assertEquals(1, promise.remainingNanos(1_299));
    assertEquals(0, promise.remainingNanos(1_300));
    assertEquals(0, promise.remainingNanos(9_000));
  }
}
