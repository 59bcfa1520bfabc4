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

import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.geo.world.GeoJudge;
import org.orcagrid.geo.world.GeoRun;
import org.orcagrid.geo.world.GeoShape;

/**
 * Random schedules of faults; {@code -Dseeds} sets how many, {@code -Dpartitions} how many
 * partitions there are in one of them.
 */
class GeoRunTest {
  private static final long SEEDS = Long.getLong("seeds", 100);
  private static final long MUTANT_SEEDS = 2_000;
  private static final int PARTITIONS = Integer.getInteger("partitions", 40);

  @Test
  void noSeedBreaksAPromise() {
    // A seed is one run in one thread, whatever the others do.
    List<GeoJudge.Figures> figures =
        LongStream.rangeClosed(1, SEEDS).parallel().mapToObj(GeoRunTest::figures).toList();
    assertTrue(sum(figures, GeoJudge.Figures::acknowledged) > 100 * SEEDS, "clients wrote much");
    assertTrue(sum(figures, GeoJudge.Figures::reads) > 100 * SEEDS, "and read much");
    assertTrue(sum(figures, GeoJudge.Figures::late) > SEEDS, "some of it late");
    assertTrue(sum(figures, GeoJudge.Figures::gaps) > SEEDS, "forwarders had trouble");
    assertTrue(sum(figures, GeoJudge.Figures::merges) > SEEDS, "and merged");
    assertTrue(sum(figures, GeoJudge.Figures::purges) > SEEDS, "replicas purged");
    assertTrue(sum(figures, GeoJudge.Figures::restores) > SEEDS / 10, "and restored");
    assertTrue(sum(figures, GeoJudge.Figures::removals) > SEEDS / 10, "datacenters were removed");
    assertTrue(sum(figures, GeoJudge.Figures::losses) > SEEDS / 10, "and sessions were told");
  }

  private static GeoJudge.Figures figures(long seed) {
    GeoRun.Result result = GeoRun.of(seed, GeoShape.SMALL, GeoRule.all());
    assertEquals(Optional.empty(), result.wrong(), () -> "seed " + seed);
    return result.figures();
  }

  private static long sum(List<GeoJudge.Figures> figures, ToLongFunction<GeoJudge.Figures> which) {
    return figures.stream().mapToLong(which).sum();
  }

  /** Groups share nodes, clocks, links and crashes. */
  @Test
  void manyPartitionsBreakNone() {
    GeoRun.Result result = GeoRun.of(1, GeoShape.of(PARTITIONS), GeoRule.all());
    assertEquals(Optional.empty(), result.wrong());
    assertTrue(result.figures().acknowledged() > 100, "clients wrote");
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
        .parallel()
        .noneMatch(
            seed -> GeoRun.of(seed, GeoShape.SMALL, GeoRule.without(broken)).wrong().isPresent())) {
      fail("Nothing goes wrong without " + broken);
    }
  }
}
