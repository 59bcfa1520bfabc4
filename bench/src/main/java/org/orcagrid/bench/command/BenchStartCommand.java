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
import org.orcagrid.bench.start.StartExperiment;
import org.orcagrid.bench.start.StartPlan;
import org.orcagrid.bench.start.StartResult;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.cli.CommandFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca bench start}: the start of a server that has a large tree. */
@Command(
    name = "start",
    description = "Measure the time and the memory that a server with a large tree starts with.",
    showDefaultValues = true)
final class BenchStartCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--systems",
      split = ",",
      defaultValue = "orca,stock-nosync",
      converter = Converters.OneSystem.class,
      description = "As for 'orca bench'; one server of each.")
  private List<SystemSpec> systems;

  @Option(names = "--znodes", defaultValue = "1000000", description = "Leaves of the tree.")
  private int znodes;

  @Option(names = "--value-bytes", defaultValue = "100", description = "Bytes of each leaf.")
  private int valueBytes;

  @Option(
      names = "--heap-mb",
      defaultValue = "2048",
      description = "The most that a server's heap may have.")
  private int heapMegabytes;

  @Option(names = "--rounds", defaultValue = "5", description = "Starts of each.")
  private int rounds;

  @Option(names = "--out", defaultValue = "results/bench-start", description = "Where files go.")
  private Path out;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    Progress progress = Progress.of(console);
    StartPlan plan = plan();
    try {
      ResultFolder folder = new ResultFolder(out);
      Machine machine = MachineProbe.describe(folder.serverData());
      List<StartResult> results =
          StartExperiment.run(plan, systems, folder.serverData(), progress::say);
      String page =
          "# The start with a large tree\n\nMachine: "
              + Conditions.machine(machine)
              + "\n\nOne server with a snapshot of "
              + plan.znodes()
              + " znodes of "
              + plan.valueBytes()
              + " bytes, and a heap of at most "
              + plan.heapMegabytes()
              + " MB. Medians of "
              + plan.rounds()
              + " starts, and ranges. Each system has started once before, on a folder of stock,"
              + " and starts from copies of the files that it has left.\n\n"
              + StartResult.table(results);
      folder.write("README.md", page);
      folder.finish(page, console);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private StartPlan plan() {
    try {
      return new StartPlan(znodes, valueBytes, heapMegabytes, rounds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
