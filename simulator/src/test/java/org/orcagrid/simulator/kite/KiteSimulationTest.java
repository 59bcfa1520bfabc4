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
package org.orcagrid.simulator.kite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.kite.KiteRule;

/** Kite under random schedules, and with each of its rules broken. */
class KiteSimulationTest {
  private static final long SEEDS = Long.getLong("seeds", 1_000);
  private static final long FIRST = Long.getLong("first", 1);
  private static final int NODES_MAX = Integer.getInteger("nodesMax", 5);
  private static final long MUTANT_SEEDS = Long.getLong("mutantSeeds", 20_000);

  private final KiteRun.Equipment equipment = new KiteRun.Equipment();

  @Test
  void everyHistoryIsReleaseConsistent() {
    long slow = 0;
    long epochs = 0;
    long operations = 0;
    long judgedTwice = 0;
    long undecided = 0;
    long refused = 0;
    long newNodes = 0;
    long added = 0;
    long removed = 0;
    long anew = 0;
    long forgotten = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      KiteRun.Result result = KiteRun.of(seed, NODES_MAX, KiteRule.all(), equipment);
      if (!result.violations().isEmpty()) {
        KiteRun.explain(seed, NODES_MAX, KiteRule.all(), equipment, System.out::println);
      }
      assertEquals(List.of(), result.violations(), "seed " + seed);
      slow += result.slowReleases();
      epochs += result.epochs();
      operations += result.operations();
      judgedTwice += result.judgedTwice();
      undecided += result.undecided();
      refused += result.refused();
      newNodes += result.newNodes();
      added += result.added();
      removed += result.removed();
      anew += result.anew();
      forgotten += result.forgotten();
    }
    System.out.println(
        SEEDS
            + " seeds, "
            + operations
            + " operations, "
            + judgedTwice
            + " of them judged without versions too ("
            + undecided
            + " keys given up), "
            + refused
            + " without room, "
            + slow
            + " slow releases, "
            + epochs
            + " times to the slow path, "
            + newNodes
            + " nodes that followed others or were added ("
            + added
            + "), "
            + removed
            + " places removed, "
            + anew
            + " times memory began anew, "
            + forgotten
            + " removed keys forgotten");
    assertTrue(refused > 0, "stores were full");
    assertTrue(slow > 0 && epochs > 0, "the slow path was taken");
    assertTrue(added > SEEDS / 5, "nodes were added");
    assertTrue(removed > SEEDS / 5, "nodes were removed");
    assertTrue(newNodes > SEEDS / 10 && anew > SEEDS / 50, "nodes were followed");
    assertTrue(forgotten > SEEDS / 4, "removed keys were forgotten");
    assertTrue(judgedTwice > operations / 5, "many were judged without versions: " + judgedTwice);
    // Removals write the same value again and again, so that more orders have to be tried.
    assertTrue(undecided <= SEEDS / 500, "few were given up: " + undecided);
  }

  /**
   * Only those who served last are waited for, though another process has the view as well; and
   * whoever comes back to a place is the process that was there last, though no view knows it yet.
   */
  @ParameterizedTest
  @ValueSource(longs = {2_020_179, 3_019_543})
  void memoryGoesOnAfterChangesThatMeet(long seed) {
    assertEquals(List.of(), KiteRun.of(seed, 9, KiteRule.all(), equipment).violations());
  }

  /**
   * The others take so many coincidences that DelinquencyScenarioTest, ViewScenarioTest and
   * PurgeScenarioTest bring them about.
   */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "RESET_BY_ACQUIRE_ID",
        "EPOCH_AT_START",
        "DELINQUENCY_IN_EVERY_ROUND",
        "COUNT_ANEW",
        "VIEW_FIRST",
        "SILENT_UNTIL_CAUGHT_UP",
        "STATE_OF_SERVING",
        "SINCE_PURGE"
      })
  void aBrokenRuleIsFound(KiteRule broken) {
    Set<KiteRule> rules = KiteRule.without(broken);
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      try {
        if (!KiteRun.of(seed, NODES_MAX, rules, equipment).violations().isEmpty()) {
          System.out.println(broken + " is found by seed " + seed);
          return;
        }
      } catch (IllegalStateException e) {
        System.out.println(broken + " is found by seed " + seed + ": " + e.getMessage());
        return;
      }
    }
    throw new AssertionError("Nothing was found without " + broken);
  }

  /** What callers see is enough to find these: no node has to tell its versions. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {
        "SECOND_ROUND",
        "FRESH_CLOCK",
        "APPLY_BEFORE_ACK",
        "HELP",
        "COMMIT_TO_MAJORITY",
        "NEW_CLOCK"
      })
  void aBrokenRuleIsFoundWithoutVersions(KiteRule broken) {
    KiteSwarm swarm = new KiteSwarm(NODES_MAX, KiteRule.without(broken));
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      List<String> found = swarm.run(seed).notLinearizable();
      if (!found.isEmpty()) {
        System.out.println(broken + " is found by seed " + seed + ": " + found);
        return;
      }
    }
    throw new AssertionError("Nothing was found without " + broken);
  }
}
