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
package org.orcagrid.bench.command;

import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.orcagrid.bench.reproduce.DdpTable4;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.simulator.ddp.DdpRun;
import org.orcagrid.simulator.ddp.DdpVerdict;

/** Runs one model of visibility and durability over seeds, and tells the one that fails. */
final class ModelSimulation {
  private static final int SEEDS_BETWEEN_UPDATES = 100;

  private final Ddp model;
  private final ReplicaRule broken;
  private final PrintWriter console;
  private final Map<Promise, TreeSet<Long>> missed = new EnumMap<>(Promise.class);
  private long operations;
  private long aborted;

  /**
   * Makes one.
   *
   * @param broken the rule to break on purpose, or null
   */
  ModelSimulation(Ddp model, ReplicaRule broken, PrintWriter console) {
    this.model = model;
    this.broken = broken;
    this.console = console;
  }

  private Set<ReplicaRule> rules() {
    return broken == null ? ReplicaRule.all() : ReplicaRule.allBut(broken);
  }

  /**
   * Runs the seeds.
   *
   * @param traced whether to tell all that happens
   * @throws CommandFailure if one does what the model must not
   */
  void run(long first, long seeds, boolean traced) throws CommandFailure {
    Progress progress = Progress.of(console);
    long begin = System.nanoTime();
    for (long seed = first; seed < first + seeds; seed++) {
      Consumer<String> trace = traced ? console::println : null;
      DdpVerdict verdict = DdpRun.explain(seed, model, rules(), trace);
      boolean fails = fails(verdict);
      if (fails && !traced) {
        DdpRun.explain(seed, model, rules(), console::println);
      }
      if (fails || traced) {
        verdict.broken().forEach(console::println);
        verdict
            .missed()
            .forEach((promise, example) -> console.println(promise.otherwise() + ": " + example));
      }
      if (fails) {
        throw failure(seed);
      }
      operations += verdict.operations();
      aborted += verdict.aborted();
      for (Promise promise : verdict.missed().keySet()) {
        missed.computeIfAbsent(promise, any -> new TreeSet<>()).add(seed);
      }
      if ((seed - first) % SEEDS_BETWEEN_UPDATES == 0) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        progress.update("seed " + seed, (seed - first) / (double) seeds, operations / seconds);
      }
    }
    summarize(seeds, progress);
  }

  /** Whether it has done what no model may, or what this one has promised not to. */
  private boolean fails(DdpVerdict verdict) {
    return verdict.isAgainst(model);
  }

  private CommandFailure failure(long seed) {
    return new CommandFailure(
        "Seed "
            + seed
            + " does what "
            + model
            + " must not; it is told again by '"
            + DdpTable4.replay(model, seed)
            + (broken == null ? "" : " --without " + broken)
            + "'");
  }

  private void summarize(long seeds, Progress progress) {
    progress.say(
        seeds
            + " seeds, "
            + operations
            + " operations, "
            + aborted
            + " aborted by others: "
            + model
            + " has kept what it promises.");
    missed.forEach(
        (promise, which) ->
            progress.say(
                "Not promised: "
                    + promise.otherwise()
                    + ", in "
                    + which.size()
                    + " seeds, first in "
                    + which.first()
                    + "."));
  }
}
