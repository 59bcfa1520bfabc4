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
package org.orcagrid.bench.zab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ZAB yardstick under random schedules, and with each of its rules broken. */
class ZabSimulationTest {
  private static final long SEEDS = Long.getLong("seeds", 1_000);
  private static final long FIRST = Long.getLong("first", 1);
  private static final long MUTANT_SEEDS = 500;

  @Test
  void allNodesApplyTheSameSequence() {
    long operations = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      ZabRun.Result result = ZabRun.of(seed, ZabRule.all());
      assertEquals(List.of(), result.violations(), "seed " + seed);
      operations += result.operations();
    }
    assertTrue(operations > SEEDS, "something was done");
  }

  @ParameterizedTest
  @EnumSource(ZabRule.class)
  void aBrokenRuleIsFound(ZabRule broken) {
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      try {
        if (!ZabRun.of(seed, ZabRule.without(broken)).violations().isEmpty()) {
          return;
        }
      } catch (IllegalStateException e) {
        // An invariant of the protocol itself has seen it.
        return;
      }
    }
    throw new AssertionError("Nothing was found without " + broken);
  }
}
