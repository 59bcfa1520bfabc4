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
package org.orcagrid.ddp.durable.segment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logs that die at every operation on their files: by power cuts, by the end of their process, and
 * by a device that refuses. And with each of the rules broken, which must be found.
 */
class CrashPointsTest {
  private static final long SEEDS = Long.getLong("seeds", 40);
  private static final long FIRST = Long.getLong("first", 1);
  private static final long MUTANT_SEEDS = Long.getLong("mutantSeeds", 400);

  @ParameterizedTest
  @EnumSource
  void whateverHappensThePromisesAreKept(CrashableFiles.Fault fault) {
    int runs = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      runs += everyPoint(seed, fault, SegmentRule.all());
    }
    System.out.println(fault + ": " + runs + " runs");
    assertTrue(runs > SEEDS * 50, "Each log writes: " + runs);
  }

  /** One run for each operation at which the fault may come; how many. */
  private static int everyPoint(long seed, CrashableFiles.Fault fault, Set<SegmentRule> rules) {
    int operations = run(seed, fault, Integer.MAX_VALUE, rules);
    for (int at = 1; at <= operations; at++) {
      run(seed, fault, at, rules);
    }
    return operations + 1;
  }

  private static int run(long seed, CrashableFiles.Fault fault, int at, Set<SegmentRule> rules) {
    try {
      return CrashRun.of(seed, fault, at, rules);
    } catch (CrashRun.Violation e) {
      throw new AssertionError("Seed " + seed + ", " + fault + " at operation " + at, e);
    }
  }

  /**
   * Not what no crash does, nor what takes two that tear the same frame in the right places:
   * DamageTest and TornTailTest bring them about.
   */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REFUSE_DAMAGE", "VOID_TORN_TAIL"})
  void aBrokenRuleIsFound(SegmentRule broken) {
    Set<SegmentRule> rules = SegmentRule.without(broken);
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      for (CrashableFiles.Fault fault : CrashableFiles.Fault.values()) {
        try {
          everyPoint(seed, fault, rules);
        } catch (AssertionError | RuntimeException e) {
          System.out.println(broken + " is found: " + e.getMessage() + ", " + e.getCause());
          return;
        }
      }
    }
    throw new AssertionError("Nothing was found without " + broken);
  }

  @Test
  void aRunOfOneSeedIsAlwaysTheSame() {
    int first = CrashRun.of(7, CrashableFiles.Fault.POWER_CUT, 40, SegmentRule.all());
    int second = CrashRun.of(7, CrashableFiles.Fault.POWER_CUT, 40, SegmentRule.all());
    assertTrue(first == second, first + " and " + second + " operations");
  }
}
