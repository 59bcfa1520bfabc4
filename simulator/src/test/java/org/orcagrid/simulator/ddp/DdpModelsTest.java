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

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/** Each model keeps what it promises, whoever crashes and whatever the network does. */
class DdpModelsTest {
  private static final int SEEDS = Integer.getInteger("seeds", 60);
  private static final int SEEDS_OF_LOST_DISKS = SEEDS / 2;

  /** What a model does not promise is missed within so many. */
  private static final int SEEDS_OF_THE_WEAKEST = 600;

  private static final int SEEDS_OF_MEMORY = 300;

  static List<Ddp> models() {
    return Ddp.all();
  }

  static List<Ddp> modelsThatPersistEverywhere() {
    return models().stream().filter(Promise.COMPLETED_SURVIVES::isMadeBy).toList();
  }

  private static boolean isAll(Set<Promise> missed) {
    return missed.size() == Promise.values().length;
  }

  @ParameterizedTest
  @MethodSource("models")
  void whatAModelPromisesItKeeps(Ddp model) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      DdpVerdict verdict = DdpRun.of(seed, model, ReplicaRule.all());
      assertEquals(List.of(), verdict.broken(), "seed " + seed);
      verdict.missed().forEach((promise, example) -> assertTrue(!promise.isMadeBy(model), example));
    }
  }

  @ParameterizedTest
  @MethodSource("modelsThatPersistEverywhere")
  void whatIsDurableEverywhereSurvivesALostDisk(Ddp model) {
    for (long seed = 1; seed <= SEEDS_OF_LOST_DISKS; seed++) {
      DdpVerdict verdict = DdpRun.withLostDisk(seed, model, ReplicaRule.all());
      assertEquals(
          null, verdict.missed().get(Promise.COMPLETED_SURVIVES), "seed " + seed + " " + model);
    }
  }

  @Test
  void theWeakestModelKeepsNothingAndTheRunsShowIt() {
    Ddp weakest = Ddp.of(Consistency.EVENTUAL, Persistency.EVENTUAL);
    Set<Promise> missed = EnumSet.noneOf(Promise.class);
    for (long seed = 1; seed <= SEEDS_OF_THE_WEAKEST && !isAll(missed); seed++) {
      missed.addAll(DdpRun.of(seed, weakest, ReplicaRule.all()).missed().keySet());
    }
    assertEquals(EnumSet.allOf(Promise.class), missed);
  }

  /**
   * Where nothing is durable, the loss of all is the loss of everything, and is met in the runs.
   */
  @Test
  void memoryOnlyPromisesNothingAndTheRunsShowIt() {
    Ddp best = Ddp.of(Consistency.LINEARIZABLE, Persistency.NONE);
    Set<Promise> missed = EnumSet.noneOf(Promise.class);
    for (long seed = 1; seed <= SEEDS_OF_MEMORY && !isAll(missed); seed++) {
      missed.addAll(DdpRun.of(seed, best, ReplicaRule.all()).missed().keySet());
    }
    assertEquals(EnumSet.allOf(Promise.class), missed);
  }

  /**
   * A newcomer goes on over three views. What a node has left in one life without its history stood
   * there before what it told in its next one, and was given up only afterwards.
   */
  @Test
  void whatIsGivenUpDoesNotStandBeforeANodesNextLife() {
    Ddp model = Ddp.of(Consistency.CAUSAL, Persistency.EVENTUAL);
    assertEquals(List.of(), DdpRun.of(16_145, model, ReplicaRule.all()).broken());
  }

  /** It comes again when its history counts as delivered, with the next life of a node in that. */
  @Test
  void whatIsGivenUpStaysSo() {
    Ddp model = Ddp.of(Consistency.CAUSAL, Persistency.NONE);
    assertEquals(List.of(), DdpRun.of(704, model, ReplicaRule.all()).broken());
  }

  @Test
  void aSeedIsTheSameRunEachTime() {
    Ddp model = Ddp.of(Consistency.CAUSAL, Persistency.SYNCHRONOUS);
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    DdpRun.explain(7, model, ReplicaRule.all(), line -> first.append(line).append('\n'));
    DdpRun.explain(7, model, ReplicaRule.all(), line -> second.append(line).append('\n'));
    assertTrue(first.length() > 0);
    assertEquals(first.toString(), second.toString());
  }
}
