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
package org.orcagrid.simulator.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.MembershipRule;
import org.orcagrid.ddp.membership.Registration;
import org.orcagrid.simulator.SimulatedDatagrams;

/** One fault each, and which nodes go on after how long. */
class MembershipScenarioTest {
  private static final long MILLI = MembershipRun.MILLI;
  private static final long LEASE = 800 * MILLI;
  private static final SimulatedDatagrams.Conditions GOOD =
      new SimulatedDatagrams.Conditions(MILLI / 10, MILLI, 0, 0, 0);

  private static MembershipRun started(int nodes, Set<MembershipRule> rules) {
    MembershipRun run = new MembershipRun(7, rules, nodes, GOOD, 5 * MILLI, null);
    run.startAll();
    return run;
  }

  private static void cut(MembershipRun run, int from, int to) {
    run.network().cut(from, to);
  }

  private static void run(MembershipRun run, long nanos) {
    run.runUntil(run.simulation().nowNanos() + nanos);
    assertEquals(Optional.empty(), run.broken());
  }

  private static int serving(MembershipRun run) {
    int serving = 0;
    for (SimulatedMember member : run.members()) {
      serving |= member.serves() ? Quorum.of(member.number()) : 0;
    }
    return serving;
  }

  /** Runs until others go on than before, and returns who, and after how long. */
  private static long untilTheyGoOn(MembershipRun run, int expected, long nanosMax) {
    long begin = run.simulation().nowNanos();
    while (run.registry().last().serving() != expected || serving(run) != expected) {
      run(run, MILLI);
      assertTrue(
          run.simulation().nowNanos() - begin < nanosMax,
          () -> "not in time: " + run.registry().last() + run.members());
    }
    return run.simulation().nowNanos() - begin;
  }

  @Test
  void afterAKillTheOthersGoOnWithinALeaseAndAHalf() {
    for (int node = 0; node < 3; node++) {
      MembershipRun run = started(3, MembershipRule.all());
      run.member(node).kill();
      untilTheyGoOn(run, 0b111 & ~Quorum.of(node), LEASE * 3 / 2);
    }
  }

  @Test
  void oneOfTwoGoesOnAlone() {
    for (int node = 0; node < 2; node++) {
      MembershipRun run = started(2, MembershipRule.all());
      run.member(node).kill();
      untilTheyGoOn(run, 0b11 & ~Quorum.of(node), LEASE * 3 / 2);
    }
  }

  @Test
  void firstLinksThatAreMadeLateLeaveNobodyOut() {
    for (int round = 0; round < 2; round++) {
      boolean keeps = round == 0;
      MembershipRun run =
          new MembershipRun(
              7,
              keeps
                  ? MembershipRule.all()
                  : MembershipRule.allBut(MembershipRule.TIME_FOR_FIRST_LINKS),
              3,
              GOOD,
              5 * MILLI,
              null);
      cutOff(run, 2);
      run.members().forEach(SimulatedMember::start);
      run(run, 3 * LEASE);
      for (int other = 0; other < 2; other++) {
        run.network().join(2, other);
        run.network().join(other, 2);
      }
      run(run, LEASE / 2);
      assertEquals(keeps, run.registry().made() == 1, run.registry().last()::toString);
      assertTrue(!keeps || serving(run) == 0b111, "all serve as soon as they hear each other");
    }
  }

  @Test
  void aNodeThatDiesAtTheFirstViewCostsTheLeasesThatItsLinksHave() {
    MembershipRun run = new MembershipRun(7, MembershipRule.all(), 3, GOOD, 5 * MILLI, null);
    cutOff(run, 2);
    run.members().forEach(SimulatedMember::start);
    while (run.registry().last() == null) {
      run(run, MILLI);
    }
    run.member(2).kill();
    untilTheyGoOn(run, 0b011, 5 * LEASE);
  }

  private static void cutOff(MembershipRun run, int node) {
    for (int other = 0; other < run.nodes(); other++) {
      if (other != node) {
        cut(run, node, other);
        cut(run, other, node);
      }
    }
  }

  @Test
  void theLargestSetGoesOnInWhichAllHearEachOther() {
    MembershipRun run = started(5, MembershipRule.all());
    // 0 and 1 hear all; of the others each hears all but those two.
    for (int from = 0; from < 2; from++) {
      for (int to = 2; to < 5; to++) {
        cut(run, from, to);
      }
    }
    untilTheyGoOn(run, 0b11100, 4 * LEASE);
  }

  @Test
  void ofTwoSetsAsLargeTheOneWithTheLowestPlaceGoesOn() {
    MembershipRun run = started(4, MembershipRule.all());
    for (int from : new int[] {0, 2}) {
      for (int to : new int[] {1, 3}) {
        cut(run, from, to);
        cut(run, to, from);
      }
    }
    untilTheyGoOn(run, 0b0101, 4 * LEASE);
  }

