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

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Server 1 leads; the others come and go. */
class ActiveSetTest {
  private static final LeaseTimes TIMES = new LeaseTimes(100, 200, 1_000, 600);

  private final List<String> happened = new ArrayList<>();
  private final ActiveSet.Listener listener =
      new ActiveSet.Listener() {
        @Override
        public void onAdmitted(long serverId) {
          happened.add("+" + serverId);
        }

        @Override
        public void onRemoved(long serverId) {
          happened.add("-" + serverId);
        }

        @Override
        public void onMarkOut(long serverId) {
          happened.add("out " + serverId);
        }
      };

  private final ActiveSet set = new ActiveSet(1, 10, 3, TIMES);

  private void join(long id, long applied, long shown, long now) {
    set.onJoined(id, applied, true, shown, listener);
    set.update(shown, now, listener);
  }

  private boolean granted(long id, long now) {
    return set.onBeat(id, true, set.applied(), now);
  }

  @Test
  void theLeaderIsAlwaysAMember() {
    assertTrue(set.contains(1));
    assertEquals(1, set.size());
    assertEquals(10, set.applied());
    set.update(10, 1_000_000, listener);
    assertTrue(set.contains(1));
  }

  @Test
  void whoHasAppliedWhatWasShownIsAdmittedAndGranted() {
    join(2, 10, 10, 0);
    assertEquals(List.of("+2"), happened);
    assertTrue(granted(2, 1));
  }

  @Test
  void whoLagsIsNotAdmittedAndNotGranted() {
    join(2, 5, 10, 0);
    assertFalse(granted(2, 1));
    assertEquals(10, set.applied(), "it holds nobody up");
    set.onApplied(2, 9);
    set.update(10, 2, listener);
    assertEquals(List.of(), happened);
    set.onApplied(2, 10);
    set.update(10, 3, listener);
    assertEquals(List.of("+2"), happened);
  }

  @Test
  void whoHasNearlyCaughtUpHoldsTheOthersUpUntilItHas() {
    // Under load the leader is always ahead: without this step nobody could ever join.
    join(2, 10, 10, 0);
    set.onApplied(1, 20);
    assertEquals(10, set.applied());

    set.onJoined(3, 8, true, 10, listener);
    set.onApplied(2, 20);
    set.update(20, 1, listener);
    assertEquals(20, set.applied(), "far behind: it does not count");
    set.onBeat(3, true, 20, 2);
    set.onApplied(3, 20);
    set.onApplied(1, 30);
    set.onApplied(2, 30);
    set.update(30, 3, listener);
    assertEquals(20, set.applied(), "where they were at its last beat: it counts from now on");
    assertFalse(granted(3, 4), "but may not read yet");
    assertEquals(List.of("+2"), happened);
    set.onApplied(3, 30);
    set.update(30, 5, listener);
    assertEquals(List.of("+2", "+3"), happened);
  }

  @Test
  void whoMayBeAMemberAfterItHasConnectedIsAdmittedWithoutConnectingAgain() {
    set.onJoined(2, 10, false, 10, listener);
    set.update(10, 0, listener);
    assertEquals(List.of(), happened);

    set.setEligible(id -> true, listener);
    set.update(10, 1, listener);
    assertEquals(List.of("+2"), happened);
    assertTrue(granted(2, 2));
  }

  @Test
  void whoMayBeAMemberNoMoreCountsUntilItsGrantMustHaveEnded() {
    join(2, 10, 10, 0);
    assertTrue(granted(2, 100));
    set.setEligible(id -> id != 2, listener);
    assertEquals(List.of("+2", "out 2"), happened);
    assertFalse(granted(2, 101));
    assertTrue(set.contains(2), "it may hold its grant");

    set.update(10, 1_100, listener);
    assertFalse(set.contains(2));
    set.update(10, 9_000, listener);
    assertEquals(List.of("+2", "out 2", "-2"), happened, "it is not admitted again");
  }

  @Test
  void whoIsAboutToJoinAndMayNoMoreHoldsNobodyUp() {
    join(2, 10, 10, 0);
    set.onApplied(1, 20);
    set.onApplied(2, 20);
    set.onJoined(3, 12, true, 10, listener);
    set.update(20, 1, listener);
    assertEquals(12, set.applied(), "it counts");

    set.setEligible(id -> id != 3, listener);
    assertEquals(20, set.applied());
  }

