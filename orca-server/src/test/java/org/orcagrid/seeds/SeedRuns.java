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
package org.orcagrid.seeds;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.orcagrid.cad.cluster.EnsembleRuns;
import org.orcagrid.ddp.kite.KiteRule;
import org.orcagrid.ddp.membership.MembershipRule;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.zone.ZoneRule;
import org.orcagrid.simulator.ddp.DdpRun;
import org.orcagrid.simulator.ddp.DdpVerdict;
import org.orcagrid.simulator.kite.KiteSwarm;
import org.orcagrid.simulator.membership.MembershipRun;

/** All kinds of simulated runs that there are, with their shares. For one thread. */
final class SeedRuns {
  private static final int KITE_NODES_MAX = 9;

  /** The models that gain by writing into each other's memory. */
  private static final List<String> ZONED =
      List.of(
          "linearizable/strict",
          "linearizable/synchronous",
          "read-enforced/strict",
          "read-enforced/synchronous",
          "causal/strict");

  private SeedRuns() {}

  static List<SeedRun> all() {
    List<SeedRun> runs = new ArrayList<>();
    runs.add(kite());
    runs.add(
        new SeedRun(
            "membership",
            100,
            (seed, trace) ->
                MembershipRun.of(seed, MembershipRule.all(), trace)
                    .map(List::of)
                    .orElse(List.of())));
    runs.add(new SeedRun("active-set", 60, (seed, trace) -> EnsembleRuns.activeSet(seed)));
    runs.add(
        new SeedRun("reconfiguration", 60, (seed, trace) -> EnsembleRuns.reconfiguration(seed)));
    runs.add(new SeedRun("write-replies", 60, (seed, trace) -> EnsembleRuns.writeReplies(seed)));
    Ddp.all().forEach(model -> addModel(model, runs));
    return runs;
  }

  private static SeedRun kite() {
    KiteSwarm swarm = new KiteSwarm(KITE_NODES_MAX, KiteRule.all());
    return new SeedRun(
        "kite",
        200,
        (seed, trace) -> trace == null ? swarm.run(seed).violations() : swarm.explain(seed, trace));
  }

  private static void addModel(Ddp model, List<SeedRun> runs) {
    Set<ReplicaRule> rules = ReplicaRule.all();
    runs.add(
        new SeedRun(
            model.id(),
            8,
            (seed, trace) -> wrong(model, DdpRun.explain(seed, model, rules, trace))));
    runs.add(
        new SeedRun(
            model.id() + "+scans",
            5,
            (seed, trace) -> wrong(model, DdpRun.withScans(seed, model, rules, trace))));
    if (Promise.COMPLETED_SURVIVES.isMadeBy(model)) {
      runs.add(
          new SeedRun(
              model.id() + "+lost-disk",
              4,
              (seed, trace) -> lost(DdpRun.withLostDisk(seed, model, rules))));
    }
    if (ZONED.contains(model.id())) {
      runs.add(
          new SeedRun(
              model.id() + "+zones",
              8,
              (seed, trace) -> wrong(model, zones(seed, model, false, trace))));
    }
    if (ZONED.contains(model.id()) && Promise.COMPLETED_SURVIVES.isMadeBy(model)) {
      runs.add(
          new SeedRun(
              model.id() + "+zones+lost-disk",
              4,
              (seed, trace) -> lost(zones(seed, model, true, trace))));
    }
  }

  private static DdpVerdict zones(long seed, Ddp model, boolean losesDisk, Consumer<String> trace) {
    return DdpRun.withZones(seed, model, ReplicaRule.all(), ZoneRule.all(), losesDisk, trace);
  }

  private static List<String> wrong(Ddp model, DdpVerdict verdict) {
    List<String> wrong = new ArrayList<>(verdict.broken());
    verdict
        .missed()
        .forEach(
            (promise, example) -> {
              if (promise.isMadeBy(model)) {
                wrong.add(promise.otherwise() + ": " + example);
              }
            });
    return wrong;
  }

  /** With a disk gone, what was read may be gone, too; what has completed is elsewhere. */
  private static List<String> lost(DdpVerdict verdict) {
    String example = verdict.missed().get(Promise.COMPLETED_SURVIVES);
    return example == null ? List.of() : List.of(Promise.COMPLETED_SURVIVES.otherwise() + example);
  }
}
