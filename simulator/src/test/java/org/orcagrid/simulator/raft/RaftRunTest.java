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
package org.orcagrid.simulator.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.raft.RaftRule;

/** Random schedules of faults; {@code -Dseeds} sets how many. */
class RaftRunTest {
  private static final long SEEDS = Long.getLong("seeds", 1_000);
  private static final long MUTANT_SEEDS = 20_000;

  private static Set<RaftRule> all() {
    return EnumSet.allOf(RaftRule.class);
  }

  private static Set<RaftRule> allBut(RaftRule broken) {
    return EnumSet.complementOf(EnumSet.of(broken));
  }

  @Test
  void allNodesApplyTheSameAndGoOn() {
    int terms = 0;
    int applied = 0;
    int snapshots = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      long failing = seed;
      RaftRun.Result result = RaftRun.of(seed, all());
      assertEquals(Optional.empty(), result.wrong(), () -> "seed " + failing);
      terms += result.terms();
      applied += result.applied();
      snapshots += result.snapshots();
    }
    assertTrue(terms > 3 * SEEDS && applied > 100 * SEEDS && snapshots > SEEDS, "they did much");
  }

  @Test
  void aSeedReplays() {
    for (long seed = 0; seed < 20; seed++) {
      assertEquals(RaftRun.of(seed, all()), RaftRun.of(seed, all()));
    }
  }

  /** The other two have scenarios of their own: {@code RaftTest} in ddp-core. */
  @ParameterizedTest
  @EnumSource(
      value = RaftRule.class,
      names = {"COUNTS_OWN_TERM", "LEADER_IS_NOT_DISTURBED"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatIsLeftOutIsMissed(RaftRule broken) {
    if (LongStream.range(0, MUTANT_SEEDS)
        .noneMatch(seed -> RaftRun.of(seed, allBut(broken)).wrong().isPresent())) {
      fail("Nothing goes wrong without " + broken);
    }
  }
}
