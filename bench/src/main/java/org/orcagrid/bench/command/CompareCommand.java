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

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.orcagrid.bench.compare.CompareExperiment;
import org.orcagrid.bench.compare.ComparePages;
import org.orcagrid.bench.compare.ComparePlan;
import org.orcagrid.bench.compare.CompareResult;
import org.orcagrid.bench.compare.DurablePages;
import org.orcagrid.bench.compare.Product;
import org.orcagrid.bench.compare.RedisServers;
import org.orcagrid.bench.compare.Rival;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MachineProbe;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.examples.ensemble.Folders;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca compare}: Orca Grid beside other data grids. */
@Command(
    name = "compare",
    description = {
      "Measure Orca Grid beside Hazelcast, Infinispan and Redis with replicas.",
      "Each has three processes on loopback, loaded from within by turns. The first run downloads"
          + " Hazelcast and Infinispan from Maven Central; Redis is the machine's own redis-server,"
          + " and left out without one."
    })
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--contenders",
      split = ",",
      description =
          "Who takes part: orca, orca-linearizable, hazelcast, hazelcast-backup-reads,"
              + " infinispan-sync, infinispan-async, redis; default all. With --durable:"
              + " causal-synchronous, causal-strict, linearizable-synchronous, causal-eventual,"
              + " linearizable-eventual, hazelcast-store, infinispan-sync-forced,"
              + " infinispan-sync-written, infinispan-async-forced. With either, when named:"
              + " linearizable-none, release-none, release-keys, keys-linearizable, shared-keys,"
              + " shared-keys-linearizable, which are in memory only.")
  private List<String> contenders;

  @Option(
      names = "--durable",
      description =
          "Compare what survives a crash: maps with forced logs beside products with their"
              + " persistence on.")
  private boolean durable;

  @Option(names = "--quick", description = "Two short rounds, whose figures are rough.")
  private boolean quick;

  @Option(
      names = "--writes",
      split = ",",
      defaultValue = "5,50",
      description = "Shares of writes in percent; default ${DEFAULT-VALUE}.")
  private List<Double> writes;

  @Option(
      names = "--depth",
      defaultValue = "256",
      description = "Operations under way in each process; default ${DEFAULT-VALUE}.")
  private int depth;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Threads of each process that make load; default ${DEFAULT-VALUE}.")
  private int threads;

  @Option(names = "--keys", defaultValue = "100000", description = "Default ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--value-bytes",
      defaultValue = "32",
      description = "Bytes of a value; default ${DEFAULT-VALUE}.")
  private int valueBytes;

  @Option(names = "--rounds", description = "Rounds that are measured; default 7, with --quick 2.")
  private Integer rounds;

  @Option(
      names = "--warm-up",
      description = "Rounds before that, for the compilers; default 3, with --quick 1.")
  private Integer warmUpRounds;

  @Option(
      names = "--seconds",
      description = "How long each turn is measured; default 2, with --quick 1.")
  private Double seconds;

  @Option(
      names = "--out",
      defaultValue = "results",
      description =
          "Files go into the folder compare below this one, or compare-durable; default"
              + " ${DEFAULT-VALUE}.")
  private Path out;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    Progress progress = Progress.of(console);
    try {
      ComparePlan plan = withWhatIsInstalled(plan(), progress);
      ResultFolder folder = new ResultFolder(out.resolve(durable ? "compare-durable" : "compare"));
      Machine machine = MachineProbe.describe(folder.serverData());
      CompareResult result;
      try {
        result = CompareExperiment.run(plan, folder.serverData(), progress::say);
      } finally {
        Folders.delete(folder.serverData());
      }
      String page =
          durable ? DurablePages.page(result, machine) : ComparePages.page(result, machine);
      folder.write("README.md", page + "\n" + howTo() + "\n![The chart](chart.svg)\n");
      folder.write("data.csv", ComparePages.csv(result));
      folder.write("chart.svg", ComparePages.chart(result, machine));
      folder.finish(page, console);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private ComparePlan plan() {
    List<Rival> rivals =
        contenders == null
            ? Rival.usual(durable)
            : contenders.stream().map(this::rival).distinct().toList();
    try {
      return new ComparePlan(
          rivals,
          writes,
          new LoadSettings.Data(keys, valueBytes),
          new LoadSettings.Pressure(depth, threads),
          time());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ComparePlan.Time time() {
    return new ComparePlan.Time(
        rounds != null ? rounds : quick ? 2 : 7,
        warmUpRounds != null ? warmUpRounds : quick ? 1 : 3,
        seconds != null ? seconds : quick ? 1 : 2);
  }

  private Rival rival(String id) {
    return Rival.all(durable).stream()
        .filter(rival -> rival.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "There is no contender '"
                        + id
                        + "'; choose from "
                        + Rival.all(durable).stream()
                            .map(Rival::id)
                            .collect(Collectors.joining(", "))
                        + "."));
  }

  private static ComparePlan withWhatIsInstalled(ComparePlan plan, Progress progress)
      throws CommandFailure {
    if (!plan.products().contains(Product.REDIS) || RedisServers.program().isPresent()) {
      return plan;
    }
    if (plan.products().size() == 1) {
      throw new CommandFailure(RedisServers.HOW_TO_INSTALL);
    }
    progress.say(RedisServers.HOW_TO_INSTALL);
    return plan.without(Product.REDIS);
  }

  private String howTo() {
    return "## How to measure it again\n\n    orca "
        + String.join(" ", spec.commandLine().getParent().getParseResult().originalArgs())
        + "\n";
  }
}
