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

import org.junit.jupiter.api.Test;

class FlushRoundsTest {
  private final FlushRounds rounds = new FlushRounds();

  /** What passes between two events. */
  private long step = FlushRounds.SHORT_NANOS;

  private long now;

  private long demand(long index, long durable, long last) {
    now += step;
    return rounds.onDemand(index, durable, last, now);
  }

  private long durable(long durable, long last) {
    now += step;
    return rounds.onDurable(durable, last, now);
  }

  @Test
  void theFirstDemandStartsARoundThatIncludesLaterEntries() {
    assertEquals(20, demand(5, 4, 20));
    assertEquals(20, rounds.target());
    assertEquals(1, rounds.started());
  }

  @Test
  void aDemandForWhatIsDurableStartsNothing() {
    assertEquals(FlushRounds.NONE, demand(4, 4, 20));
    assertEquals(FlushRounds.NONE, rounds.target());
  }

  @Test
  void aDemandThatTheRoundCoversJoinsIt() {
    demand(5, 4, 20);

    assertEquals(FlushRounds.NONE, demand(20, 4, 30));
    assertEquals(FlushRounds.NONE, demand(7, 4, 30));
    assertEquals(FlushRounds.NONE, durable(20, 30), "all of them are answered");
    assertEquals(1, rounds.started());
  }

  @Test
  void aDemandAboveTheRoundStartsOneBesideIt() {
    demand(5, 4, 20);

    assertEquals(30, demand(21, 4, 30));
    assertEquals(30, rounds.target());
    assertEquals(FlushRounds.NONE, demand(25, 4, 40), "covered by the second");
    assertEquals(FlushRounds.NONE, durable(20, 40), "the first is over");
    assertEquals(30, rounds.target());
    assertEquals(2, rounds.started());
  }

  @Test
  void beyondTheMaximumDemandsWaitAndShareTheNextRound() {
    for (int i = 1; i <= FlushRounds.RUNNING_MAX; i++) {
      assertEquals(10L * i, demand(10L * i, 4, 10L * i));
    }
    assertEquals(FlushRounds.NONE, demand(101, 4, 130));
    assertEquals(FlushRounds.NONE, demand(105, 4, 130));
    assertEquals(FlushRounds.NONE, durable(9, 140), "no round is over");
    assertEquals(144, durable(10, 144), "one round for both, later entries included");
    assertEquals(FlushRounds.RUNNING_MAX + 1, rounds.started());
    assertEquals(FlushRounds.NONE, durable(144, 150));
    assertEquals(FlushRounds.NONE, rounds.target());
  }

  @Test
  void noRoundStartsForADemandThatHasBeenAnsweredMeanwhile() {
    for (int i = 1; i <= FlushRounds.RUNNING_MAX; i++) {
      demand(10L * i, 4, 10L * i);
    }
    demand(35, 4, 40);

    assertEquals(FlushRounds.NONE, durable(36, 40));
    assertEquals(FlushRounds.NONE, rounds.target());
    assertEquals(41, demand(41, 36, 41), "and the next demand starts at once");
  }

  @Test
  void aRoundThatTheBackgroundFlushOvertookDoesNotBlockTheNext() {
    demand(5, 4, 20);

    assertEquals(40, demand(31, 30, 40), "durable already, though not told yet");
  }

  @Test
  void aDemandForAnEntryBehindTheEndOfTheLogIsAskedForAsItIs() {
    assertEquals(22, demand(22, 4, 20));
  }

  @Test
  void whereRoundsAreShortOneFollowsTheOther() {
    step = 100_000;
    assertEquals(20, demand(5, 4, 20));
    assertEquals(FlushRounds.NONE, demand(21, 4, 30), "the first is nearly over");
    assertEquals(FlushRounds.NONE, demand(30, 4, 35));
    assertEquals(40, durable(20, 40), "one for all that wait");
    assertEquals(2, rounds.started());
  }

  @Test
  void oneStartsBesideAShortRoundThatIsNotShortThisTime() {
    step = 100_000;
    assertEquals(20, demand(5, 4, 20));
    step = FlushRounds.SHORT_NANOS;
    assertEquals(30, demand(21, 4, 30));
  }

  @Test
  void oneThatABackgroundFlushEndsSoonDoesNotMakeRoundsShort() {
    for (long index = 10; index < 300; index += 10) {
      demand(index, index - 1, index);
      step = index % 30 == 0 ? 1 : 5 * FlushRounds.SHORT_NANOS;
      durable(index, index);
    }
    step = 1;
    assertEquals(310, demand(310, 300, 310));
    assertEquals(320, demand(320, 300, 320));
  }

  @Test
  void whoWaitsIsPartOfARoundOfACallerThatKnowsLessOfTheLog() {
    step = 100_000;
    assertEquals(8, demand(8, 4, 8));
    assertEquals(FlushRounds.NONE, demand(11, 4, 11));
    step = FlushRounds.SHORT_NANOS;
    assertEquals(11, demand(9, 4, 10));
    assertEquals(FlushRounds.NONE, durable(11, 11));
  }

  @Test
  void whoWaitsForARoundThatIsShortNoMoreNeedNotWaitForItsEnd() {
    step = 100_000;
    assertEquals(8, demand(8, 4, 8));
    assertEquals(FlushRounds.NONE, demand(11, 4, 11));
    assertEquals(FlushRounds.NONE, durable(4, 12));
    step = FlushRounds.SHORT_NANOS;
    assertEquals(12, durable(4, 12));
  }
}
