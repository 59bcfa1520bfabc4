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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.orcagrid.bench.Experiment;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.ddp.ModelExperiment;
import org.orcagrid.bench.ddp.ModelPlan;
import org.orcagrid.bench.ddp.ModelResult;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.bench.failover.FailoverExperiment;
import org.orcagrid.bench.failover.FailoverPlan;
import org.orcagrid.bench.failover.FailoverResult;
import org.orcagrid.bench.faults.FaultSequence;
import org.orcagrid.bench.faults.Outage;
import org.orcagrid.bench.faults.OutageExperiment;
import org.orcagrid.bench.faults.SequenceOutcome;
import org.orcagrid.bench.geo.GeoExperiment;
import org.orcagrid.bench.geo.GeoPlan;
import org.orcagrid.bench.kite.FailureExperiment;
import org.orcagrid.bench.kite.FailurePlan;
import org.orcagrid.bench.kite.FailureResult;
import org.orcagrid.bench.kite.KiteExperiment;
import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.bench.kite.KiteResult;
import org.orcagrid.bench.kite.StructureExperiment;
import org.orcagrid.bench.kite.StructurePlan;
import org.orcagrid.bench.kite.StructureResult;
import org.orcagrid.bench.myria.MyriaExperiment;
import org.orcagrid.bench.myria.MyriaResult;
import org.orcagrid.bench.myria.real.Instances;
import org.orcagrid.bench.myria.real.RealExperiment;
import org.orcagrid.bench.myria.real.RealResult;
import org.orcagrid.bench.nukv.NukvExperiment;
import org.orcagrid.bench.nukv.NukvPlan;
import org.orcagrid.bench.nukv.NukvResult;
import org.orcagrid.bench.report.CsvReport;
import org.orcagrid.bench.report.JsonReport;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MachineProbe;
import org.orcagrid.bench.reproduce.DdpFigure;
import org.orcagrid.bench.reproduce.DdpTable4;
import org.orcagrid.bench.reproduce.ExperimentReproduction;
import org.orcagrid.bench.reproduce.GridFailover;
import org.orcagrid.bench.reproduce.KiteFig7;
import org.orcagrid.bench.reproduce.KiteFig8;
import org.orcagrid.bench.reproduce.KiteFigure;
import org.orcagrid.bench.reproduce.ModelFigure;
import org.orcagrid.bench.reproduce.MyriaFigure;
import org.orcagrid.bench.reproduce.MyriaReal;
import org.orcagrid.bench.reproduce.NukvFigure;
import org.orcagrid.bench.reproduce.OrcaFig7;
import org.orcagrid.bench.reproduce.OrcaFig8;
import org.orcagrid.bench.reproduce.OrcaOutage;
import org.orcagrid.bench.reproduce.OrcaScaling;
import org.orcagrid.bench.reproduce.OrcaTable3;
import org.orcagrid.bench.reproduce.OrcaTable4;
import org.orcagrid.bench.reproduce.Reproduction;
import org.orcagrid.bench.stats.LatencyHistograms;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.examples.ensemble.Folders;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca reproduce}: measures a table or figure of a paper again. */
@Command(
    name = "reproduce",
    description = "Measure a table or figure of a paper again, beside the paper's own figures.")
final class ReproduceCommand implements Callable<Integer> {
  /** As in the paper. */
  private static final int FAULT_SERVERS = 5;

  private static final int SEQUENCES = 500;

  private static final int CASE_STUDY_SEQUENCES = 20;

  private static final int OUTAGE_ROUNDS = 10;

  /** As in the paper. */
  private static final int FAILURE_NODES = 5;

  private static final String CHART = "\n![The chart](chart.svg)\n";

