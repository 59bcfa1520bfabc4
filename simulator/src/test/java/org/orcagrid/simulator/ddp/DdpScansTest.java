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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/**
 * A read of all keys shows what reads of each would, and a listener is told what a read could show
 * then: both are judged as such. {@code -Dseeds=10000} for so many of each model.
 */
class DdpScansTest {
  private static final int SEEDS = Integer.getInteger("seeds", 40);
  private static final int SEEDS_MAX = 6000;

  static List<Ddp> models() {
    return Ddp.all();
  }

  @ParameterizedTest
  @MethodSource("models")
  void aReadOfAllKeysPromisesWhatAReadDoes(Ddp model) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      DdpVerdict verdict = DdpRun.withScans(seed, model, ReplicaRule.all(), null);
      long of = seed;
      assertEquals(List.of(), verdict.broken(), () -> "seed " + of);
      verdict
          .missed()
          .forEach(
              (promise, example) ->
                  assertTrue(
                      !promise.isMadeBy(model), () -> "seed " + of + " " + promise + example));
    }
  }

  /** It came while the node did not serve, and had a successor when it served again. */
  @Test
  void ofAVersionThatNoReadCouldShowNobodyIsTold() {
    Ddp model = Ddp.parse("eventual/strict");
    DdpVerdict verdict = DdpRun.withScans(123, model, ReplicaRule.all(), null);
    verdict.missed().forEach((promise, example) -> assertTrue(!promise.isMadeBy(model), example));
  }

  /** Two reads of all keys saw two transactions in opposite order once. */
  @ParameterizedTest
  @CsvSource({
    "transactional/strict, 10",
    "transactional/strict, 6071",
    "transactional/strict, 14963",
    "transactional/strict, 36320",
    "transactional/synchronous, 7",
    "transactional/synchronous, 21372"
  })
  void transactionsHaveOneOrder(String model, long seed) {
    DdpVerdict verdict = DdpRun.withScans(seed, Ddp.parse(model), ReplicaRule.all(), null);
    assertEquals(List.of(), verdict.broken());
  }

  /** Reads of all keys at two nodes: what each holds back the other one waits for. */
  @ParameterizedTest
  @CsvSource({"transactional/strict, 14963", "transactional/synchronous, 21372"})
  void readsOfAllKeysDoNotWaitInACircle(String model, long seed) {
    DdpVerdict verdict =
        DdpRun.withScans(
            seed, Ddp.parse(model), ReplicaRule.allBut(ReplicaRule.HELD_BACK_BY_EARLIER), null);
    assertTrue(verdict.broken().toString().contains("not everything has finished"));
  }

  @ParameterizedTest
  @CsvSource({
    "SCAN_WAITS, linearizable/eventual",
    "SCAN_WAITS, linearizable/synchronous",
    "SCAN_WAITS, read-enforced/read-enforced",
    "SCAN_WAITS, causal/read-enforced",
    "SCAN_WAITS, eventual/read-enforced",
    "SCAN_WAITS, release/read-enforced",
    "SCAN_WAITS, transactional/read-enforced",
    "SCAN_AT_QUIET_MOMENT, transactional/synchronous",
    "SCAN_AT_QUIET_MOMENT, transactional/eventual",
    "SCAN_HAS_ONE_MOMENT, causal/read-enforced",
    "SCAN_HAS_ONE_MOMENT, transactional/read-enforced",
    "OWN_WRITES, causal/synchronous",
    "ARRIVAL_FIRST, causal/eventual",
    "EVENT_WAITS_FOR_DECIDED, transactional/synchronous",
    "EVENT_WAITS_FOR_DECIDED, transactional/read-enforced",
    "READ_WAITS_FOR_VALID, linearizable/strict"
  })
  void aBrokenRuleIsSeen(ReplicaRule broken, String model) {
    Set<ReplicaRule> rules = ReplicaRule.allBut(broken);
    Ddp of = Ddp.parse(model);
    for (long seed = 1; seed <= SEEDS_MAX; seed++) {
      DdpVerdict verdict = DdpRun.withScans(seed, of, rules, null);
      if (verdict.isAgainst(of)) {
        return;
      }
    }
    fail("Nobody misses " + broken + " in " + model);
  }
}
