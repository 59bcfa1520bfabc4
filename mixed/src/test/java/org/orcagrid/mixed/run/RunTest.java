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
package org.orcagrid.mixed.run;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.mixed.store.geo.GeoStoreRule;
import org.orcagrid.mixed.track.TrackRule;
import org.orcagrid.mixed.world.Seeds;

/** Nobody sees half of a transaction, or an effect without its cause; all of it happens once. */
class RunTest {
  @Test
  void allIsSeenWholeAndInOrder() {
    Seeds.breakNothing(seed -> new MixedWorld(seed, RunRule.all(), TrackRule.all()));
  }

  @Test
  void allThatMayHappenDoes() {
    Seeds.meet(
        Set.of(
            "Aborted",
            "Committed",
            "CommittedPending",
            "Unknown",
            "a replica is waited for too long",
            "a store is read",
            "a store is read again",
            "a store of sessions has not answered",
            "a worker finds an intent",
            "a worker finds what is prepared",
            "another client is asked",
            "ids are forgotten"),
        seed -> new MixedWorld(seed, RunRule.all(), TrackRule.all()));
  }

  @ParameterizedTest
  @EnumSource(RunRule.class)
  void eachRuleIsNeeded(RunRule rule) {
    Seeds.find(rule, seed -> new MixedWorld(seed, RunRule.without(rule), TrackRule.all()));
  }

  @ParameterizedTest
  @EnumSource(
      value = TrackRule.class,
      names = {
        "CARRIED_IS_SEEN",
        "REPLICA_HAS_SEEN",
        "CAUSAL_WRITES_WAIT",
        "PENDING_IS_WAITED_FOR",
        "PENDING_IS_CARRIED"
      })
  void whatTrackingDoesIsNeeded(TrackRule rule) {
    Seeds.find(rule, seed -> new MixedWorld(seed, RunRule.all(), TrackRule.without(rule)));
  }

  @ParameterizedTest
  @EnumSource(GeoStoreRule.class)
  void whatAStoreOfSessionsStandsOnIsNeeded(GeoStoreRule rule) {
    Seeds.find(
        rule,
        seed -> new MixedWorld(seed, RunRule.all(), TrackRule.all(), GeoStoreRule.without(rule)));
  }
}
