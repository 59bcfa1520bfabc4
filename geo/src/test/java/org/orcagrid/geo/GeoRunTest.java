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
package org.orcagrid.geo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.geo.world.GeoRun;
import org.orcagrid.geo.world.GeoShape;

/** Random schedules of faults; {@code -Dseeds} sets how many. */
class GeoRunTest {
  private static final long SEEDS = Long.getLong("seeds", 100);
  private static final long MUTANT_SEEDS = 2_000;

  @Test
  void noSeedBreaksAPromise() {
    long writes = 0;
    long reads = 0;
    long late = 0;
    long gaps = 0;
    long merges = 0;
    long purges = 0;
    long restores = 0;
    long losses = 0;
    long removals = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      long failing = seed;
      GeoRun.Result result = GeoRun.of(seed, GeoShape.SMALL, GeoRule.all());
      assertEquals(Optional.empty(), result.wrong(), () -> "seed " + failing);
      writes += result.figures().acknowledged();
      reads += result.figures().reads();
      late += result.figures().late();
      gaps += result.figures().gaps();
      merges += result.figures().merges();
      purges += result.figures().purges();
      restores += result.figures().restores();
      losses += result.figures().losses();
      removals += result.figures().removals();
    }
    assertTrue(writes > 100 * SEEDS && reads > 100 * SEEDS && late > SEEDS, "clients did much");
    assertTrue(gaps > SEEDS && merges > SEEDS, "forwarders had trouble");
    assertTrue(purges > SEEDS && restores > SEEDS / 10, "and replicas");
    assertTrue(losses > SEEDS / 10 && removals > SEEDS / 10, "and operators");
  }

  @Test
  void aSeedReplays() {
    for (long seed = 1; seed <= 5; seed++) {
      assertEquals(
          GeoRun.of(seed, GeoShape.SMALL, GeoRule.all()),
          GeoRun.of(seed, GeoShape.SMALL, GeoRule.all()));
    }
  }

  /**
   * The others have tests of their own: {@code HybridClockTest}, {@code ReplicaTest} and {@code
   * ForwarderTest}.
   */
  @ParameterizedTest
  @EnumSource(
      value = GeoRule.class,
      names = {
        "COUNTS_CARRY",
        "EPOCH_BEFORE_INDEX",
        "VECTOR_AFTER_STATE",
        "EXPIRED_IS_REFUSED",
        "HANDED_BEHIND_FENCE"
      },
      mode = EnumSource.Mode.EXCLUDE)
  void whatIsLeftOutIsMissed(GeoRule broken) {
    if (LongStream.rangeClosed(1, MUTANT_SEEDS)
        .noneMatch(
            seed -> GeoRun.of(seed, GeoShape.SMALL, GeoRule.without(broken)).wrong().isPresent())) {
      fail("Nothing goes wrong without " + broken);
    }
  }
}
