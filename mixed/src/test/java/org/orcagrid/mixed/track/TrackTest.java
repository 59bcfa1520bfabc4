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

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.mixed.world.Seeds;

/** Causality holds between stores that know nothing of each other. */
class TrackTest {
  @Test
  void nobodySeesLessThanWhatTheyKnowOf() {
    Seeds.breakNothing(seed -> new TrackWorld(seed, TrackRule.all()));
  }

  @Test
  void allThatMayHappenDoes() {
    Seeds.meet(
        Set.of(
            "a causal read waits",
            "a causal write waits",
            "a client goes to another replica",
            "a reader is told what it misses",
            "a strong write carries a tombstone",
            "a strong write carries nothing",
            "something is everywhere"),
        seed -> new TrackWorld(seed, TrackRule.all()));
  }

  @ParameterizedTest
  @EnumSource(
      value = TrackRule.class,
      mode = EnumSource.Mode.EXCLUDE,
      // Those are about transactions, and there are none here.
      names = {"PENDING_IS_WAITED_FOR", "PENDING_IS_CARRIED"})
  void eachRuleIsNeeded(TrackRule rule) {
    Seeds.find(rule, seed -> new TrackWorld(seed, TrackRule.without(rule)));
  }
}
