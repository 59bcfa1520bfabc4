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
import org.orcagrid.bench.geostore.GeoBench;
import org.orcagrid.bench.geostore.GeoBenchPlan;
import org.orcagrid.bench.geostore.GeoFigure;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MachineProbe;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.examples.ensemble.Folders;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca bench geo}: a geo store beside its goals. */
@Command(
    name = "geo",
    description =
        "Measure a geo store of six nodes at its start, at rest, while a partition stalls and when"
            + " a node comes back, beside its goals.",
    showDefaultValues = true)
final class BenchGeoCommand implements Callable<Integer> {
  private static final double IDLE_SECONDS = 10;

  @Spec private CommandSpec spec;

  @Option(names = "--partitions", defaultValue = "32", description = "Partitions of the store.")
  private int partitions;

  @Option(names = "--keys", defaultValue = "1000000", description = "Keys of a node; 0 for none.")
  private int keys;

  @Option(names = "--threads", defaultValue = "8", description = "Threads of the clients.")
  private int threads;

  @Option(names = "--rounds", defaultValue = "3", description = "Calm and stall; 0 for none.")
  private int rounds;

  @Option(names = "--seconds", defaultValue = "10", description = "Of calm, and of each stall.")
  private double seconds;

  @Option(
      names = "--settle-seconds",
      defaultValue = "60",
      description = "From the start until the rest of the nodes is measured.")
  private int settleSeconds;

  @Option(names = "--out", defaultValue = "results/bench-geo", description = "Where files go.")
  private Path out;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    Progress progress = Progress.of(console);
    GeoBenchPlan plan = plan();
    try {
      ResultFolder folder = new ResultFolder(out);
      Machine machine = MachineProbe.describe(folder.serverData());
      List<GeoFigure> figures;
      try {
        figures = GeoBench.run(plan, folder.serverData(), progress::say);
      } finally {
        Folders.delete(folder.serverData());
      }
      String page =
          "# A geo store beside its goals\n\nMachine: "
              + Conditions.machine(machine)
              + "\n\nTwo datacenters of three nodes, a process each, 15 ms apart; "
              + plan.partitions()
              + " partitions. Each figure once, those of the stall as medians of "
              + plan.rounds()
              + " rounds.\n\n"
              + GeoFigure.table(figures);
      folder.write("README.md", page);
      folder.finish(page, console);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private GeoBenchPlan plan() {
    try {
      return new GeoBenchPlan(
          partitions, keys, threads, rounds, seconds, settleSeconds, IDLE_SECONDS);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
