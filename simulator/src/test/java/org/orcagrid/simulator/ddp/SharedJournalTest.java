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
package org.orcagrid.simulator.ddp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/** Maps of different models keep what they promise on one journal, whose power is cut. */
class SharedJournalTest {
  private static final int SEEDS = 600;
  private static final int SEEDS_MAX = 3000;

  /** Each model comes together with every other one, some time. */
  private static List<Ddp> models(long seed) {
    List<Ddp> all = Ddp.all();
    int count = all.size();
    int first = (int) (seed % count);
    int apart = 1 + (int) (seed / count % (count - 1));
    return List.of(
        all.get(first), all.get((first + apart) % count), all.get((first + 2 * apart) % count));
  }

  private static boolean isFoundOut(Ddp model, DdpVerdict verdict) {
    return verdict.isAgainst(model);
  }

  private static boolean isFoundOut(long seed, List<Ddp> models, Set<ReplicaRule> rules) {
    List<DdpVerdict> verdicts = DdpRun.ofMaps(seed, models, rules, null);
    for (int map = 0; map < verdicts.size(); map++) {
      if (isFoundOut(models.get(map), verdicts.get(map))) {
        return true;
      }
    }
    return false;
  }

  @Test
  void eachMapKeepsWhatItsModelPromises() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<Ddp> models = models(seed);
      List<DdpVerdict> verdicts = DdpRun.ofMaps(seed, models, ReplicaRule.all(), null);
      for (int map = 0; map < verdicts.size(); map++) {
        Ddp model = models.get(map);
        String where = "seed " + seed + ", " + model + " of " + models;
        assertEquals(List.of(), verdicts.get(map).broken(), where);
        verdicts
            .get(map)
            .missed()
            .forEach(
                (promise, example) -> assertTrue(!promise.isMadeBy(model), where + ": " + example));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TRIM_SPARES_OTHERS", "TRIM_WHEN_DURABLE", "CHECKPOINT_HAS_OPEN"})
  void aBrokenRuleIsSeen(ReplicaRule broken) {
    Ddp safe = Ddp.parse("linearizable/synchronous");
    List<Ddp> models = List.of(safe, Ddp.parse("transactional/synchronous"), safe);
    for (long seed = 1; seed <= SEEDS_MAX; seed++) {
      if (isFoundOut(seed, models, ReplicaRule.allBut(broken))) {
        return;
      }
    }
    fail("Nobody misses " + broken);
  }
}
