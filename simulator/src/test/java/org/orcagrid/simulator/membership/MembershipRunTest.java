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
package org.orcagrid.simulator.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.membership.MembershipRule;

/**
 * Random schedules of faults. The rules that are left out here have scenarios of their own: {@link
 * MembershipScenarioTest}, and for lives {@code MembershipTest} in ddp-core; seeds: {@code
 * -Dseeds}.
 */
class MembershipRunTest {
  private static final long SEEDS = Long.getLong("seeds", 400);
  private static final long MUTANT_SEEDS = 5_000;

  @Test
  void servesNeverWithoutBeingInTheNewestView() {
    for (long seed = 0; seed < SEEDS; seed++) {
      long failing = seed;
      Optional<String> wrong = MembershipRun.of(seed, MembershipRule.all(), null);
      assertEquals(Optional.empty(), wrong, () -> "seed " + failing);
    }
  }

  /** In this one a place is added again while the life that has left is still registered. */
  @Test
  void aPlaceIsAddedAgainAfterTheLifeThatHasLeft() {
    assertEquals(Optional.empty(), MembershipRun.of(2_627, MembershipRule.all(), null));
  }

  @ParameterizedTest
  @EnumSource(
      value = MembershipRule.class,
      names = {
        "GRANTS_OF_LIVES",
        "LARGEST_CONNECTED",
        "SILENT_ARE_ASKED",
        "HEARD_BEFORE_SERVING",
        "TIME_FOR_FIRST_LINKS",
        "STANDING_ARE_LEFT_OUT"
      },
      mode = EnumSource.Mode.EXCLUDE)
  void whatIsLeftOutIsMissed(MembershipRule broken) {
    if (LongStream.range(0, MUTANT_SEEDS)
        .noneMatch(
            seed -> MembershipRun.of(seed, MembershipRule.allBut(broken), null).isPresent())) {
      fail("Nothing goes wrong without " + broken);
    }
  }
}
