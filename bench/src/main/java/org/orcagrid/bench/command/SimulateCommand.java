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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.ddp.kite.KiteRule;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.mixed.run.RunRule;
import org.orcagrid.mixed.store.geo.GeoStoreRule;
import org.orcagrid.mixed.track.TrackRule;
import org.orcagrid.simulator.kite.KiteRun;
import org.orcagrid.simulator.kite.KiteSwarm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca simulate}: Kite's protocols, or a model's, under random schedules of faults. */
@Command(
    name = "simulate",
    description = {
      "Run the grid's protocols in the simulator under random faults and judge every history.",
      "Messages are lost, doubled and late, links are cut, and nodes sleep or end.",
      "A seed that fails is told message by message; one of Kite's is made small first.",
      "With --model, nodes lose power as well, one by one and all at once.",
      "With --mixed, transactions run over stores of different consistency."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final int SEEDS_BETWEEN_UPDATES = 100;
  private static final int NODES_MAX = 9;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seeds",
      defaultValue = "10000",
      description = "How many; default ${DEFAULT-VALUE}.")
  private long seeds;

  @Option(
      names = "--first",
      defaultValue = "1",
      description = "The first seed; default ${DEFAULT-VALUE}.")
  private long first;

  @Option(names = "--nodes", description = "Nodes at most, 3 to 9; default 9. Not with --model.")
  private Integer nodes;

  @Option(
      names = "--model",
      description =
          "Run this model of visibility and durability, as in causal/synchronous, not Kite's"
              + " protocols; 'orca models' shows which there are.")
  private String model;

  @Option(
      names = "--mixed",
      description =
          "Run transactions over two linearizable stores, two causal ones and one of sessions, not"
              + " Kite's protocols.")
  private boolean mixed;

  @Option(
      names = "--trace",
      description = "With --model: tell all that happens, whether a seed fails or not.")
  private boolean trace;

  @Option(
      names = "--without",
      description =
          "Break one rule on purpose and see it found; a name that there is not lists the names.")
  private String without;

  @Override
  public Integer call() throws CommandFailure {
    PrintWriter console = spec.commandLine().getOut();
    if (model != null && mixed) {
      throw new ParameterException(
          spec.commandLine(), "A run is of one kind; leave --model or --mixed out.");
    }
    if (model != null) {
      modelSimulation(console).run(first, seeds, trace);
      return 0;
    }
    if (mixed) {
      mixedSimulation(console).run(first, seeds);
      return 0;
    }
    if (trace) {
      throw new ParameterException(spec.commandLine(), "--trace needs a --model.");
    }
    simulateKite(console);
    return 0;
  }

  private MixedSimulation mixedSimulation(PrintWriter console) {
    if (nodes != null || trace) {
      throw new ParameterException(
          spec.commandLine(),
          "--mixed goes neither with --nodes nor with --trace; leave them out.");
    }
    Enum<?> broken = rule(List.of(RunRule.values(), TrackRule.values(), GeoStoreRule.values()));
    return new MixedSimulation(
        broken instanceof RunRule rule ? RunRule.without(rule) : RunRule.all(),
        broken instanceof TrackRule rule ? TrackRule.without(rule) : TrackRule.all(),
        broken instanceof GeoStoreRule rule ? GeoStoreRule.without(rule) : GeoStoreRule.all(),
        console);
  }

  private ModelSimulation modelSimulation(PrintWriter console) {
    if (nodes != null) {
      throw new ParameterException(
          spec.commandLine(), "A seed says how many nodes a model has; leave --nodes out.");
    }
    try {
      return new ModelSimulation(Ddp.parse(model), rule(ReplicaRule.class), console);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** The rule to break, or null. */
  private <R extends Enum<R>> R rule(Class<R> rules) {
    return rule(List.<R[]>of(rules.getEnumConstants()));
  }

  private <R extends Enum<?>> R rule(List<? extends R[]> kinds) {
    if (without == null) {
      return null;
    }
    List<R> rules = kinds.stream().<R>flatMap(Arrays::stream).toList();
    for (R rule : rules) {
      if (rule.name().equals(without)) {
        return rule;
      }
    }
    throw new ParameterException(
        spec.commandLine(),
        "There is no rule '"
            + without
            + "' to break; choose from "
            + rules.stream().map(Enum::name).collect(Collectors.joining(", "))
            + ".");
  }

  private void simulateKite(PrintWriter console) throws CommandFailure {
    int nodesMax = nodes != null ? nodes : NODES_MAX;
    KiteRule broken = rule(KiteRule.class);
    KiteSwarm swarm = swarm(nodesMax, broken);
    Progress progress = Progress.of(console);
    long begin = System.nanoTime();
    long operations = 0;
    long judgedTwice = 0;
    long slow = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      KiteRun.Result result = swarm.run(seed);
      if (!result.violations().isEmpty()) {
        swarm.explain(seed, console::println).forEach(console::println);
        throw new CommandFailure(
            "Seed "
                + seed
                + " is not release consistent; above its smallest run that fails, told again by"
                + " --first "
                + seed
                + " --seeds 1 --nodes "
                + nodesMax
                + (broken == null ? "" : " --without " + broken));
      }
      operations += result.operations();
      judgedTwice += result.judgedTwice();
      slow += result.epochs();
      if ((seed - first) % SEEDS_BETWEEN_UPDATES == 0) {
        double seconds = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
        progress.update("seed " + seed, (seed - first) / (double) seeds, operations / seconds);
      }
    }
    progress.say(
        seeds
            + " seeds, "
            + operations
            + " operations, "
            + slow
            + " times to the slow path: every history is release consistent; "
            + judgedTwice
            + " operations were judged without the nodes' versions as well.");
  }

  private KiteSwarm swarm(int nodesMax, KiteRule broken) {
    try {
      return new KiteSwarm(nodesMax, broken == null ? KiteRule.all() : KiteRule.without(broken));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage() + "; change --nodes.", e);
    }
  }
}
