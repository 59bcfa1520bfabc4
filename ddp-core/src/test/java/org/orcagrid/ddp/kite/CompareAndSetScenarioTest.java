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

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A compare-and-set that fails leaves nothing behind that others wait for. */
class CompareAndSetScenarioTest {
  private static final String KEY = "key";
  private static final int BACKOFF_NANOS = 10_000;

  private static KiteSession compareAndSet(
      Scenario s, int node, int slot, long expected, long value) {
    Scenario.expect(s.session(node, slot), expected);
    return s.begin(node, slot, OperationKind.COMPARE_AND_SET, KEY, value);
  }

  /** All three nodes have 1; then node 1 has 2, and node 2 as well, but node 0 does not. */
  private static Scenario whereNodeZeroIsBehind() {
    Scenario s = new Scenario(3, KiteRule.all());
    s.begin(1, 1, OperationKind.WRITE, KEY, 1);
    s.exchange(0, 1, 2);
    s.begin(1, 1, OperationKind.WRITE, KEY, 2);
    s.drop(1, 0);
    s.deliver(1, 2);
    return s;
  }

  private static void assertFailed(KiteSession failed, long found) {
    assertTrue(failed.isIdle());
    assertEquals(Outcome.NOT_EQUAL, failed.asked.outcome);
    assertEquals(found, Scenario.result(failed));
  }

  @Test
  void whoComesNextAtTheSameNodeDoesNotWait() {
    for (int slot = 0; slot < 2; slot++) {
      Scenario s = whereNodeZeroIsBehind();
      KiteSession failed = compareAndSet(s, 0, 0, 1, 3);
      s.exchange(0, 1, 2);
      assertFailed(failed, 2);
      KiteSession next = compareAndSet(s, 0, slot, 2, 4);
      s.exchange(0, 1, 2);
      assertTrue(next.isIdle(), "no time has passed");
      assertEquals(Outcome.DONE, next.asked.outcome);
    }
  }

  @Test
  void whoComesNextAtAnotherNodeDoesNotWait() {
    Scenario s = whereNodeZeroIsBehind();
    assertFailed(failAndExchange(s), 2);
    KiteSession next = compareAndSet(s, 2, 0, 2, 4);
    s.exchange(0, 1, 2);
    assertTrue(next.isIdle(), "no time has passed");
    assertEquals(Outcome.DONE, next.asked.outcome);
  }

  private static KiteSession failAndExchange(Scenario s) {
    KiteSession failed = compareAndSet(s, 0, 0, 1, 3);
    s.exchange(0, 1, 2);
    return failed;
  }

  @Test
  void aSessionDoesNotWaitForItsOwnProposalThatHasEnded() {
    Scenario s = whereNodeZeroIsBehind();
    KiteSession failed = compareAndSet(s, 0, 0, 1, 3);
    s.deliver(0, 1);
    s.deliver(1, 0);
    assertFailed(failed, 2);
    // What says that it is withdrawn is lost, and another message brings the promise back.
    s.drop(0, 1);
    s.drop(0, 2);
    KiteSession next = compareAndSet(s, 0, 0, 2, 4);
    s.exchange(0, 1, 2);
    assertEquals(Outcome.DONE, next.asked.outcome);
    assertTrue(next.isIdle(), "no time has passed");
  }

  @Test
  void oneThatWillFailByWhatIsHereAsksForNoPromise() {
    Scenario s = new Scenario(3, KiteRule.all());
    s.begin(1, 1, OperationKind.WRITE, KEY, 1);
    s.exchange(0, 1, 2);
    KiteSession failed = compareAndSet(s, 0, 0, 7, 8);
    assertEquals(1, s.deliver(0, 1));
    assertEquals(1, s.deliver(1, 0));
    assertFailed(failed, 1);
    s.deliver(0, 2);
    assertEquals(0, s.deliver(0, 1), "there is nothing to withdraw");
  }

