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
package org.orcagrid.cad.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What answers to writes tell, in simulated clusters that lose their power.
 *
 * <p>{@code -Dseeds=100000} runs that many; {@code -Dseed=N} starts there, to replay a failure.
 */
class WriteRepliesSimulationTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int SEEDS = Integer.getInteger("seeds", 1_000);

  /** A mutant has to be found within this many. */
  private static final int MUTANT_SEEDS = 2_000;

  @Test
  void nothingThatAnAnswerTellsIsUndone() {
    List<String> found = new ArrayList<>();
    long answers = 0;
    for (long seed = SEED; seed < SEED + SEEDS && found.isEmpty(); seed++) {
      WriteCluster cluster = new WriteCluster(seed, ReplyMutation.NONE);
      for (String violation : cluster.run()) {
        found.add("seed " + seed + ": " + violation);
      }
      answers += cluster.answers;
    }
    assertEquals(List.of(), found, "replay with -Dseeds=1 -Dseed=...");
    assertTrue(answers > 100L * SEEDS, "hardly anybody was answered: " + answers);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aRuleThatIsLeftOutIsFound(ReplyMutation mutation) {
    assertFalse(firstViolation(mutation).isEmpty());
  }

  private static String firstViolation(ReplyMutation mutation) {
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      List<String> found = new WriteCluster(seed, mutation).run();
      if (!found.isEmpty()) {
        return "seed " + seed + ": " + found.get(0);
      }
    }
    return "";
  }
}
