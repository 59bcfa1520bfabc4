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
package org.orcagrid.cad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuorumIndexTest {
  private static QuorumRule majorityOf(long... voters) {
    return (ids, count) -> {
      long reached =
          Arrays.stream(ids, 0, count)
              .filter(id -> Arrays.stream(voters).anyMatch(voter -> voter == id))
              .count();
      return reached > voters.length / 2;
    };
  }

  @Test
  void ofThreeServersTheSecondHighestReportCounts() {
    QuorumRule three = majorityOf(1, 2, 3);
    QuorumIndex index = new QuorumIndex(0);

    assertFalse(index.onReport(1, 30, three));
    assertEquals(0, index.value());
    assertTrue(index.onReport(2, 10, three));
    assertEquals(10, index.value());
    assertTrue(index.onReport(3, 20, three));
    assertEquals(20, index.value());
  }

  @Test
  void ofFiveServersTheThirdHighestReportCounts() {
    QuorumRule five = majorityOf(1, 2, 3, 4, 5);
    QuorumIndex index = new QuorumIndex(0);

    assertFalse(index.onReport(1, 50, five));
    assertFalse(index.onReport(2, 40, five));
    assertTrue(index.onReport(3, 30, five));
    assertEquals(30, index.value());
    assertTrue(index.onReport(4, 45, five));
    assertEquals(40, index.value());
    assertTrue(index.onReport(5, 60, five));
    assertEquals(45, index.value());
  }

  @Test
  void aSingleServerIsItsOwnQuorum() {
    QuorumIndex index = new QuorumIndex(5);

    assertTrue(index.onReport(1, 7, majorityOf(1)));
    assertEquals(7, index.value());
  }

  @Test
  void aReportThatWasOvertakenChangesNothing() {
    QuorumRule three = majorityOf(1, 2, 3);
    QuorumIndex index = new QuorumIndex(0);
    index.onReport(1, 10, three);
    index.onReport(2, 10, three);

    assertFalse(index.onReport(2, 4, three));
    assertFalse(index.onReport(2, 10, three));
    assertEquals(10, index.reportedBy(2));
    assertEquals(10, index.value());
  }

  @Test
  void theValueNeverGoesBackNotEvenForAConfigurationThatHasReportedLess() {
    QuorumIndex index = new QuorumIndex(0);
    index.onReport(1, 10, majorityOf(1));

    assertFalse(index.onConfigurationChange(majorityOf(1, 2, 3)));
    assertEquals(10, index.value());
    assertFalse(index.onReport(2, 8, majorityOf(1, 2, 3)));
    assertEquals(10, index.value());
    assertTrue(index.onReport(2, 12, majorityOf(2)));
    assertEquals(12, index.value());
  }

  @Test
  void aConfigurationChangeCountsTheReportsThatAreKnown() {
    QuorumIndex index = new QuorumIndex(0);
    index.onReport(1, 20, majorityOf(1, 2, 3));
    index.onReport(4, 15, majorityOf(1, 2, 3));
    assertEquals(0, index.value(), "server 4 has no vote yet");

    assertTrue(index.onConfigurationChange(majorityOf(1, 4, 5)));
    assertEquals(15, index.value());
  }

  @Test
  void serversWithoutAVoteNeverMakeAQuorum() {
    QuorumRule three = majorityOf(1, 2, 3);
    QuorumIndex index = new QuorumIndex(0);
    index.onReport(1, 10, three);

    for (long observer = 100; observer < 150; observer++) {
      assertFalse(index.onReport(observer, 1_000, three));
    }
    assertEquals(0, index.value());
    assertTrue(index.onReport(3, 9, three));
    assertEquals(9, index.value());
  }

  @Test
  void aWeightedRuleDecidesInsteadOfTheHeadCount() {
    Map<Long, Integer> weights = Map.of(1L, 3, 2L, 1, 3L, 1);
    QuorumRule weighted =
        (ids, count) -> Arrays.stream(ids, 0, count).mapToInt(weights::get).sum() > 2;
    QuorumIndex index = new QuorumIndex(0);

    assertFalse(index.onReport(2, 30, weighted));
    assertFalse(index.onReport(3, 30, weighted));
    assertTrue(index.onReport(1, 20, weighted));
    assertEquals(20, index.value());
  }

  @Test
  void whileTwoConfigurationsAreInForceBothMustAgree() {
    QuorumRule before = majorityOf(1, 2, 3);
    QuorumRule after = majorityOf(3, 4, 5);
    QuorumRule both = (ids, count) -> before.isQuorum(ids, count) && after.isQuorum(ids, count);
    QuorumIndex index = new QuorumIndex(0);

    assertFalse(index.onReport(1, 10, both));
    assertFalse(index.onReport(2, 10, both));
    assertFalse(index.onReport(4, 10, both));
    assertTrue(index.onReport(3, 10, both), "a majority of each");
    assertEquals(10, index.value());
  }

  @Test
  void aServerThatHasNotReportedIsSaidToHaveReportedNothing() {
    assertEquals(-1, new QuorumIndex(7).reportedBy(1));
    assertEquals(7, new QuorumIndex(7).value());
  }
}