  @Test
  void oneThatSeemsToFailHereAndDoesNotIsProposedAfterAll() {
    Scenario s = whereNodeZeroIsBehind();
    KiteSession done = compareAndSet(s, 0, 0, 2, 3);
    s.exchange(0, 1, 2);
    assertTrue(done.isIdle());
    assertEquals(Outcome.DONE, done.asked.outcome);
    assertEquals(2, Scenario.result(done));
    KiteSession acquire = s.begin(2, 0, OperationKind.ACQUIRE, KEY);
    s.exchange(0, 1, 2);
    assertEquals(3, Scenario.result(acquire));
  }

  /**
   * Nodes 0, 1 and 2 of five swap and compare, one above the other; each is promised by nodes 3 and
   * 4. The last one fails. If its withdrawal took the promises away, the first could be accepted by
   * a majority after the second was promised, and both would be decided.
   *
   * @return what the two swaps say that they have replaced
   */
  private static List<Long> swapsAroundAWithdrawal(Set<KiteRule> rules) {
    Scenario s = new Scenario(5, rules);
    s.begin(3, 1, OperationKind.WRITE, KEY, 1);
    s.exchange(0, 1, 2, 3, 4);
    // Node 2 does not know of the second write.
    s.begin(3, 1, OperationKind.WRITE, KEY, 2);
    s.drop(3, 2);
    s.exchange(0, 1, 3, 4);

    KiteSession first = s.begin(0, 0, OperationKind.GET_AND_SET, KEY, 10);
    exchangeOnce(s, 0);
    List<ByteBuffer> firstAccepts = s.hold(0, 3);
    List<ByteBuffer> moreFirstAccepts = s.hold(0, 4);
    KiteSession second = s.begin(1, 0, OperationKind.GET_AND_SET, KEY, 20);
    s.pass(BACKOFF_NANOS);
    exchangeOnce(s, 1);
    List<ByteBuffer> secondAccepts = s.hold(1, 3);
    List<ByteBuffer> moreSecondAccepts = s.hold(1, 4);
    KiteSession third = compareAndSet(s, 2, 0, 1, 30);
    s.pass(BACKOFF_NANOS);
    exchangeOnce(s, 2);
    assertTrue(third.phase == KiteSession.Phase.RMW_WRITE_BACK || third.isIdle());
    s.deliver(2, 3);
    s.deliver(2, 4);

    s.dropAll(0);
    s.dropAll(1);
    s.putBack(0, 3, firstAccepts);
    s.putBack(0, 4, moreFirstAccepts);
    exchangeOnce(s, 0);
    List<ByteBuffer> firstCommit = s.hold(0, 3);
    List<ByteBuffer> moreFirstCommit = s.hold(0, 4);
    s.putBack(1, 3, secondAccepts);
    s.putBack(1, 4, moreSecondAccepts);
    exchangeOnce(s, 1);
    exchangeOnce(s, 1);
    s.putBack(0, 3, firstCommit);
    s.putBack(0, 4, moreFirstCommit);
    exchangeOnce(s, 0);
    return List.of(first, second).stream()
        .filter(KiteSession::isIdle)
        .map(Scenario::result)
        .toList();
  }

  /** Nodes 3 and 4 answer what a proposer has sent. */
  private static void exchangeOnce(Scenario s, int proposer) {
    s.deliver(proposer, 3);
    s.deliver(proposer, 4);
    s.deliver(3, proposer);
    s.deliver(4, proposer);
  }

  @Test
  void aWithdrawnPromiseStillRefusesLowerBallots() {
    assertFalse(swapsAroundAWithdrawal(KiteRule.all()).size() > 1);
    assertEquals(
        List.of(2L, 2L),
        swapsAroundAWithdrawal(KiteRule.without(KiteRule.WITHDRAWN_PROMISE_STANDS)),
        "the mutant");
  }
}