  @Test
  void nothingIsShownThatAMemberHasNotApplied() {
    join(2, 10, 10, 0);
    set.onApplied(1, 50);
    assertEquals(10, set.applied());
    set.onApplied(2, 40);
    assertEquals(40, set.applied());
    set.onApplied(2, 30);
    assertEquals(40, set.applied(), "an older report");
  }

  @Test
  void aMemberThatIsSilentIsRemovedOnlyAfterItsGrantMustHaveEnded() {
    join(2, 10, 10, 0);
    assertTrue(granted(2, 100));
    set.onLeft(2);
    set.update(10, 1_099, listener);
    assertTrue(set.contains(2), "it may hold its grant for all that the leader knows");
    set.update(10, 1_100, listener);
    assertFalse(set.contains(2));
    assertEquals(List.of("+2", "-2"), happened);
  }

  @Test
  void aLeaderWithoutALeaseGrantsNothing() {
    join(2, 10, 10, 0);
    assertFalse(set.onBeat(2, false, 10, 1));
  }

  @Test
  void aSlowMemberIsToldToGoAndRemovedWhenItSaysThatItHas() {
    join(2, 10, 10, 0);
    assertTrue(granted(2, 1));
    set.onApplied(1, 20);
    set.markOutSlow(20, 300, listener);
    assertEquals(List.of("+2", "out 2"), happened);
    assertEquals(10, set.applied(), "it counts until it has marked itself out");
    assertFalse(granted(2, 301), "and is given nothing any more");
    set.onMarkedOut(2, listener);
    assertEquals(List.of("+2", "out 2", "-2"), happened);
    assertEquals(20, set.applied());
  }

  @Test
  void aSlowMemberThatDoesNotAnswerIsRemovedByTime() {
    join(2, 10, 10, 0);
    assertTrue(granted(2, 100));
    set.markOutSlow(20, 300, listener);
    set.update(10, 1_099, listener);
    assertTrue(set.contains(2));
    set.update(10, 1_100, listener);
    assertFalse(set.contains(2));
  }

  @Test
  void whoWasSlowStaysOutLongerEachTime() {
    join(2, 10, 10, 0);
    long now = 1;
    long last = 0;
    for (int n = 0; n < 4; n++) {
      assertTrue(granted(2, now));
      set.onApplied(1, set.appliedBy(1) + 10);
      set.markOutSlow(set.appliedBy(1), now, listener);
      set.onMarkedOut(2, listener);
      long out = now;
      while (!set.contains(2)) {
        now += 100;
        set.onBeat(2, true, set.appliedBy(1), now);
        set.onApplied(2, set.appliedBy(1));
        set.update(set.appliedBy(1), now, listener);
      }
      assertTrue(now - out >= 1_000 && now - out > last, "after " + (now - out));
      last = now - out;
    }
  }

  @Test
  void whoConnectsAgainHasStoppedToServe() {
    join(2, 10, 10, 0);
    assertTrue(granted(2, 100));
    set.onLeft(2);
    set.onApplied(1, 30);
    set.update(10, 150, listener);
    assertEquals(10, set.applied());
    join(2, 30, 10, 200);
    assertEquals(List.of("+2", "-2", "+2"), happened);
    assertEquals(30, set.applied());
  }

  @Test
  void anObserverIsNeverAdmitted() {
    set.onJoined(2, 10, false, 10, listener);
    set.update(10, 1, listener);
    assertFalse(granted(2, 2));
    assertEquals(List.of(), happened);
  }

  @Test
  void theSizeIsKeptAndAVacancyIsFilled() {
    ActiveSet two = new ActiveSet(1, 10, 2, TIMES);
    two.onJoined(2, 10, true, 10, listener);
    two.onJoined(3, 10, true, 10, listener);
    two.update(10, 0, listener);
    assertEquals(List.of("+2"), happened);
    two.onLeft(2);
    two.update(10, 1, listener);
    assertEquals(List.of("+2", "-2", "+3"), happened, "2 never had a grant");
  }

  @Test
  void aSmallerSizeMarksOutThoseThatAreTooMany() {
    join(2, 10, 10, 0);
    join(3, 10, 10, 0);
    assertTrue(granted(2, 1));
    assertTrue(granted(3, 1));
    set.setSizeMax(2, listener);
    assertEquals(List.of("+2", "+3", "out 3"), happened);
  }

  @Test
  void whoWasAdmittedAndNeverAsksForAGrantHoldsNobodyUpForEver() {
    join(2, 10, 10, 0);
    set.update(10, 1_000, listener);
    assertFalse(set.contains(2));
  }
}
