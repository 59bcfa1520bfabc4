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

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An ensemble that is reconfigured all the time, its leader and its majority included, while
 * servers crash and links are cut.
 */
class ReconfigurationSimulationTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int SEEDS = Integer.getInteger("seeds", 500);

  /** A mutant has to be found within this many. */
  private static final int MUTANT_SEEDS = 20_000;

  /** A seed that has found a mutant which few do; it is tried first. */
  private static final Map<Mutation, Long> FOUND_BY = Map.of(Mutation.LEASE_UNDER_OLD_ALONE, 9065L);

  @Test
  void noReadIsOlderThanOneBeforeItWhoeverVotes() {
    // A seed is one run in one thread, whatever the others do.
    List<String> violations =
        LongStream.range(SEED, SEED + SEEDS)
            .parallel()
            .mapToObj(seed -> Map.entry(seed, EnsembleRuns.reconfiguration(seed)))
            .filter(run -> !run.getValue().isEmpty())
            .map(run -> "seed " + run.getKey() + ": " + run.getValue())
            .toList();
    if (!violations.isEmpty()) {
      fail(
          violations.size()
              + " of "
              + SEEDS
              + " seeds; replay with -Dtest=ReconfigurationSimulationTest -Dseeds=1 -Dseed=...; the"
              + " first: "
              + violations.get(0));
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "HAND_OVER_WITHOUT_WAIT",
        "RECONFIGURE_WITHOUT_HEARTBEAT",
        "LEASE_UNDER_OLD_ALONE",
        "ACKNOWLEDGE_BEFORE_FORCED",
        "JOIN_WITHOUT_PROMISE"
      })
  void aBrokenProtocolIsFound(Mutation mutation) {
    assertFalse(firstViolation(mutation).isEmpty());
  }

  private static String firstViolation(Mutation mutation) {
    String known = violation(mutation, FOUND_BY.getOrDefault(mutation, 1L));
    for (long seed = 1; known.isEmpty() && seed <= MUTANT_SEEDS; seed++) {
      known = violation(mutation, seed);
    }
    return known;
  }

  private static String violation(Mutation mutation, long seed) {
    List<String> found =
        new Cluster(seed, EnsembleRuns.reconfigurationSettings(seed).with(mutation)).run();
    boolean shows = !found.isEmpty() && found.get(0).matches("(A read|Write) .*");
    return shows ? "seed " + seed + ": " + found.get(0) : "";
  }
}
