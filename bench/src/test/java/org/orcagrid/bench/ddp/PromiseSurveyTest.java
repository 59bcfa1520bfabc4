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
package org.orcagrid.bench.ddp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.reproduce.DdpTable4;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Level;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.simulator.ddp.DdpRun;

class PromiseSurveyTest {
  private static final Ddp CAUSAL = Ddp.parse("causal/synchronous");
  private static final Ddp STRICT = Ddp.parse("linearizable/strict");
  private static final long SEEDS = 600;

  private static ModelSurvey survey(Ddp model, Map<Promise, Finding> missed, Finding broken) {
    return new ModelSurvey(model, SEEDS, 10, missed, Optional.ofNullable(broken));
  }

  @Test
  void saysWhatOneSeedAfterTheOtherWouldHaveSaid() throws InterruptedException {
    List<ModelSurvey> soFar = new ArrayList<>();
    ModelSurvey survey = PromiseSurvey.run(List.of(CAUSAL), SEEDS, soFar::add).get(0);

    List<Long> stale =
        LongStream.rangeClosed(1, SEEDS)
            .filter(
                seed ->
                    DdpRun.of(seed, CAUSAL, ReplicaRule.all())
                        .missed()
                        .containsKey(Promise.NON_STALE_READS))
            .boxed()
            .toList();
    Finding finding = survey.missed().get(Promise.NON_STALE_READS);
    assertEquals(stale.size(), finding.seeds());
    assertEquals(stale.get(0), finding.firstSeed());
    assertEquals(List.of(250L, 500L, SEEDS), soFar.stream().map(ModelSurvey::seeds).toList());
    assertEquals(survey, soFar.get(2));
  }

  @Test
  void aPromiseThatNobodyHasMissedAndNobodyMakesIsOpen() {
    ModelSurvey survey =
        survey(CAUSAL, Map.of(Promise.NON_STALE_READS, new Finding(3, 7, "x")), null);
    assertEquals(Set.of(Promise.READ_SURVIVES, Promise.MONOTONIC_READS), survey.kept());
    assertEquals(Set.of(), survey.failed());
    assertEquals(Set.of(Promise.COMPLETED_SURVIVES, Promise.MONOTONIC_FOR_ALL), survey.open());
    assertEquals(Level.MEDIUM, survey.durability());
  }

  @Test
  void whatIsPromisedAndNotKeptIsAFailureThatCanBeSeenAgain() {
    ModelSurvey lost =
        survey(STRICT, Map.of(Promise.COMPLETED_SURVIVES, new Finding(2, 8, "gone\nmore")), null);
    ModelSurvey broken = survey(CAUSAL, Map.of(), new Finding(1, 9, "the nodes differ"));
    assertEquals(Set.of(Promise.COMPLETED_SURVIVES), lost.failed());
    assertEquals(Level.MEDIUM, lost.durability());

    List<String> failures = new DdpTable4().failures(List.of(lost, broken));
    assertEquals(
        List.of(
            "linearizable/strict does not keep that what has completed survives; seeds: 2, the"
                + " first 8 (gone); 'orca simulate --model linearizable/strict --first 8 --seeds 1"
                + " --trace' tells it.",
            "causal/synchronous does what no model may; seeds: 1, the first 9 (the nodes differ);"
                + " 'orca simulate --model causal/synchronous --first 9 --seeds 1 --trace' tells"
                + " it."),
        failures);
    String page = new DdpTable4().page(List.of(lost, broken));
    assertTrue(page.contains("## Failures"), page);
  }

  @Test
  void aRowBelowThePapersIsWeaker() {
    ModelSurvey lost =
        survey(CAUSAL, Map.of(Promise.MONOTONIC_READS, new Finding(2, 8, "back")), null);
    String page = new DdpTable4().page(List.of(lost));
    assertTrue(page.contains(" WEAKER |"), page);
    assertTrue(page.contains("✘ 2 (8)"), page);
  }
}
