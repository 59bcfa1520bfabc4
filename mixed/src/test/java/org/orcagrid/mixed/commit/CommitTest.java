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
package org.orcagrid.mixed.commit;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.mixed.world.Seeds;

/** A transaction is committed whole or not at all, whoever dies when. */
class CommitTest {
  @Test
  void wholeOrNotAtAll() {
    Seeds.breakNothing(seed -> new CommitWorld(seed, CommitRule.all()));
  }

  @Test
  void allThatMayHappenDoes() {
    Seeds.meet(
        Set.of(
            "Aborted",
            "Committed",
            "CommittedPending",
            "Unknown, and it is not decided",
            "Unknown, but it is decided",
            "decided, and the client has died",
            "ids are forgotten"),
        seed -> new CommitWorld(seed, CommitRule.all()));
  }

  @ParameterizedTest
  @EnumSource(CommitRule.class)
  void eachRuleIsNeeded(CommitRule rule) {
    Seeds.find(rule, seed -> new CommitWorld(seed, CommitRule.without(rule)));
  }
}
