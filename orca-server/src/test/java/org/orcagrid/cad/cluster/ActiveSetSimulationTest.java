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
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The active set, its leases and the durable-index in simulated clusters (sections 4.4 and 4.5).
 *
 * <p>{@code -Dseeds=100000} runs that many; {@code -Dseed=N} starts there, to replay a failure.
 */
class ActiveSetSimulationTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int SEEDS = Integer.getInteger("seeds", 2_000);

  /** A mutant has to be found within this many. */
  private static final int MUTANT_SEEDS = 20_000;

  /** A seed that has found a mutant which few do; it is tried first. */
  private static final Map<Mutation, Long> FOUND_BY =
      Map.of(Mutation.CONFIRM_WITHOUT_LEASE, 11721L);

  private static final int AT_ONCE = 40;

  @Test
  void noReadIsOlderThanOneBeforeIt() {
    assertClean(EnsembleRuns::activeSet);
  }

  @Test
  void readsShowWhatWasAcknowledgedOnceAllMembersHaveAppliedIt() {
    assertClean(EnsembleRuns::awaitingMembers);
  }

  private static void assertClean(LongFunction<List<String>> run) {
    // A seed is one run in one thread, whatever the others do.
    List<String> violations =
        LongStream.range(SEED, SEED + SEEDS)
            .parallel()
            .mapToObj(seed -> Map.entry(seed, run.apply(seed)))
            .filter(found -> !found.getValue().isEmpty())
            .map(found -> "seed " + found.getKey() + ": " + found.getValue())
            .toList();
    if (!violations.isEmpty()) {
      fail(
          violations.size()
              + " of "
              + SEEDS
              + " seeds; replay with -Dtest=ActiveSetSimulationTest -Dseeds=1 -Dseed=...; the"
              + " first: "
              + violations.get(0));
    }
  }

  @Test
  void aWriteThatIsAcknowledgedTooEarlyIsFound() {
    assertFalse(
        firstViolation(
                seed ->
                    EnsembleRuns.activeSetSettings(seed)
                        .awaitingMembers()
                        .with(Mutation.ACKNOWLEDGE_BEFORE_APPLIED))
            .isEmpty());
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "NONE",
        "HAND_OVER_WITHOUT_WAIT",
        "RECONFIGURE_WITHOUT_HEARTBEAT",
        "LEASE_UNDER_OLD_ALONE",
        "ACKNOWLEDGE_BEFORE_FORCED",
        "JOIN_WITHOUT_PROMISE",
        "ACKNOWLEDGE_BEFORE_APPLIED"
      },
      mode = EnumSource.Mode.EXCLUDE)
  void aBrokenProtocolIsFound(Mutation mutation) {
    LongFunction<ClusterSettings> broken =
        seed -> EnsembleRuns.activeSetSettings(seed).with(mutation);
    String known = violation(FOUND_BY.getOrDefault(mutation, 1L), broken);
    assertFalse((known.isEmpty() ? firstViolation(broken) : known).isEmpty());
  }

  @Test
  void clocksThatDriftTooFarAreFoundAsThePaperPredicts() {
    // "it is unlikely ... that rt has passed for the leader but mt has not for the follower"
    assertFalse(
        firstViolation(seed -> EnsembleRuns.activeSetSettings(seed).withDrift(15)).isEmpty());
  }

  private static String firstViolation(LongFunction<ClusterSettings> settings) {
    for (long first = 1; first <= MUTANT_SEEDS; first += AT_ONCE) {
      // A parallel stream ends once all of it is done: so it is a short one.
      Optional<String> violation =
          LongStream.range(first, first + AT_ONCE)
              .parallel()
              .mapToObj(seed -> violation(seed, settings))
              .filter(found -> !found.isEmpty())
              .findAny();
      if (violation.isPresent()) {
        return violation.get();
      }
    }
    return "";
  }

  private static String violation(long seed, LongFunction<ClusterSettings> settings) {
    List<String> found = new Cluster(seed, settings.apply(seed)).run();
    boolean shows = !found.isEmpty() && !found.get(0).startsWith("Of ");
    return shows ? "seed " + seed + ": " + found.get(0) : "";
  }
}
