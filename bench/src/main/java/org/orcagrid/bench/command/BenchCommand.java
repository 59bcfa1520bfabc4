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
import org.orcagrid.bench.Experiment;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.load.LoadMode;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.report.CsvReport;
import org.orcagrid.bench.report.JsonReport;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MachineProbe;
import org.orcagrid.bench.report.MarkdownReport;
import org.orcagrid.bench.report.ThroughputCharts;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.workload.Workload;
import org.orcagrid.cli.CommandFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca bench}: compares systems under load on this machine. */
@Command(
    name = "bench",
    description =
        "Compare durability layers and stock ZooKeeper under load, side by side on this machine.",
    showDefaultValues = true,
    subcommands = {BenchGeoCommand.class, BenchStartCommand.class, BenchWatchesCommand.class})
final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--workloads",
      split = ",",
      defaultValue = "W,A,B,D,F",
      converter = Converters.OneWorkload.class,
      description = "W write-only, A 50%% updates, B 5%% updates, C reads, D latest, F modify.")
  private List<Workload> workloads;

  @Option(
      names = "--systems",
      split = ",",
      defaultValue = "cad,sync,async,stock-sync,stock-nosync",
      converter = Converters.OneSystem.class,
      description =
          "Also known: orca, strong-zk, sync-zk-all, weak-zk, stock-sync-leader,"
              + " stock-nosync-leader. Lines of zoo.cfg may follow a name:"
              + " cad:orca.flushIntervalMs=2.")
  private List<SystemSpec> systems;

  @Option(names = "--clients", split = ",", defaultValue = "10", description = "1 to 1000.")
  private List<Integer> clients;

  @Option(names = "--seconds", defaultValue = "5", description = "Measured, for each figure.")
  private double seconds;

  @Option(names = "--warm-up", defaultValue = "2", description = "Seconds before measuring.")
  private double warmUp;

  @Option(names = "--rounds", defaultValue = "3", description = "Medians are over rounds.")
  private int rounds;

  @Option(
      names = "--fsync-delay-ms",
      split = ",",
      defaultValue = "0",
      description = "Added to every fsync of ORCA's servers; not available for stock.")
  private List<Double> fsyncDelays;

  @Option(
      names = "--link-delay-ms",
      defaultValue = "0",
      description = "Added to everything that one server sends to another, stock's too.")
  private double linkDelayMs;

  @Option(
      names = "--reads",
      defaultValue = "leader",
      converter = Converters.Reads.class,
      description = "leader, all, or answering: at the leader where only that answers, else all.")
  private ReadsFrom reads;

  @Option(
      names = "--mode",
      defaultValue = "closed",
      converter = Converters.Mode.class,
      description = "closed, pipelined (see --window) or rate (see --rate).")
  private LoadMode mode;

  @Option(
      names = "--window",
      defaultValue = "16",
      description = "Operations of one client in flight, in modes pipelined and rate.")
  private int window;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description = "Operations per second of all clients together, in mode rate.")
  private double rate;

  @Option(names = "--servers", defaultValue = "3", description = "Servers of each ensemble.")
  private int servers;

  @Option(names = "--records", defaultValue = "1000", description = "Preloaded records.")
  private int records;

  @Option(names = "--value-bytes", defaultValue = "100", description = "Bytes of each record.")
  private int valueBytes;

  @Option(names = "--seed", defaultValue = "1", description = "Orders the operation kinds.")
  private long seed;

  @Option(names = "--out", defaultValue = "results/bench", description = "Where files go.")
  private Path out;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    try {
      run();
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private void run() throws IOException, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    ExperimentPlan plan = plan();
    ResultFolder folder = new ResultFolder(out);
    Machine machine = MachineProbe.describe(folder.serverData());
    ExperimentResult result =
        Experiment.run(
            plan,
            new ProcessLauncher(folder.serverData()),
            new ShowingListener(Progress.of(console), plan));
    String page = MarkdownReport.render("Benchmark", result, machine);
    folder.write("README.md", page);
    folder.write("data.csv", CsvReport.render(result));
    folder.write("data.json", JsonReport.render(result, machine));
    folder.write("chart.svg", ThroughputCharts.render(result, machine));
    folder.finish(page, console);
  }

  private ExperimentPlan plan() {
    try {
      return new ExperimentPlan(
          systems,
          workloads,
          clients,
          fsyncDelays,
          rounds,
          new ExperimentPlan.Servers(servers, linkDelayMs),
          new ExperimentPlan.Load(
              new LoadPlan.Pacing(mode, window, rate),
              reads,
              new LoadPlan.Time(warmUp, seconds),
              new LoadPlan.Data(records, valueBytes),
              seed));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
