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
package org.orcagrid.ddp.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One node of two, step by step; what several do together is in the simulator's tests. */
class MembershipTest {
  private static final LeaseTimes TIMES = new LeaseTimes(800, 50);
  private static final long OWN = 11;
  private static final long OTHER = 22;

  private final Recorder recorder = new Recorder();

  private static final class Recorder implements MembershipEffects {
    private final List<Integer> installed = new ArrayList<>();
    private final List<GridView> made = new ArrayList<>();
    private String left;

    @Override
    public void send(int peer, Beat beat) {}

    @Override
    public void report(Registration own) {}

    @Override
    public void make(GridView next) {
      made.add(next);
    }

    @Override
    public void read() {}

    @Override
    public void install(GridView view) {
      installed.add(view.number());
    }

    @Override
    public void left(String reason) {
      left = reason;
    }
  }

  private static Optional<Registration> registered(long id) {
    return Optional.of(Registration.of(id, id * 10, "node"));
  }

  private static GridView view(int number, GridView.Place... places) {
    return new GridView(7, number, 0b11, 1, 0, List.of(places));
  }

  private static GridView.Place serving(long life) {
    return new GridView.Place(1, life, "node", true, 1, new GridView.Memory(life * 10, 1, 0, true));
  }

  /** A node in the first view, in which both serve. */
  private Membership member(Set<MembershipRule> rules) {
    Membership membership = new Membership(TIMES, rules, 2, 2, 0, 7, recorder);
    membership.begin(OWN, OWN * 10, "node", 0);
    membership.onRegistry(
        List.of(view(1, serving(OWN), serving(OTHER))),
        List.of(registered(OWN), registered(OTHER)),
        0,
        1);
    return membership;
  }

  private static Beat grant(long from, long to, long stamp) {
    return new Beat(1, from, to, stamp, stamp, 0b11, 0);
  }

  @Test
  void aGrantLastsALeaseFromTheBeatThatItAnswers() {
    Membership membership = member(MembershipRule.all());
    assertFalse(membership.servesUntilNanos() > 1);
    membership.onBeat(1, grant(OTHER, OWN, 100), 500);
    assertEquals(900, membership.servesUntilNanos());
  }

  @Test
  void whatIsBetweenTwoNodesIsToldInMilliseconds() {
    long ms = 1_000_000;
    Membership membership =
        new Membership(LeaseTimes.ofLease(800 * ms), MembershipRule.all(), 2, 2, 0, 7, recorder);
    assertEquals(List.of(), membership.peers(0), "in no view");
    membership.begin(OWN, OWN * 10, "node", 0);
    membership.onRegistry(
        List.of(view(1, serving(OWN), serving(OTHER))),
        List.of(registered(OWN), registered(OTHER)),
        0,
        1);
    assertEquals(List.of(new PeerLease(1, PeerLease.NEVER, 0, 0, 0)), membership.peers(5 * ms));
    membership.onBeat(1, grant(OTHER, OWN, 100 * ms), 500 * ms);
    assertEquals(List.of(new PeerLease(1, 10, 390, 790, 1)), membership.peers(510 * ms));
    assertEquals(List.of(new PeerLease(1, 1000, 0, 0, 1)), membership.peers(1500 * ms));
    membership.onDisconnected(1, 1500 * ms);
    assertEquals(List.of(new PeerLease(1, PeerLease.NEVER, 0, 0, 1)), membership.peers(1500 * ms));
  }

  @Test
  void beatsOfOtherLivesGrantNothing() {
    for (long[] lives : new long[][] {{OTHER + 1, OWN}, {OTHER, OWN + 1}}) {
      Membership membership = member(MembershipRule.all());
      membership.onBeat(1, grant(lives[0], lives[1], 100), 500);
      assertFalse(membership.servesUntilNanos() > 500);
      Membership mutant = member(MembershipRule.allBut(MembershipRule.GRANTS_OF_LIVES));
      mutant.onBeat(1, grant(lives[0], lives[1], 100), 500);
      assertEquals(900, mutant.servesUntilNanos());
    }
  }

  @Test
  void aLifeThatTheNewestViewDoesNotHaveIsOverThoughNoneSaysThatItWasLeftOut() {
    Membership membership = member(MembershipRule.all());
    membership.onRegistry(
        List.of(view(9, serving(OWN + 1), serving(OTHER))),
        List.of(registered(OWN + 1), registered(OTHER)),
        0,
        600);
    assertTrue(recorder.left.contains("view 9"), recorder.left);
    assertEquals(List.of(1), recorder.installed);
    assertFalse(membership.servesUntilNanos() > 600);
  }

