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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.ddp.kite.Rule;
import org.orcagrid.simulator.kite.KiteRun;
import org.orcagrid.simulator.kite.KiteSwarm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca simulate}: Kite's protocols under random schedules of faults. */
@Command(
    name = "simulate",
    description = {
      "Run the grid's protocols in the simulator, under random schedules of lost, doubled and late",
      "messages, cut links, and nodes that sleep or end, and judge every history.",
      "A seed that fails is made small and told message by message."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final int SEEDS_BETWEEN_UPDATES = 100;

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

  @Option(
      names = "--nodes",
      defaultValue = "9",
      description = "Nodes at most, 3 to 9; default ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--without",
      description = "Break one rule on purpose and see it found: ${COMPLETION-CANDIDATES}.")
  private Rule broken;

  @Override
  public Integer call() throws CommandFailure {
    PrintWriter console = spec.commandLine().getOut();
    KiteSwarm swarm = swarm();
    Progress progress = Progress.onStandardOutput(console);
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
                + nodes
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
    return 0;
  }

  private KiteSwarm swarm() {
    try {
      return new KiteSwarm(nodes, broken == null ? Rule.all() : Rule.without(broken));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage() + "; change --nodes.", e);
    }
  }
}
