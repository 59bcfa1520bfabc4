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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation.Kind;
import org.orcagrid.ddp.replica.consistency.Operation.Status;
import org.orcagrid.ddp.replica.state.ReplicaRule;

class DdpBatchesTest {
  private static final int SEEDS = Integer.getInteger("seeds", 100);
  private static final int SEEDS_MAX = 6000;

  static List<Ddp> causalModels() {
    return Ddp.all().stream().filter(each -> each.consistency() == Consistency.CAUSAL).toList();
  }

  @ParameterizedTest
  @MethodSource("causalModels")
  void aBatchIsSeenWholeAndLosesNoUpdateOfItsNode(Ddp model) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      DdpVerdict verdict = DdpRun.withBatches(seed, model, ReplicaRule.all(), null);
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

  @ParameterizedTest
  @CsvSource({
    "BATCH_IS_ONE_UPDATE, causal/eventual",
    "BATCH_IS_ONE_UPDATE, causal/synchronous",
    "EXPECTATION_WAITS, causal/synchronous",
    "EXPECTATION_WAITS, causal/strict",
    "BATCH_KEPT_TOGETHER, causal/synchronous",
    "SCAN_HAS_ONE_MOMENT, causal/read-enforced",
    "HISTORY_FIRST, causal/read-enforced",
    "OWN_WRITES, causal/synchronous"
  })
  void aBrokenRuleIsSeen(ReplicaRule broken, String model) {
    Set<ReplicaRule> rules = ReplicaRule.allBut(broken);
    Ddp of = Ddp.parse(model);
    for (long seed = 1; seed <= SEEDS_MAX; seed++) {
      DdpVerdict verdict = DdpRun.withBatches(seed, of, rules, null);
      if (verdict.isAgainst(of)) {
        return;
      }
    }
    fail("Nobody misses " + broken + " in " + model);
  }

  // --- histories that must fail ------------------------------------------------------------------

  private final List<DdpEvent> history = new ArrayList<>();
  private long now;

  private void add(Kind kind, int key, long clock, int unit) {
    history.add(
        new DdpEvent(
            1,
            kind,
            key,
            clock,
            unit,
            -1,
            ++now,
            ++now,
            Status.DONE,
            new DdpEvent.Values(clock, 0, 0, 0),
            1));
  }

  private static BatchEvent wrote(long clock, int... keys) {
    Set<Integer> written = new HashSet<>();
    for (int key : keys) {
      written.add(key);
    }
    return new BatchEvent(clock, written, Map.of(), true, Map.of(), Map.of(), Set.of());
  }

  private List<String> judge(BatchEvent batch, List<Map<Integer, Long>> states) {
    return new Batches(List.of(batch)).judge(history, states);
  }

  @Test
  void whoSeesAPartOfABatchMustSeeAllOfIt() {
    add(Kind.READ, 0, 10, 1);
    add(Kind.READ, 1, 12, 1);
    assertEquals(List.of(), judge(wrote(10, 0, 1), List.of()));
    add(Kind.READ, 0, 10, 2);
    add(Kind.READ, 1, 9, 2);
    assertFalse(judge(wrote(10, 0, 1), List.of()).isEmpty());
    assertEquals(List.of(), judge(wrote(10, 0, 2), List.of()), "key 2 was not looked at");
  }

  @Test
  void aPartOfABatchMustNotBeThereInTheEnd() {
    assertEquals(
        List.of(), judge(wrote(10, 0, 1), List.of(Map.of(0, 10L, 1, 11L), Map.of(0, 3L, 1, 4L))));
    assertFalse(judge(wrote(10, 0, 1), List.of(Map.of(0, 10L, 1, 9L))).isEmpty());
  }

  @Test
  void whatHasHeldMustBeWhatWasFound() {
    Set<Integer> one = Set.of(0);
    Map<Integer, Long> found = Map.of(0, 7L);
    assertEquals(
        List.of(),
        judge(new BatchEvent(9, one, Map.of(0, 7L), true, found, found, one), List.of()));
    assertFalse(
        judge(new BatchEvent(9, one, Map.of(0, 6L), true, found, found, one), List.of()).isEmpty());
    assertFalse(
        judge(new BatchEvent(0, one, Map.of(0, 7L), false, found, found, one), List.of())
            .isEmpty());
    assertFalse(
        judge(new BatchEvent(9, one, Map.of(0, 0L), true, found, found, one), List.of()).isEmpty());
    assertEquals(
        List.of(),
        judge(new BatchEvent(9, one, Map.of(0, 0L), true, found, found, Set.of()), List.of()),
        "a removal is no value");
    assertFalse(
        judge(new BatchEvent(9, one, Map.of(0, 6L), false, found, found, one), List.of()).isEmpty(),
        "it has written");
  }

  @Test
  void noWriteOfTheSameNodeMustComeInto() {
    Set<Integer> one = Set.of(0);
    long step = 1L << 20;
    Map<Integer, Long> found = Map.of(0, 5 * step);
    BatchEvent batch = new BatchEvent(9 * step, one, found, true, found, found, one);
    add(Kind.WRITE, 0, 5 * step, -1);
    add(Kind.WRITE, 0, 7 * step + 1, -1);
    add(Kind.WRITE, 1, 7 * step, -1);
    assertEquals(List.of(), judge(batch, List.of()), "another node writes without asking");
    add(Kind.WRITE, 0, 7 * step, -1);
    assertFalse(judge(batch, List.of()).isEmpty());
  }
}
