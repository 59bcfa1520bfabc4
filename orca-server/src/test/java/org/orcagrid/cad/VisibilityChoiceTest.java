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

/** A load is what each read waits while writes are shown early, and each write while late. */
class VisibilityChoiceTest {
  private static final long MICRO = 1_000;
  private static final long FORCE = 5_000 * MICRO;

  private long force = FORCE;

  private final VisibilityChoice choice = new VisibilityChoice();

  /** How many of the heartbeats so far were late. */
  private int lateBeats;

  /** Of a hundred reads so many are held, each for a while; and what a late write waits. */
  private record Load(long reads, long writes, long held, long heldNanos, long writeWaits) {
    Load withWriteWaits(long nanos) {
      return new Load(reads, writes, held, heldNanos, nanos);
    }
  }

  /** YCSB-D with 5 ms added to a force: a read in six waits for 4.4 ms. */
  private static final Load LATEST = new Load(950, 50, 16, 4_400 * MICRO, 8_000 * MICRO);

  /** The same with 2 ms added. */
  private static final Load LATEST_2_MS = new Load(950, 50, 13, 2_000 * MICRO, 4_200 * MICRO);

  /** The same without anything added. */
  private static final Load LATEST_FAST = new Load(950, 50, 7, 550 * MICRO, 1_000 * MICRO);

  private static final Load ALL_WRITES = new Load(0, 1_000, 0, 0, 8_000 * MICRO);

  private static final Load READ_MOSTLY = new Load(950, 50, 2, 4_400 * MICRO, 8_000 * MICRO);

  private void run(Load load, int beats) {
    for (int i = 0; i < beats; i++) {
      boolean late = choice.isLate();
      lateBeats += late ? 1 : 0;
      choice.onBeat(
          new VisibilityChoice.Beat(
              late ? 0 : load.reads() * load.held() / 100,
              late ? 0 : load.reads() * load.held() / 100 * load.heldNanos(),
              load.reads(),
              load.writes(),
              late ? load.writes() : 0,
              late ? load.writes() * load.writeWaits() : 0,
              force));
    }
  }

  @Test
  void writesAreShownEarlyAtFirst() {
    assertFalse(choice.isLate());
    run(ALL_WRITES, 1_000);
    assertEquals(0, lateBeats);
  }

  @Test
  void whereReadersWaitLongerThanWritersWouldTheyAreShownLate() {
    run(LATEST, VisibilityChoice.AGREEMENT);
    assertTrue(choice.isLate());
    lateBeats = 0;
    run(LATEST, 1_000);
    assertTrue(lateBeats > 950, "it is measured again for a short time only: " + lateBeats);
  }

  @Test
  void soTheyAreOnAFasterDiskWhereReadersWaitForALittleLonger() {
    force = 2_600 * MICRO;
    run(LATEST_2_MS, 100);
    lateBeats = 0;
    run(LATEST_2_MS, 1_000);
    assertTrue(lateBeats > 950, "late heartbeats: " + lateBeats);
  }

  @Test
  void whereBothCostAboutTheSameTheyAreShownEarly() {
    force = 350 * MICRO;
    run(LATEST_FAST, 1_000);
    assertEquals(0, lateBeats);
  }

  @Test
  void theyAreShownEarlyAgainWhenTheDiskIsFaster() {
    force = 2_600 * MICRO;
    run(LATEST_2_MS, 100);
    assertTrue(choice.isLate());
    force = 350 * MICRO;
    run(LATEST_FAST, 2 * VisibilityChoice.LATE_BEATS);
    assertFalse(choice.isLate());
  }

  @Test
  void whereFewReadersWaitTheyAreShownEarly() {
    run(READ_MOSTLY, 1_000);
    assertEquals(0, lateBeats);
  }

  @Test
  void oneBadMeasurementOfLateWritesDoesNotDecideForEver() {
    force = 2_600 * MICRO;
    run(LATEST_2_MS.withWriteWaits(20_000 * MICRO), 10);
    assertFalse(choice.isLate());
    run(LATEST_2_MS, 200);
    lateBeats = 0;
    run(LATEST_2_MS, 1_000);
    assertTrue(lateBeats > 900, "late heartbeats: " + lateBeats);
  }

  @Test
  void whereLateWritesWaitForLongTheyAreTriedSeldom() {
    force = 150 * MICRO;
    run(LATEST_2_MS.withWriteWaits(20_000 * MICRO), 1_000);
    assertTrue(lateBeats > 5 && lateBeats < 70, "late heartbeats: " + lateBeats);
  }

  @Test
  void whenNobodyReadsAnyMoreTheyAreShownEarlyAtOnce() {
    run(LATEST, 20);
    assertTrue(choice.isLate());
    run(ALL_WRITES, VisibilityChoice.AGREEMENT);
    assertFalse(choice.isLate());
  }

  @Test
  void whenReadersReadSomethingElseThatIsMeasured() {
    run(LATEST, 20);
    assertTrue(choice.isLate());
    run(READ_MOSTLY, VisibilityChoice.LATE_BEATS + VisibilityChoice.TRIAL_BEATS);
    assertFalse(choice.isLate());
    lateBeats = 0;
    run(READ_MOSTLY, 1_000);
    assertEquals(0, lateBeats);
  }

  @Test
  void whenDisksHangTheyAreShownEarlyAtOnce() {
    run(LATEST, 20);
    assertTrue(choice.isLate());
    choice.onOverdue();
    assertFalse(choice.isLate());
    run(LATEST, VisibilityChoice.AGREEMENT);
    assertTrue(choice.isLate(), "when they are well again");
  }

  @Test
  void ofFewWritesNothingIsConcluded() {
    run(new Load(1_000, VisibilityChoice.WRITES_MIN - 1, 16, 4_400 * MICRO, 8_000 * MICRO), 1_000);
    assertEquals(0, lateBeats);
  }

  @Test
  void aServerThatComesAgainCountsFromThere() {
    BeatFigures figures = new BeatFigures();
    figures.onServer(1, 4, 100, 10);
    figures.onServer(2, 8, 900, 90);
    figures.beat(5, 0, 0, 2, 2 * FORCE);
    figures.onServer(1, 7, 150, 12);
    figures.onServer(2, 1, 3, 1);
    assertEquals(
        new VisibilityChoice.Beat(3, 50, 2, 4, 1, 7, FORCE), figures.beat(9, 1, 7, 3, 3 * FORCE));
    figures.onServer(2, 2, 5, 2);
    assertEquals(
        new VisibilityChoice.Beat(1, 2, 1, 0, 0, 0, FORCE), figures.beat(9, 1, 7, 3, 3 * FORCE));
  }
}