  /**
   * Links are made after a first view; one that breaks before any beat says nothing of the life.
   */
  @Test
  void aConnectionThatIsGoneBeforeTheFirstBeatIsNoHint() {
    Membership membership = member(MembershipRule.all());
    for (long now = 10; now < TIMES.leaseNanos(); now += 10) {
      membership.onDisconnected(1, now);
      membership.tick(now, 0);
      assertTrue(recorder.made.isEmpty(), "at " + now + ": " + recorder.made);
    }
  }

  /** No beat arrives from now on; when a view is made. */
  private long silentUntilMade(Membership membership, long from) {
    long now = from;
    while (recorder.made.isEmpty() && now < from + 10 * TIMES.leaseNanos()) {
      now += 10;
      membership.tick(now, 0);
    }
    return now;
  }

  @Test
  void thoseWhoBeginTogetherHaveLeasesForTheirLinks() {
    long made = silentUntilMade(member(MembershipRule.all()), 1);
    assertTrue(made > TIMES.firstNanos(), "after " + made);
    assertTrue(made < TIMES.firstNanos() + TIMES.leaseNanos(), "after " + made);
    recorder.made.clear();
    made = silentUntilMade(member(MembershipRule.allBut(MembershipRule.TIME_FOR_FIRST_LINKS)), 1);
    assertTrue(made < TIMES.leaseNanos(), "after " + made);
  }

  private static GridView.Place place(long life, int servesSince) {
    return new GridView.Place(
        1, life, "node", true, servesSince, new GridView.Memory(life * 10, 1, 0, true));
  }

  /** All are back after a power cut, and none of them has had a reason to send anything. */
  @Test
  void soDoThoseWhoBeginTogetherAfterAPowerCut() {
    Membership membership = new Membership(TIMES, MembershipRule.all(), 2, 2, 0, 7, recorder);
    membership.begin(OWN, OWN * 10, "node", 0);
    List<Optional<Registration>> registered = List.of(registered(OWN), registered(OTHER));
    membership.onRegistry(List.of(view(5, place(OWN, 0), place(OTHER, 0))), registered, 0, 0);
    long later = 3 * TIMES.leaseNanos();
    membership.tick(later, 0);
    membership.onRegistry(List.of(view(6, place(OWN, 6), place(OTHER, 6))), registered, 0, later);
    recorder.made.clear();
    long made = silentUntilMade(membership, later);
    assertTrue(made > later + TIMES.firstNanos(), "after " + (made - later));
  }

  @Test
  void whoeverWasHeardOnceIsLeftOutAsSoonAsEver() {
    Membership membership = member(MembershipRule.all());
    membership.onBeat(1, grant(OTHER, OWN, 100), 100);
    long made = silentUntilMade(membership, 100);
    assertTrue(made < 100 + 3 * TIMES.leaseNanos() / 2, "after " + made);
  }

  @Test
  void nobodyMakesAViewWithoutALifeThatMayServe() {
    Membership membership = member(MembershipRule.all());
    membership.onBeat(1, grant(OTHER, OWN, 100), 100);
    for (long now = 110; now < 100 + TIMES.overNanos(); now += 10) {
      membership.tick(now, 0);
      assertEquals(List.of(), recorder.made);
    }
    for (long now = 100 + TIMES.overNanos(); recorder.made.isEmpty() && now < 2_000; now += 10) {
      membership.tick(now, 0);
    }
    assertEquals(0b01, recorder.made.get(0).serving());
  }

  private void newView(Membership membership, int number, long now) {
    membership.onRegistry(
        List.of(view(number, serving(OWN), serving(OTHER))),
        List.of(registered(OWN), registered(OTHER)),
        0,
        now);
  }

  /** The other one beats in a view from a time to another; the time at which a view is made. */
  private long beatsIn(Membership membership, int inView, long from, long to) {
    for (long now = from; now < to; now += 10) {
      membership.onBeat(1, new Beat(inView, OTHER, OWN, now, now, 0b11, 0), now);
      membership.tick(now, 0);
      if (!recorder.made.isEmpty()) {
        return now;
      }
    }
    return 0;
  }

  @Test
  void aPeerThatStaysInAnOlderViewIsLeftOutWhenItsGrantsAreOver() {
    Membership membership = member(MembershipRule.all());
    assertEquals(0, beatsIn(membership, 1, 10, 5_000));
    newView(membership, 2, 5_000);
    // A later view than the first that it is behind in does not give it more time.
    assertEquals(0, beatsIn(membership, 1, 5_000, 5_400));
    newView(membership, 3, 5_400);
    long made = beatsIn(membership, 1, 5_400, 10_000);
    assertTrue(made >= 5_000 + 2 * TIMES.overNanos() && made < 5_100 + 2 * TIMES.overNanos());
    assertEquals(0b01, recorder.made.get(0).members());
  }