  @Test
  void withoutThatRuleWhoHearsFewLeavesOutMany() {
    for (int round = 0; round < 2; round++) {
      boolean keeps = round == 0;
      MembershipRun run =
          started(
              5,
              keeps
                  ? MembershipRule.all()
                  : MembershipRule.allBut(MembershipRule.LARGEST_CONNECTED));
      for (int other = 2; other < 5; other++) {
        cut(run, 0, other);
        cut(run, other, 0);
      }
      long begin = run.simulation().nowNanos();
      while (run.registry().last().serving() == 0b11111
          && run.simulation().nowNanos() - begin < 4 * LEASE) {
        run(run, MILLI);
      }
      assertEquals(keeps, run.registry().last().serving() == 0b11110);
    }
  }

  @Test
  void aNodeThatIsNotHeardAndAnswersByTheRegistryIsThere() {
    for (int round = 0; round < 2; round++) {
      boolean keeps = round == 0;
      MembershipRun run =
          started(
              2,
              keeps
                  ? MembershipRule.all()
                  : MembershipRule.allBut(MembershipRule.SILENT_ARE_ASKED));
      // 1 does not hear 0; the lower place is to go on.
      cut(run, 0, 1);
      long begin = run.simulation().nowNanos();
      while (run.registry().last().serving() == 0b11
          && run.simulation().nowNanos() - begin < 4 * LEASE) {
        run(run, MILLI);
      }
      assertEquals(keeps ? 0b01 : 0b10, run.registry().last().serving());
    }
  }

  @Test
  void aNodeThatOneOfThoseWhoServeDoesNotHearDoesNotBeginToServe() {
    for (int round = 0; round < 2; round++) {
      boolean keeps = round == 0;
      MembershipRun run =
          started(
              3,
              keeps
                  ? MembershipRule.all()
                  : MembershipRule.allBut(MembershipRule.HEARD_BEFORE_SERVING));
      run.member(2).kill();
      untilTheyGoOn(run, 0b011, 2 * LEASE);
      cut(run, 2, 1);
      run.member(2).start();
      boolean served = false;
      for (int step = 0; step < 40; step++) {
        run(run, LEASE / 10);
        served |= (run.registry().last().serving() & 0b100) != 0;
        assertEquals(0b011, run.registry().last().serving() & 0b011, "those who serve go on");
      }
      assertEquals(!keeps, served);
    }
  }

  @Test
  void theGridServesWhileTheRegistryIsDown() {
    MembershipRun run = started(3, MembershipRule.all());
    run.registry().down(true);
    for (int step = 0; step < 100; step++) {
      run(run, LEASE / 4);
      assertEquals(0b111, serving(run));
    }
  }

  @Test
  void nobodyGoesOnWithoutARegistryAndTheRestDoesWhenItIsBack() {
    MembershipRun run = started(3, MembershipRule.all());
    run.registry().down(true);
    run.member(1).kill();
    run(run, 5 * LEASE);
    assertEquals(0, serving(run));
    run.registry().down(false);
    untilTheyGoOn(run, 0b101, LEASE);
  }

  @Test
  void aNodeThatDoesNotReachTheRegistryIsNotWaitedFor() {
    for (int round = 0; round < 2; round++) {
      boolean keeps = round == 0;
      MembershipRun run =
          started(
              3,
              keeps
                  ? MembershipRule.all()
                  : MembershipRule.allBut(MembershipRule.STUCK_ARE_LEFT_OUT));
      run.registry().cut(2, true);
      run(run, 5 * LEASE);
      assertEquals(0b111, serving(run), "it is needed for nothing while there is no new view");
      run.registry().again();
      if (keeps) {
        untilTheyGoOn(run, 0b011, 3 * LEASE);
        run.registry().cut(2, false);
        untilTheyGoOn(run, 0b111, 20 * LEASE);
      } else {
        run(run, 20 * LEASE);
        assertEquals(0b111, run.registry().last().members());
      }
    }
  }

  @Test
  void oneThatJoinsAndDoesNotReachTheRegistryIsNotWaitedFor() {
    MembershipRun run = started(3, MembershipRule.all());
    run.member(2).kill();
    untilTheyGoOn(run, 0b011, 2 * LEASE);
    run.member(2).start();
    untilMembersAre(run, 0b111, LEASE);
    run(run, LEASE / 20);
    assertEquals(run.registry().last().number(), run.member(2).inView());
    assertEquals(0b011, serving(run));
    run.registry().cut(2, true);
    run.registry().again();
    untilMembersAre(run, 0b011, LEASE * 3 / 2);
  }

  @Test
  void aNodeWhoseWorkerHangsForEverIsNotWaitedFor() {
    for (int nodes = 2; nodes <= 3; nodes++) {
      for (int node = 0; node < nodes; node++) {
        for (int round = 0; round < 2; round++) {
          boolean keeps = round == 0;
          MembershipRun run =
              started(
                  nodes,
                  keeps
                      ? MembershipRule.all()
                      : MembershipRule.allBut(MembershipRule.STANDING_ARE_LEFT_OUT));
          int all = Quorum.all(nodes);
          run.member(node).hang();
          run(run, 4 * LEASE);
          assertEquals(all, serving(run), "a slow disk leaves nobody out");
          if (keeps) {
            untilTheyGoOn(run, all & ~Quorum.of(node), LEASE * 3 / 2);
            run(run, 10 * LEASE);
            assertEquals(all & ~Quorum.of(node), run.registry().last().members());
            run.member(node).workOn();
            untilTheyGoOn(run, all, 20 * LEASE);
          } else {
            run(run, 20 * LEASE);
            assertEquals(all, run.registry().last().serving());
          }
        }
      }
    }
  }

