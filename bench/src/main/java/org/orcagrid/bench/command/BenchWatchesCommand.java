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
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MachineProbe;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.watches.StormExperiment;
import org.orcagrid.bench.watches.StormPlan;
import org.orcagrid.bench.watches.StormResult;
import org.orcagrid.cli.CommandFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca bench watches}: other clients' latencies while very many watches fire. */
@Command(
    name = "watches",
    description =
        "Measure other clients' reads and writes while one transaction fires very many watches.",
    showDefaultValues = true)
final class BenchWatchesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--systems",
      split = ",",
      defaultValue = "orca,sync-zk-all,stock-sync,stock-nosync",
      converter = Converters.OneSystem.class,
      description = "As for 'orca bench'.")
  private List<SystemSpec> systems;

  @Option(names = "--servers", defaultValue = "3", description = "Servers of each ensemble.")
  private int servers;

  @Option(names = "--sessions", defaultValue = "250", description = "Sessions that watch.")
  private int sessions;

  @Option(names = "--nodes", defaultValue = "400", description = "Nodes that each one watches.")
  private int nodes;

  @Option(names = "--clients", defaultValue = "3", description = "That read, and that write.")
  private int clients;

  @Option(names = "--rounds", defaultValue = "3", description = "Storms at each start, of two.")
  private int rounds;

  @Option(names = "--seconds", defaultValue = "3", description = "Of calm before each storm.")
  private double seconds;

  @Option(names = "--out", defaultValue = "results/bench-watches", description = "Where files go.")
  private Path out;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    Progress progress = Progress.of(console);
    StormPlan plan = plan();
    try {
      ResultFolder folder = new ResultFolder(out);
      Machine machine = MachineProbe.describe(folder.serverData());
      List<StormResult> results =
          StormExperiment.run(
              plan, systems, new ProcessLauncher(folder.serverData()), progress::say);
      String page =
          "# A watch storm\n\nMachine: "
              + Conditions.machine(machine)
              + "\n\n"
              + plan.sessions()
              + " sessions watch "
              + plan.nodes()
              + " nodes each; one transaction changes all nodes, and "
              + plan.watches()
              + " events fire. Beside them "
              + plan.clients()
              + " clients read and "
              + plan.clients()
              + " write, one request at a time. Milliseconds; medians of "
              + 2 * plan.rounds()
              + " storms at two starts.\n\n"
              + StormResult.table(results);
      folder.write("README.md", page);
      folder.finish(page, console);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private StormPlan plan() {
    try {
      return new StormPlan(servers, sessions, nodes, clients, rounds, seconds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