  private static final int QUICK_FAULT_SERVERS = 3;
  private static final int QUICK_SEQUENCES = 1;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "Which one; --list shows what there is.")
  private String id;

  @Option(names = "--list", description = "List the tables and figures and stop.")
  private boolean list;

  @Option(
      names = "--quick",
      description = "Few points, one short round: under a minute on an idle machine.")
  private boolean quick;

  @Option(
      names = "--fsync-delay-ms",
      split = ",",
      description =
          "Added to every fsync, to stand in for a slower disk; default 0, without --quick 0,2.")
  private List<Double> fsyncDelays;

  @Option(
      names = "--link-delay-ms",
      defaultValue = "0",
      description =
          "Added to everything that one server sends to another, to stand in for a slower network;"
              + " default ${DEFAULT-VALUE}.")
  private double linkDelayMs;

  @Option(
      names = "--sequences",
      description =
          "Sequences of faults for each system; default 500 for orca-table3, 20 for orca-table4.")
  private Integer sequences;

  @Option(
      names = "--first",
      defaultValue = "1",
      description = "The number of the first sequence, to go on; default ${DEFAULT-VALUE}.")
  private long firstSequence;

  @Option(
      names = "--rounds",
      description = "Rounds of a measurement; default 5 without --quick, 1 with it.")
  private Integer rounds;

  @Option(
      names = "--kills",
      description =
          "Nodes that grid-failover kills beside each ensemble; default 50 without --quick, 2 with"
              + " it.")
  private Integer kills;

  @Option(
      names = "--systems",
      split = ",",
      description = "Only these rows of orca-table3, by the names in its data.csv.")
  private List<String> systems;

  @Option(
      names = "--resume",
      description = "Go on from the data.csv of an orca-table3 that was broken off.")
  private boolean resume;

  @Option(
      names = "--servers",
      defaultValue = "3",
      description = "Servers of each ensemble; default ${DEFAULT-VALUE}.")
  private int servers;

  @Mixin private KiteOptions kite;

  @Mixin private DdpOptions ddp;

  @Mixin private RealOptions real;

  @Option(
      names = "--out",
      defaultValue = "results",
      description = "Files go into the folder ID below this one; default ${DEFAULT-VALUE}.")
  private Path out;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    if (list) {
      Reproduction.all().forEach(r -> console.printf("%-13s %s%n", r.id(), r.title()));
      console.flush();
      return 0;
    }
    Reproduction reproduction = chosen();
    checkReal(reproduction);
    try {
      if (reproduction instanceof ExperimentReproduction experiment) {
        run(experiment, plan(experiment), console);
      } else if (reproduction instanceof OrcaTable3 table) {
        run(table, console);
      } else if (reproduction instanceof OrcaTable4 table) {
        run(table, console);
      } else if (reproduction instanceof OrcaFig7 figure) {
        for (ExperimentReproduction part : figure.parts()) {
          run(part, plan(part), console);
        }
      } else if (reproduction instanceof OrcaFig8 figure) {
        run(figure, console);
      } else if (reproduction instanceof OrcaOutage outage) {
        run(outage, console);
      } else if (reproduction instanceof OrcaScaling scaling) {
        run(scaling, console);
      } else if (reproduction instanceof GridFailover failover) {
        run(failover, console);
      } else if (reproduction instanceof KiteFigure figure) {
        run(figure, console);
      } else if (reproduction instanceof KiteFig7 figure) {
        run(figure, console);
      } else if (reproduction instanceof KiteFig8 figure) {
        run(figure, console);
      } else if (reproduction instanceof DdpTable4 table) {
        run(table, console);
      } else if (reproduction instanceof DdpFigure figure) {
        run(figure, console);
      } else if (reproduction instanceof ModelFigure figure) {
        run(figure, console);
      } else if (reproduction instanceof NukvFigure figure) {
        run(figure, console);
      } else if (reproduction instanceof MyriaFigure figure) {
        run(figure, console);
      }
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private void checkReal(Reproduction reproduction) {
    if (real.isAnyGiven() && !(reproduction instanceof MyriaFigure && real.isComplete())) {
      throw new ParameterException(
          spec.commandLine(),
          "--real measures myria-fig7 to -fig9, and needs --postgres URL and --driver JAR;"
              + " build/mixed-real.sh gives both.");
    }
  }

  private int sequencesOr(int byDefault) {
    if (sequences != null && sequences < 1) {
      throw new ParameterException(
          spec.commandLine(), "There must be at least 1 sequence; change --sequences.");
    }
    return sequences != null ? sequences : quick ? QUICK_SEQUENCES : byDefault;
  }

  private void run(OrcaFig8 figure, PrintWriter console) throws IOException, InterruptedException {
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    GeoPlan plan = figure.plan(quick);
    Map<GeoExperiment.Place, LatencyHistograms> results =
        GeoExperiment.run(
            plan, new ProcessLauncher(folder.serverData()), Progress.of(console)::say);
    finish(
        folder,
        new Report(
            figure.page(results, plan, machine),
            figure.csv(results),
            figure.chart(results, plan, machine)),
        console);
  }

  private void run(OrcaOutage outage, PrintWriter console)
      throws IOException, InterruptedException {
    int count = rounds != null ? rounds : quick ? 1 : OUTAGE_ROUNDS;
    if (count < 1) {
      throw new ParameterException(
          spec.commandLine(), "There must be at least 1 round; change --rounds.");
    }
    ResultFolder folder = new ResultFolder(out.resolve(outage.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    Map<SystemSpec, Map<Outage, List<Double>>> results =
        OutageExperiment.run(
            outage.systems(), count, folder.serverData(), Progress.of(console)::say);
    String page = outage.page(results, machine);
    folder.write("README.md", page + "\n" + howTo());
    folder.finish(page, console);
  }

  private void run(OrcaScaling scaling, PrintWriter console)
      throws IOException, InterruptedException, CommandFailure {
    ResultFolder folder = new ResultFolder(out.resolve(scaling.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    Map<Integer, ExperimentResult> results = new LinkedHashMap<>();
    for (int size : scaling.sizes(quick)) {
      ExperimentPlan usual = scaling.plan(quick, size);
      ExperimentPlan plan = rounds == null ? usual : checked(() -> usual.withRounds(rounds));
      console.printf("== %d servers%n", size);
      results.put(size, measured(plan, folder, console));
    }
    String page = scaling.page(results, machine);
    folder.write("README.md", page + "\n" + howTo());
    folder.write("data.csv", scaling.csv(results));
    folder.finish(page, console);
  }

  private void run(GridFailover failover, PrintWriter console)
      throws IOException, InterruptedException, CommandFailure {
    FailoverPlan plan = checked(() -> failover.plan(kills, quick));
    ResultFolder folder = new ResultFolder(out.resolve(failover.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    FailoverResult result;
    try {
      result = FailoverExperiment.run(plan, folder.serverData(), Progress.of(console)::say);
    } finally {
      Folders.delete(folder.serverData());
    }
    String page = failover.page(result, machine);
    folder.write("README.md", page + "\n" + howTo());
    folder.write("data.csv", failover.csv(result));
    folder.finish(page, console);
  }

  private void run(NukvFigure figure, PrintWriter console)
      throws IOException, InterruptedException, CommandFailure {
    NukvPlan byDefault = figure.plan(quick);
    NukvPlan plan = rounds == null ? byDefault : checked(() -> byDefault.withRounds(rounds));
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    NukvResult result;
    try {
      result = NukvExperiment.run(plan, folder.serverData(), Progress.of(console)::say);
    } finally {
      Folders.delete(folder.serverData());
    }
    finish(
        folder,
        new Report(figure.page(result, machine), figure.csv(result), figure.chart(result, machine)),
        console);
  }

  private void run(MyriaFigure figure, PrintWriter console)
      throws IOException, InterruptedException {
    if (real.isReal()) {
      run(new MyriaReal(figure), console);
      return;
    }
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    MyriaResult result = MyriaExperiment.run(figure.plan(quick), Progress.of(console)::say);
    finish(
        folder, new Report(figure.page(result), figure.csv(result), figure.chart(result)), console);
  }

  private void run(MyriaReal figure, PrintWriter console) throws IOException, InterruptedException {
    int count = rounds != null ? rounds : quick ? 1 : 3;
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    RealResult result;
    try (Instances instances = Instances.open(real.addresses(), real.driver())) {
      result =
          new RealExperiment(instances, real.seconds(quick), count, Progress.of(console)::say)
              .run(figure.loads(quick), figure.hasCalls());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } finally {
      Folders.delete(folder.serverData());
    }
    String page = figure.page(result, machine);
    folder.write("README.md", page + "\n" + howTo());
    folder.write("data.csv", figure.csv(result));
    folder.finish(page, console);
  }

  private void run(KiteFigure figure, PrintWriter console)
      throws IOException, InterruptedException {
    KitePlan plan = kitePlan(figure);
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    KiteResult result = KiteExperiment.run(plan, Progress.of(console)::say);
    finish(
        folder,
        new Report(figure.page(result, machine), figure.csv(result), figure.chart(result, machine)),
        console);
  }

  private KitePlan kitePlan(KiteFigure figure) {
    KitePlan plan = checked(() -> figure.plan(kite.grid(KitePlan.Grid.DEFAULT.nodes()), quick));
    return rounds == null ? plan : checked(() -> plan.withRounds(rounds));
  }

  private void run(KiteFig7 figure, PrintWriter console) throws IOException, InterruptedException {
    StructurePlan plan = structurePlan(figure);
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    StructureResult result = StructureExperiment.run(plan, Progress.of(console)::say);
    finish(
        folder,
        new Report(figure.page(result, machine), figure.csv(result), figure.chart(result, machine)),
        console);
  }

  private StructurePlan structurePlan(KiteFig7 figure) {
    StructurePlan plan =
        checked(() -> figure.plan(kite.grid(KitePlan.Grid.DEFAULT.nodes()), kite.clients(), quick));
    return rounds == null ? plan : checked(() -> plan.withRounds(rounds));
  }

  private void run(KiteFig8 figure, PrintWriter console) throws IOException, InterruptedException {
    FailurePlan plan = failurePlan(figure);
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    FailureResult result = FailureExperiment.run(plan, Progress.of(console)::say);
    finish(
        folder,
        new Report(figure.page(result, machine), figure.csv(result), figure.chart(result, machine)),
        console);
  }

  private FailurePlan failurePlan(KiteFig8 figure) {
    FailurePlan plan =
        checked(() -> figure.plan(kite.grid(FAILURE_NODES), kite.releaseMs(), quick));
    return rounds == null ? plan : checked(() -> plan.withRounds(rounds));
  }

  private void run(DdpTable4 table, PrintWriter console)
      throws IOException, InterruptedException, CommandFailure {
    long seeds = checked(() -> ddp.seeds(quick));
    ResultFolder folder = new ResultFolder(out.resolve(table.id()));
    new PromiseExperiment(table, seeds, folder).run(howTo(), Progress.of(console), console);
  }

  private void run(DdpFigure figure, PrintWriter console) throws IOException, InterruptedException {
    int seeds = checked(() -> ddp.timedSeeds(quick));
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    TimingFindings findings = new TimingExperiment(figure, seeds, quick).run(Progress.of(console));
    finish(
        folder,
        new Report(figure.page(findings), figure.csv(findings), figure.chart(findings)),
        console);
  }

  private void run(ModelFigure figure, PrintWriter console)
      throws IOException, InterruptedException, CommandFailure {
    ModelPlan usual = figure.plan(quick);
    ModelPlan plan = rounds == null ? usual : checked(() -> usual.withRounds(rounds));
    ResultFolder folder = new ResultFolder(out.resolve(figure.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    ModelResult result;
    try {
      result = ModelExperiment.run(plan, folder.serverData(), Progress.of(console)::say);
    } finally {
      Folders.delete(folder.serverData());
    }
    finish(
        folder,
        new Report(figure.page(result, machine), figure.csv(result), figure.chart(result, machine)),
        console);
  }

  private Set<String> systemsOf(OrcaTable3 table) {
    Set<String> all = new TreeSet<>();
    table.rows().forEach(row -> all.add(row.system().id()));
    if (systems == null) {
      return all;
    }
    for (String system : systems) {
      if (!all.contains(system)) {
        throw new ParameterException(
            spec.commandLine(),
            "'" + system + "' is not in the table; choose from " + String.join(", ", all) + ".");
      }
    }
    return Set.copyOf(systems);
  }

  private int faultServers() {
    return quick ? QUICK_FAULT_SERVERS : FAULT_SERVERS;
  }

  private void run(OrcaTable4 table, PrintWriter console) throws IOException, InterruptedException {
    int count = sequencesOr(CASE_STUDY_SEQUENCES);
    ResultFolder folder = new ResultFolder(out.resolve(table.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    String page =
        new CaseStudyExperiment(table, faultServers(), count, firstSequence, folder)
            .run(machine, Progress.of(console));
    folder.finish(page, console);
  }

  private void run(OrcaTable3 table, PrintWriter console) throws IOException, InterruptedException {
    int count = sequencesOr(SEQUENCES);
    ResultFolder folder = new ResultFolder(out.resolve(table.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    SortedMap<Long, FaultSequence> wanted = new TreeMap<>();
    for (long number = firstSequence; number < firstSequence + count; number++) {
      wanted.put(number, FaultSequence.of(number, faultServers()));
    }
    Map<String, List<SequenceOutcome>> known =
        resume ? OrcaTable3.fromCsv(folder.read("data.csv")) : Map.of();
    FaultExperiment experiment = new FaultExperiment(table, faultServers(), wanted, known, folder);
    Map<String, List<SequenceOutcome>> outcomes =
        experiment.run(systemsOf(table), machine, Progress.of(console));
    folder.finish(table.page(outcomes, faultServers(), machine), console);
  }

  private Reproduction chosen() {
    return Reproduction.all().stream()
        .filter(reproduction -> reproduction.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    (id == null ? "Nothing to reproduce was named" : "There is no '" + id + "'")
                        + "; choose from "
                        + Reproduction.all().stream()
                            .map(Reproduction::id)
                            .collect(Collectors.joining(", "))
                        + "."));
  }

  private ExperimentPlan plan(ExperimentReproduction reproduction) {
    List<Double> delays = fsyncDelays;
    if (delays == null) {
      delays = quick ? List.of(0.0) : List.of(0.0, 2.0);
    }
    List<Double> added = delays;
    ExperimentPlan plan =
        checked(
            () ->
                reproduction.plan(
                    new Reproduction.Effort(
                        quick, added, new ExperimentPlan.Servers(servers, linkDelayMs))));
    return rounds == null ? plan : checked(() -> plan.withRounds(rounds));
  }

  private void run(ExperimentReproduction reproduction, ExperimentPlan plan, PrintWriter console)
      throws IOException, InterruptedException {
    ResultFolder folder = new ResultFolder(out.resolve(reproduction.id()));
    Machine machine = MachineProbe.describe(folder.serverData());
    ExperimentResult result = measured(plan, folder, console);
    String page = reproduction.page(result, machine);
    folder.write("README.md", page + "\n" + howTo() + CHART);
    folder.write("data.csv", CsvReport.render(result));
    folder.write("data.json", JsonReport.render(result, machine));
    folder.write("chart.svg", reproduction.chart(result, machine));
    folder.finish(page, console);
  }

  private static ExperimentResult measured(
      ExperimentPlan plan, ResultFolder folder, PrintWriter console)
      throws IOException, InterruptedException {
    return Experiment.run(
        plan,
        new ProcessLauncher(folder.serverData()),
        new ShowingListener(Progress.of(console), plan));
  }

  /** What a measurement leaves behind. */
  private record Report(String page, String csv, String chart) {}

  private void finish(ResultFolder folder, Report report, PrintWriter console) throws IOException {
    folder.write("README.md", report.page() + "\n" + howTo() + CHART);
    folder.write("data.csv", report.csv());
    folder.write("chart.svg", report.chart());
    folder.finish(report.page(), console);
  }

  /** What cannot be measured is the caller's mistake. */
  private <T> T checked(Supplier<T> plan) {
    try {
      return plan.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private String howTo() {
    return "## How to measure it again\n\n    orca "
        + String.join(" ", spec.commandLine().getParent().getParseResult().originalArgs())
        + "\n";
  }
}
