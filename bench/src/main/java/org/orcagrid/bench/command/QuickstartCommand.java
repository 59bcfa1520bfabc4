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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.LoadResult;
import org.orcagrid.bench.load.LoadRun;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.LatencySummary;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.SystemLauncher;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.SystemUnderTest;
import org.orcagrid.bench.system.Systems;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.StateFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca quickstart}: the idea of ORCA in under a minute. */
@Command(
    name = "quickstart",
    description = {
      "Show in under a minute what ORCA gives beside a strong and a weak ZooKeeper.",
      "Starts three servers of each on this machine, puts them under load, and stops and removes"
          + " everything again."
    })
final class QuickstartCommand implements Callable<Integer> {
  private static final double WARM_UP_SECONDS = 2;

  /** The clients' own code is still being compiled during the first run. */
  private static final double FIRST_WARM_UP_SECONDS = 4;

  @Spec private CommandSpec spec;

  @Option(names = "--clients", defaultValue = "10", description = "Default ${DEFAULT-VALUE}.")
  private int clients;

  @Option(
      names = "--seconds",
      defaultValue = "7",
      description = "Measured for each system; default ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--dir",
      description =
          "Where the servers keep their data meanwhile (default: quickstart" + StateFolder.HELP)
  private Path dir;

  /** A system and where its clients connect: where reads are answered, to spare a round trip. */
  private record Contender(SystemSpec system, ReadsFrom reads) {}

  private record Outcome(Contender contender, LoadResult result) {}

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    List<Contender> contenders =
        List.of(
            new Contender(Systems.named("orca"), ReadsFrom.LEADER),
            new Contender(Systems.named("strong-zk"), ReadsFrom.LEADER),
            new Contender(Systems.named("weak-zk"), ReadsFrom.ALL));
    Progress progress = Progress.of(console);
    List<Outcome> outcomes = new ArrayList<>();
    Path directory = dir == null ? StateFolder.of("quickstart") : dir;
    StateFolder.create(directory);
    try {
      SystemLauncher launcher = new ProcessLauncher(directory);
      for (Contender contender : contenders) {
        outcomes.add(run(contender, plan(contender, outcomes.isEmpty()), launcher, progress));
      }
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    console.println();
    console.println(table(outcomes));
    console.println(
        "Latencies in microseconds; " + clients + " clients, half reads, half updates.");
    console.println();
    contenders.forEach(contender -> console.println(contender.system().guarantee()));
    console.flush();
    return 0;
  }

  private LoadPlan plan(Contender contender, boolean first) {
    double warmUp = first ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
    try {
      return new LoadPlan(
          Workload.A,
          clients,
          LoadPlan.Pacing.closedLoop(),
          contender.reads(),
          new LoadPlan.Time(warmUp, seconds),
          new LoadPlan.Data(1_000, 100),
          1);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static Outcome run(
      Contender contender, LoadPlan plan, SystemLauncher launcher, Progress progress)
      throws IOException, InterruptedException {
    String title = contender.system().title();
    progress.say("Starting three servers: " + title + " ...");
    try (SystemUnderTest system =
        launcher.launch(contender.system(), new ExperimentPlan.Servers(3, 0), 0)) {
      system.awaitServing();
      LoadResult result =
          LoadRun.execute(
              system, plan, "quickstart", (share, rate) -> progress.update(title, share, rate));
      progress.say(
          String.format(Locale.ROOT, "%-10s %8.0f requests/s", title, result.throughput()));
      return new Outcome(contender, result);
    }
  }

  private static String table(List<Outcome> outcomes) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "system",
                "sessions on",
                "requests/s",
                "read mean",
                "read p99",
                "write mean",
                "write p99",
                "reads that triggered durability"));
    for (Outcome outcome : outcomes) {
      LatencySummary reads = LatencySummary.of(outcome.result().latencies().of(OperationKind.READ));
      LatencySummary writes = LatencySummary.of(outcome.result().latencies().writes());
      table.add(
          List.of(
              outcome.contender().system().title(),
              Converters.lowerCase(outcome.contender().reads()),
              Numbers.plain(outcome.result().throughput()),
              Numbers.plain(reads.mean()),
              Numbers.plain(reads.p99()),
              Numbers.plain(writes.mean()),
              Numbers.plain(writes.p99()),
              percent(outcome.result().triggeringPercent())));
    }
    return table.render();
  }

  private static String percent(OptionalDouble percent) {
    return percent.isPresent() ? Numbers.plain(percent.getAsDouble()) + "%" : Numbers.NOT_AVAILABLE;
  }
}
