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
package org.orcagrid.seeds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedsTest {
  private final List<String> told = new ArrayList<>();
  private final List<Long> seeds = new ArrayList<>();

  private SeedRun failsAt(long wrong) {
    return new SeedRun(
        "some",
        3,
        (seed, trace) -> {
          seeds.add(seed);
          if (seed == wrong + 1) {
            throw new IllegalStateException("an invariant");
          }
          return seed == wrong ? List.of("a read is old") : List.of();
        });
  }

  @Test
  void aSeedThatFailsIsToldAndTheOthersGoOn() {
    assertEquals(2, new Seeds(List.of(failsAt(12)), told::add).run(5, 10));
    assertEquals(List.of(10L, 11L, 12L, 13L, 14L), seeds);
    assertTrue(told.contains("FAILED: replay some 12"), told::toString);
    assertTrue(told.contains("  a read is old"), told::toString);
    assertTrue(told.contains("FAILED: replay some 13"), told::toString);
    assertTrue(told.stream().anyMatch(each -> each.contains("an invariant")), told::toString);
  }

  @Test
  void seedsAreSharedByWeight() {
    List<Long> others = new ArrayList<>();
    SeedRun other =
        new SeedRun(
            "other",
            1,
            (seed, trace) -> {
              others.add(seed);
              return List.of();
            });
    assertEquals(0, new Seeds(List.of(other, failsAt(0)), told::add).run(400, 100));
    assertEquals(300, seeds.size());
    assertEquals(100, others.size());
  }

  @Test
  void aSeedIsRunAgainByItsNameAlone() {
    Seeds of = new Seeds(List.of(failsAt(12)), told::add);
    assertFalse(of.replay("some", 12));
    assertTrue(of.replay("some", 11));
    assertEquals(List.of(12L, 11L), seeds);
    assertThrows(IllegalArgumentException.class, () -> of.replay("none", 1));
  }

  /** One of each kind, and none is told as failed: the command works. */
  @Test
  void allKindsRun() {
    List<SeedRun> once = new ArrayList<>();
    SeedRuns.all().forEach(run -> once.add(new SeedRun(run.name(), 1, run.judge())));
    assertEquals(0, new Seeds(once, told::add).run(once.size(), 1), told::toString);
  }
}
