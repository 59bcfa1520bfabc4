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

import org.junit.jupiter.api.Test;

class FlushScheduleTest {
  private static final long INTERVAL = 100;
  private final FlushSchedule schedule = new FlushSchedule(INTERVAL, 10, 0);

  @Test
  void aLogThatIsWhollyOnDiskIsNeverDue() {
    assertEquals(Long.MAX_VALUE, schedule.nanosUntilDue(1_000_000));
    assertEquals(10, schedule.persisted());
    assertEquals(10, schedule.appended());
  }

  @Test
  void anAppendedEntryWaitsAtMostTheInterval() {
    schedule.onAppended(11);

    assertEquals(INTERVAL, schedule.nanosUntilDue(0));
    assertEquals(1, schedule.nanosUntilDue(INTERVAL - 1));
    assertTrue(schedule.isDue(INTERVAL));
    assertTrue(schedule.isDue(10 * INTERVAL), "and stays due");
  }

  @Test
  void aDemandForWhatIsInTheLogIsDueAtOnce() {
    schedule.onAppended(11);
    schedule.onDemand(11);

    assertTrue(schedule.isDue(0));
  }

  @Test
  void aDemandForWhatIsOnDiskChangesNothing() {
    schedule.onAppended(11);
    schedule.onDemand(10);

    assertFalse(schedule.isDue(0));
  }

  @Test
  void aDemandWaitsForAnEntryThatIsStillBeforeTheLog() {
    schedule.onAppended(11);
    schedule.onDemand(12);
    assertFalse(schedule.isDue(0));

    schedule.onAppended(12);
    assertTrue(schedule.isDue(0));
  }

  @Test
  void noBackgroundFlushStartsWhileOneRuns() {
    schedule.onAppended(11);
    schedule.onFlushStarted(0);
    schedule.onAppended(12);

    assertEquals(Long.MAX_VALUE, schedule.nanosUntilDue(10 * INTERVAL));
  }

  @Test
  void aDemandThatTheRunningFlushCoversWaitsForIt() {
    schedule.onAppended(11);
    schedule.onFlushStarted(0);
    schedule.onAppended(12);
    schedule.onDemand(11);

    assertEquals(Long.MAX_VALUE, schedule.nanosUntilDue(10 * INTERVAL));
  }

  @Test
  void aDemandThatTheRunningFlushDoesNotCoverStartsAnother() {
    schedule.onAppended(11);
    schedule.onFlushStarted(0);
    schedule.onAppended(12);
    schedule.onDemand(12);
    assertTrue(schedule.isDue(0));

    schedule.onFlushStarted(0);
    schedule.onFlushed(12, 0);
    assertEquals(12, schedule.persisted(), "the second may end before the first");
    schedule.onFlushed(11, 0);
    assertEquals(12, schedule.persisted());
    assertEquals(Long.MAX_VALUE, schedule.nanosUntilDue(10 * INTERVAL));
  }

  @Test
  void noMoreThanTheMaximumRunAtOnce() {
    for (int i = 0; i < FlushSchedule.RUNNING_MAX; i++) {
      schedule.onAppended(11 + i);
      schedule.onDemand(11 + i);
      assertTrue(schedule.isDue(0), "flush " + i);
      schedule.onFlushStarted(0);
    }
    schedule.onAppended(50);
    schedule.onDemand(50);
    assertEquals(Long.MAX_VALUE, schedule.nanosUntilDue(10 * INTERVAL));

    schedule.onFlushed(11, 0);
    assertTrue(schedule.isDue(0), "the demand that waited");
  }

  @Test
  void aSlowDiskIsKeptBusy() {
    schedule.onAppended(11);
    schedule.onFlushStarted(0);
    schedule.onFlushed(11, 20);
    schedule.onAppended(12);
    assertEquals(INTERVAL - FlushSchedule.FORCES_PER_INTERVAL * 20, schedule.nanosUntilDue(0));

    schedule.onFlushStarted(100);
    schedule.onAppended(13);
    schedule.onFlushed(12, INTERVAL);
    assertTrue(schedule.isDue(100), "the next follows at once");
  }

  @Test
  void demandsThatCameWhileAFlushRanShareTheNextOne() {
    schedule.onAppended(11);
    schedule.onFlushStarted(0);
    schedule.onAppended(13);
    schedule.onDemand(12);
    schedule.onDemand(13);
    schedule.onFlushed(11, 0);

    assertTrue(schedule.isDue(0));
    schedule.onFlushStarted(0);
    schedule.onFlushed(13, 0);
    assertFalse(schedule.isDue(10 * INTERVAL));
    assertEquals(13, schedule.persisted());
  }

  @Test
  void aFlushThatTookLaterEntriesAnswersTheDemandForThem() {
    schedule.onAppended(14);
    schedule.onDemand(11);
    schedule.onFlushStarted(0);
    schedule.onFlushed(14, 0);
    schedule.onDemand(13);

    assertEquals(Long.MAX_VALUE, schedule.nanosUntilDue(0));
  }

  @Test
  void theIntervalCountsFromTheStartOfTheLastFlush() {
    schedule.onAppended(11);
    schedule.onFlushStarted(500);
    schedule.onAppended(12);
    schedule.onFlushed(11, 0);

    assertEquals(INTERVAL - 20, schedule.nanosUntilDue(520));
    assertTrue(schedule.isDue(500 + INTERVAL));
  }

  @Test
  void aFlushMayHaveSeenMoreThanWasToldAsAppended() {
    schedule.onAppended(11);
    schedule.onFlushStarted(0);
    schedule.onFlushed(13, 0);

    assertEquals(13, schedule.persisted());
    assertEquals(13, schedule.appended());
    schedule.onAppended(12);
    assertEquals(13, schedule.appended(), "what was told late takes nothing back");
  }

  @Test
  void thePersistedIndexNeverGoesBack() {
    schedule.onAppended(11);
    schedule.onFlushStarted(0);
    schedule.onAppended(12);
    schedule.onFlushStarted(0);
    schedule.onFlushed(12, 0);
    schedule.onFlushed(11, 0);

    assertEquals(12, schedule.persisted());
  }

  @Test
  void aDemandDoesNotWaitForALaterOneThatIsNotInTheLogYet() {
    FlushSchedule schedule = new FlushSchedule(1_000, 0, 0);
    schedule.onDemand(5);
    schedule.onDemand(10);
    schedule.onAppended(5);
    assertTrue(schedule.isDue(1));
    schedule.onFlushStarted(1);
    schedule.onFlushed(5, 0);
    assertFalse(schedule.isDue(2));
    schedule.onAppended(10);
    assertTrue(schedule.isDue(3));
  }
}
