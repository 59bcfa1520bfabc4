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
package org.orcagrid.client.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.model.Ddp;

/**
 * What a structure has acknowledged survives that all nodes lose power, if its model says so: no
 * item is lost, none comes twice, all are in order. {@code -Drounds=2000} for so many rounds,
 * {@code -Dfirst=N} to begin with that seed.
 */
class StructurePowerCutTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 16);
  private static final long FIRST = Long.getLong("first", 1);
  private static final int ROUNDS_OF_A_MUTANT_MAX = 60;

  @TempDir private Path dir;

  /** Those with compare-and-set of which what has completed survives, or of which it may not. */
  private static List<Ddp> models(boolean keepsAll) {
    return Ddp.all().stream()
        .filter(each -> each.consistency().isAtomic())
        .filter(
            each ->
                switch (each.persistency()) {
                  case STRICT, SYNCHRONOUS, SCOPE -> keepsAll;
                  case READ_ENFORCED, EVENTUAL -> !keepsAll;
                  // There is nothing on the medium whose power is cut.
                  case NONE -> false;
                })
        .toList();
  }

  private StructurePowerCutRound round(long seed, boolean keepsAll) {
    List<Ddp> models = models(keepsAll);
    return round(seed, models.get((int) (seed % models.size())), keepsAll);
  }

  private StructurePowerCutRound round(long seed, Ddp model, boolean keepsAll) {
    return new StructurePowerCutRound(
        seed, model, keepsAll, dir.resolve("round" + seed + keepsAll));
  }

  @Test
  void whatWasAcknowledgedSurvives() throws InterruptedException {
    List<String> faults = new ArrayList<>();
    long unanswered = 0;
    for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
      StructurePowerCutRound round = round(seed, true);
      String fault = round.run();
      if (fault != null) {
        faults.add(fault);
      }
      unanswered += round.unanswered();
    }
    assertEquals(List.of(), faults);
    assertTrue(unanswered > 0, "The power was never cut in the middle of anything");
  }

  @Test
  void weakerModelsLeaveNothingBroken() throws InterruptedException {
    for (long seed = FIRST; seed < FIRST + ROUNDS / 2; seed++) {
      assertNull(round(seed, false).run());
    }
  }

  @Test
  void aModelThatKeepsLessIsCaught() throws InterruptedException {
    Ddp weak = Ddp.parse("linearizable/eventual");
    for (long seed = FIRST; seed < FIRST + ROUNDS_OF_A_MUTANT_MAX; seed++) {
      if (round(seed, weak, true).run() != null) {
        return;
      }
    }
    throw new AssertionError("Nobody has noticed that what was acknowledged is gone");
  }
}