  @Test
  void aPeerThatMovesOnIsNotLeftOutThoughItIsAlwaysBehind() {
    Membership membership = member(MembershipRule.all());
    assertEquals(0, beatsIn(membership, 1, 10, 1_000));
    newView(membership, 2, 1_000);
    for (int number = 3; number < 30; number++) {
      newView(membership, number, 500L * number);
      assertEquals(0, beatsIn(membership, number - 2, 500L * number, 500L * (number + 1)));
    }
  }

  @Test
  void aLifeThatJoinsAndNeverSaysABeatIsLeftOutAfterALeaseAndATenth() {
    Membership membership = new Membership(TIMES, MembershipRule.all(), 2, 2, 0, 7, recorder);
    membership.begin(OWN, OWN * 10, "node", 0);
    GridView.Place joins =
        new GridView.Place(1, OTHER, "node", true, 0, new GridView.Memory(9, 1, 0, true));
    membership.onRegistry(
        List.of(view(1, serving(OWN), joins)), List.of(registered(OWN), registered(OTHER)), 0, 0);
    long now = 0;
    while (recorder.made.isEmpty() && now < 3_000) {
      now += 10;
      membership.tick(now, 0);
    }
    // It is asked first.
    assertTrue(now <= TIMES.overNanos() + TIMES.answerNanos(), "after " + now);
    assertEquals(0b01, recorder.made.get(0).members());
  }

  /** The other one is heard in a view, so that nobody is to be left out. */
  private static void hear(Membership membership, int inView, long now) {
    membership.onBeat(1, new Beat(inView, OTHER, OWN, now, now, 0b11, 0), now);
    membership.tick(now, 0);
  }

  @Test
  void aPurgeViewIsMadeAtOnceAndOnlyOnce() {
    Membership membership = member(MembershipRule.all());
    hear(membership, 1, 10);
    membership.wantPurge(1, 11);
    assertEquals(List.of(membership.view().purged()), recorder.made);
    hear(membership, 1, 20);
    assertEquals(1, recorder.made.size(), "it is being made");
    membership.onRegistry(recorder.made, List.of(registered(OWN), registered(OTHER)), 0, 30);
    assertEquals(2, membership.view().purgedIn());
    hear(membership, 2, 40);
    assertEquals(1, recorder.made.size(), "it is what was asked for");
  }

  @Test
  void aPurgeViewThatTheRegistryDoesNotTakeIsAskedForAgainInTheSameViewOnly() {
    Membership membership = member(MembershipRule.all());
    membership.wantPurge(1, 10);
    membership.onMade(2, false, 20);
    hear(membership, 1, 30);
    assertEquals(2, recorder.made.size());
    membership.onMade(2, false, 40);
    newView(membership, 2, 50);
    hear(membership, 2, 60);
    assertEquals(2, recorder.made.size(), "marks are of one view");
  }

  @Test
  void aPurgeOfAnotherViewThanTheNewestIsNotAskedFor() {
    Membership membership = member(MembershipRule.all());
    newView(membership, 2, 10);
    membership.wantPurge(1, 20);
    membership.wantPurge(3, 20);
    hear(membership, 2, 30);
    newView(membership, 3, 40);
    hear(membership, 3, 50);
    assertEquals(List.of(), recorder.made);
  }

  @Test
  void theNextLifeKnowsNothingOfAPurgeThatTheLastOneHasAskedFor() {
    Membership membership = member(MembershipRule.all());
    membership.onBeat(1, new Beat(1, OTHER, OWN, 10, 10, 0b11, 0), 10);
    membership.leave(10);
    membership.wantPurge(1, 11);
    membership.begin(OWN + 1, OWN * 10, "node", 20);
    membership.wantPurge(1, 21);
    membership.onRegistry(
        List.of(view(2, serving(OWN + 1), serving(OTHER))),
        List.of(registered(OWN + 1), registered(OTHER)),
        0,
        30);
    membership.tick(40, 0);
    assertEquals(List.of(), recorder.made);
  }

  /** Before all hear each other a view without somebody may be due. */
  @Test
  void aPurgeWaitsUntilItIsCertainWhoGoesOn() {
    Membership membership = member(MembershipRule.all());
    hear(membership, 1, 10);
    long silent = 10 + TIMES.silentNanos() + 10;
    membership.tick(silent, 0);
    membership.wantPurge(1, silent);
    assertEquals(List.of(), recorder.made);
    hear(membership, 1, silent + 10);
    assertEquals(2, recorder.made.get(0).purgedIn());
  }

  @Test
  void aViewWithoutSomebodyComesBeforeAPurge() {
    Membership membership = member(MembershipRule.all());
    hear(membership, 1, 10);
    long silent = 10 + TIMES.silentNanos() + 10;
    membership.tick(silent, 0);
    membership.wantPurge(1, silent);
    silentUntilMade(membership, silent);
    assertEquals(0b01, recorder.made.get(0).members());
    assertEquals(0, recorder.made.get(0).purgedIn());
  }
}