  @Test
  void oneThatJoinsAndHangsIsNotWaitedFor() {
    MembershipRun run = started(3, MembershipRule.all());
    run.member(2).kill();
    untilTheyGoOn(run, 0b011, 2 * LEASE);
    run.member(2).start();
    run.member(2).hang();
    untilMembersAre(run, 0b111, LEASE);
    untilMembersAre(run, 0b011, 5 * LEASE);
  }

  @Test
  void aPurgeViewIsMadeSoonAndAllGoOnServing() {
    for (int node = 0; node < 3; node++) {
      MembershipRun run = started(3, MembershipRule.all());
      run(run, LEASE);
      for (int round = 0; round < 10; round++) {
        int last = run.registry().last().number();
        run.member(node).wantPurge(MILLI);
        for (int step = 0; step < 50; step++) {
          run(run, MILLI);
          assertEquals(0b111, serving(run));
        }
        assertEquals(last + 1, run.registry().last().number());
        assertEquals(last + 1, run.registry().last().purgedIn());
      }
      assertEquals(10, run.purged());
    }
  }

  @Test
  void steadyNewViewsLeaveNobodyOut() {
    MembershipRun run = started(3, MembershipRule.all());
    int first = run.registry().made();
    for (int step = 0; step < 500; step++) {
      run.registry().again();
      run(run, 20 * MILLI);
      assertEquals(0b111, serving(run));
    }
    assertEquals(first + 500, run.registry().made(), "no other view is made");
  }

  @Test
  void aLifeThatNeverSaysABeatCostsALeaseAndATenth() {
    MembershipRun run = started(3, MembershipRule.all());
    run.member(2).kill();
    untilTheyGoOn(run, 0b011, 2 * LEASE);
    cutOff(run, 2);
    run.member(2).start();
    untilMembersAre(run, 0b111, LEASE);
    untilMembersAre(run, 0b011, LEASE * 3 / 2);
  }

  @Test
  void aNodeThatWasKilledAndStartedAgainIsNotWaitedForOnceItsConnectionsAreGone() {
    MembershipRun run = started(3, MembershipRule.all());
    long old = run.member(2).life();
    run.member(2).kill();
    run.member(2).start();
    for (int other = 0; other < 2; other++) {
      run.member(other).disconnected(2);
    }
    long begin = run.simulation().nowNanos();
    while (run.registry().last().has(2, old)) {
      run(run, MILLI);
      assertTrue(run.simulation().nowNanos() - begin < LEASE / 2, "it is waited for");
    }
  }

  /** The folder of a node was copied: its life goes on, though another one follows it. */
  @Test
  void aLifeThatServesIsWaitedForThoughAnotherProcessRegistersAtItsPlace() {
    // Once it does not hear another node that hears it; once it is not heard.
    for (int[] link : new int[][] {{0, 2}, {2, 0}}) {
      MembershipRun run = started(3, MembershipRule.all());
      long life = run.member(2).life();
      long process = run.newProcess();
      Registration copy =
          new Registration(run.newLife(process), process, "copy", 0, 0, 0, 0, 0, 0, false);
      cut(run, link[0], link[1]);
      long end = run.simulation().nowNanos() + 4 * LEASE;
      while (run.simulation().nowNanos() < end && run.member(2).life() == life) {
        run.registry().register(2, copy);
        run(run, MILLI);
      }
      assertFalse(run.registry().last().has(2, life), "it is left out in the end");
    }
  }

  @Test
  void aNodeThatStoodStillLeavesNobodyOut() {
    MembershipRun run = started(3, MembershipRule.all());
    run.member(0).stop();
    untilOthersAreIn(run, 0b110);
    run.member(0).goOn();
    run(run, MILLI);
    assertFalse(run.member(0).serves());
    untilTheyGoOn(run, 0b111, 20 * LEASE);
  }

  private static void untilMembersAre(MembershipRun run, int expected, long nanosMax) {
    long begin = run.simulation().nowNanos();
    while (run.registry().last().members() != expected) {
      run(run, MILLI);
      assertTrue(
          run.simulation().nowNanos() - begin < nanosMax,
          () -> "not in time: " + run.registry().last() + run.members());
    }
  }

  private static void untilOthersAreIn(MembershipRun run, int expected) {
    long begin = run.simulation().nowNanos();
    while (run.registry().last().serving() != expected) {
      run(run, MILLI);
      assertTrue(run.simulation().nowNanos() - begin < 3 * LEASE / 2);
    }
  }
}
