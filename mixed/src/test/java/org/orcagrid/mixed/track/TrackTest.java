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
package org.orcagrid.mixed.track;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Causality holds between stores that know nothing of each other. */
class TrackTest {
  private static final int SEEDS = Integer.getInteger("seeds", 2_000);

  @Test
  void nobodySeesLessThanWhatTheyKnowOf() {
    List<String> wrong =
        LongStream.range(0, SEEDS)
            .parallel()
            .mapToObj(
                seed -> {
                  String found = new TrackWorld(seed, TrackRule.all()).run();
                  return found == null ? null : "seed " + seed + ": " + found;
                })
            .filter(found -> found != null)
            .toList();
    assertEquals(List.of(), wrong);
  }

  /** A world in which nothing goes wrong would prove nothing. */
  @Test
  void allThatMayHappenDoes() {
    Set<String> happened = new TreeSet<>();
    for (long seed = 0; seed < 50; seed++) {
      TrackWorld world = new TrackWorld(seed, TrackRule.all());
      assertEquals(null, world.run());
      happened.addAll(world.happened());
    }
    assertEquals(
        Set.of(
            "a causal read waits",
            "a causal write waits",
            "a client goes to another replica",
            "a reader is told what it misses",
            "a strong write carries a tombstone",
            "a strong write carries nothing",
            "something is everywhere"),
        happened);
  }

  @ParameterizedTest
  @EnumSource(TrackRule.class)
  void eachRuleIsNeeded(TrackRule rule) {
    for (long seed = 0; seed < SEEDS; seed++) {
      if (new TrackWorld(seed, TrackRule.without(rule)).run() != null) {
        return;
      }
    }
    throw new AssertionError("No seed has found that " + rule + " is missing");
  }
}
