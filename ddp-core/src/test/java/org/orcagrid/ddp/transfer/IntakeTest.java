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
package org.orcagrid.ddp.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is asked for what, and when; in a time that the test moves. */
class IntakeTest {
  private static final long RESEND = 100;
  private static final int SIZE = 8;

  private final Intake intake = new Intake(3, Intake.Terms.lossy(SIZE, RESEND));
  private long questions;

  /** Asks whoever is to be asked; those are named. */
  private List<Integer> poll(Intake of, long now) {
    List<Integer> asked = new ArrayList<>();
    of.poll(
        now,
        node -> {
          of.of(node).ask(++questions, now);
          asked.add(node);
        });
    return asked;
  }

  @Test
  void aPageIsAskedForWhenTheOneBeforeWasTaken() {
    intake.begin(1, 5);
    assertEquals(List.of(1), poll(intake, 0));
    assertEquals(List.of(), poll(intake, RESEND - 1));
    Inflow inflow = intake.of(1);
    assertEquals(0, inflow.cursor());
    inflow.take(3, 40, 17);
    assertEquals(List.of(1), poll(intake, RESEND - 1));
    assertEquals(17, inflow.cursor());
    inflow.take(1, 2, 20);
    inflow.end();
    assertEquals(List.of(), poll(intake, 100 * RESEND));
    assertEquals(new Progress(1, 1, 2, 4, 42, 0), intake.progress());
  }

  @Test
  void whatIsLostIsAskedForAgainSmallerAndEverLater() {
    intake.begin(2, 5);
    poll(intake, 0);
    Inflow inflow = intake.of(2);
    long now = 0;
    int[] sizes = {SIZE / 2, SIZE / 4, 1, 1, 1, 1, 1, 1};
    for (int failures = 0; failures < sizes.length; failures++) {
      long wait = RESEND << Math.min(failures, 6);
      assertEquals(List.of(), poll(intake, now + wait - 1));
      now += wait;
      assertEquals(List.of(2), poll(intake, now));
      assertEquals(sizes[failures], inflow.size());
    }
    inflow.take(1, 1, 9);
    assertEquals(2, inflow.size(), "what arrives is asked for larger");
    poll(intake, now);
    assertEquals(List.of(), poll(intake, now + RESEND - 1));
    assertEquals(List.of(2), poll(intake, now + RESEND), "and patience begins anew");
  }

  @Test
  void anAnswerToAnEarlierQuestionDoesNotCount() {
    intake.begin(0, 5);
    poll(intake, 0);
    Inflow inflow = intake.of(0);
    assertTrue(inflow.isOf(1));
    poll(intake, RESEND);
    assertFalse(inflow.isOf(1));
    assertTrue(inflow.isOf(2));
    inflow.take(1, 1, 1);
    assertFalse(inflow.isOf(2), "it was answered");
  }

  @Test
  void overReliableLinksAWindowIsAskedForAndNothingTwice() {
    Intake reliable = new Intake(2, Intake.Terms.reliable(4));
    reliable.begin(1, 1);
    assertEquals(List.of(1), poll(reliable, 0));
    Inflow inflow = reliable.of(1);
    assertEquals(4, inflow.asked());
    assertEquals(List.of(), poll(reliable, Long.MAX_VALUE));
    inflow.take(1, 1, 0);
    inflow.take(1, 1, 0);
    assertEquals(List.of(1), poll(reliable, 0));
    assertEquals(6, inflow.asked());
    inflow.end();
    assertEquals(List.of(), poll(reliable, 0));
    assertFalse(inflow.isOf(questions), "nothing comes after the end");
    assertThrows(RuntimeException.class, () -> new Intake.Terms(4, 1, RESEND));
  }

  @Test
  void aSourceWithAnotherLifeIsAskedFromTheBeginning() {
    intake.need(2);
    for (int node = 0; node < 3; node++) {
      intake.begin(node, 5);
    }
    poll(intake, 0);
    Inflow first = intake.of(0);
    first.take(2, 20, 8);
    first.end();
    Inflow second = intake.of(1);
    second.take(2, 20, 8);
    assertEquals(0, intake.changed(node -> 5));
    assertEquals(0b011, intake.changed(node -> node == 2 ? 5 : 6));
    assertTrue(first.isEnded(), "what was told whole may stay");
    intake.begin(1, 6);
    assertEquals(0b001, intake.changed(node -> node == 2 ? 5 : 6));
    assertEquals(new Progress(1, 0, 1, 2, 20, 0), intake.progress(), "the rest is not counted");
    assertEquals(List.of(1), poll(intake, 1));
    assertEquals(0, intake.of(1).cursor());
    assertFalse(intake.isWhole());
    intake.of(2).end();
    assertTrue(intake.isWhole());
  }
}
