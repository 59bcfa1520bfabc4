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
import java.util.stream.Stream;
import org.orcagrid.bench.compare.CompareChart;
import org.orcagrid.bench.compare.CompareExperiment;
import org.orcagrid.bench.compare.ComparePages;
import org.orcagrid.bench.compare.ComparePlan;
import org.orcagrid.bench.compare.CompareResult;
import org.orcagrid.bench.compare.DurablePages;
import org.orcagrid.bench.compare.MachinesOwn;
import org.orcagrid.bench.compare.Rival;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.Manner;
import org.orcagrid.bench.compare.sites.SiteContender;
import org.orcagrid.bench.compare.sites.SitesExperiment;
import org.orcagrid.bench.compare.sites.SitesPage;
import org.orcagrid.bench.compare.sites.SitesPlan;
import org.orcagrid.bench.compare.sites.SitesResult;
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
      "Measure Orca Grid beside Hazelcast, Infinispan, Apache Ignite, Redis and etcd.",
      "Each has three processes on loopback, whose threads use it by its own interface, by turns."
          + " The first run downloads Hazelcast, Infinispan, Ignite and etcd's client from Maven"
          + " Central; Redis and etcd are the machine's own, and left out without them."
    })
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--contenders",
      split = ",",
      description =
          "Who takes part, as in --contenders linearizable-none,infinispan-sync; a wrong one lists"
              + " all. Default those in memory, or with --durable those that survive a crash.")
  private List<String> contenders;

  @Option(
      names = "--durable",
      description =
          "Compare what survives a crash: maps with forced logs beside products with their"
              + " persistence on.")
  private boolean durable;

  @Option(
      names = "--geo",
      description =
          "Compare the geo store with Infinispan's backups across sites: two sites of three nodes,"
              + " remote clients. --manners, --writes and --depth have no meaning then.")
  private boolean geo;

  @Option(names = "--quick", description = "Two short rounds, whose figures are rough.")
  private boolean quick;

  @Option(
      names = "--writes",
      split = ",",
      defaultValue = "5,50",
      description = "Shares of writes in percent; default ${DEFAULT-VALUE}.")
  private List<Double> writes;

  @Option(
      names = "--manners",
      split = ",",
      defaultValue = "pipelined,one-at-a-time",
      converter = Converters.OfManner.class,
      description = "How clients make their operations; default ${DEFAULT-VALUE}.")
  private List<Manner> manners;

  @Option(
      names = "--depth",
      defaultValue = "128",
      description =
          "Operations under way in each process, when pipelined; default ${DEFAULT-VALUE}.")
  private int depth;

  @Option(
      names = "--threads",
      description = "Calling threads of each process; default 2, with --geo 16 of all.")
  private Integer threads;

  @Option(names = "--keys", description = "Default 100000, with --geo 10000.")
  private Integer keys;

  @Option(names = "--value-bytes", description = "Bytes of a value; default 32, with --geo 64.")
  private Integer valueBytes;

  @Option(
      names = "--rounds",
      description = "Rounds that are measured; default 5, with --geo 3, with --quick 2.")
  private Integer rounds;

  @Option(
      names = "--warm-up",
      description = "Rounds before that, for the compilers; default 3, with --geo or --quick 1.")
  private Integer warmUpRounds;

  @Option(
      names = "--seconds",
      description = "How long each turn is measured; default 1.5, with --geo 3, with --quick 0.5.")
  private Double seconds;

  @Option(
      names = "--out",
      defaultValue = "results",
      description =
          "Files go into the folder compare below this one, compare-durable or compare-geo; default"
              + " ${DEFAULT-VALUE}.")
  private Path out;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    Progress progress = Progress.of(console);
    if (geo) {
      return compareSites(console, progress);
    }
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
      folder.write("chart.svg", CompareChart.of(result, machine));
      folder.finish(page, console);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private int compareSites(PrintWriter console, Progress progress)
      throws CommandFailure, InterruptedException {
    SitesPlan plan = sitesPlan();
    try {
      ResultFolder folder = new ResultFolder(out.resolve("compare-geo"));
      Machine machine = MachineProbe.describe(folder.serverData());
      SitesResult result;
      try {
        result = SitesExperiment.run(plan, folder.serverData(), progress::say);
      } finally {
        Folders.delete(folder.serverData());
      }
      String page = SitesPage.page(result, machine);
      folder.write("README.md", page + "\n" + howTo());
      folder.write("data.csv", SitesPage.csv(result));
      folder.finish(page, console);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  private SitesPlan sitesPlan() {
    if (durable) {
      throw new ParameterException(
          spec.commandLine(), "The geo store is durable always; leave --durable out with --geo.");
    }
    List<SiteContender> all = List.of(SiteContender.values());
    try {
      return new SitesPlan(
          contenders == null ? all : contenders.stream().map(this::site).distinct().toList(),
          new LoadSettings.Data(given(keys, 10_000), given(valueBytes, 64)),
          given(threads, 16),
          given(rounds, quick ? 2 : 3),
          given(warmUpRounds, 1),
          seconds != null ? seconds : quick ? 0.5 : 3);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static int given(Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }

  private SiteContender site(String id) {
    return Stream.of(SiteContender.values())
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(() -> unknown(id, Stream.of(SiteContender.values()).map(SiteContender::id)));
  }

  private ParameterException unknown(String id, Stream<String> known) {
    return new ParameterException(
        spec.commandLine(),
        "There is no contender '"
            + id
            + "'; choose from "
            + known.collect(Collectors.joining(", "))
            + ".");
  }

  private ComparePlan plan() {
    List<Rival> rivals =
        contenders == null
            ? Rival.usual(durable)
            : contenders.stream().map(this::rival).distinct().toList();
    try {
      return new ComparePlan(
          rivals,
          manners,
          writes,
          new LoadSettings.Data(given(keys, 100_000), given(valueBytes, 32)),
          new LoadSettings.Pressure(depth, given(threads, 2)),
          time());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ComparePlan.Time time() {
    return new ComparePlan.Time(
        rounds != null ? rounds : quick ? 2 : 5,
        warmUpRounds != null ? warmUpRounds : quick ? 1 : 3,
        seconds != null ? seconds : quick ? 0.5 : 1.5);
  }

  private Rival rival(String id) {
    return Rival.all(durable).stream()
        .filter(rival -> rival.id().equals(id))
        .findFirst()
        .orElseThrow(() -> unknown(id, Rival.all(durable).stream().map(Rival::id)));
  }

  private static ComparePlan withWhatIsInstalled(ComparePlan plan, Progress progress)
      throws CommandFailure {
    ComparePlan left = plan;
    for (MachinesOwn each : MachinesOwn.values()) {
      if (!left.products().contains(each.product()) || each.program().isPresent()) {
        continue;
      }
      if (left.products().size() == 1) {
        throw new CommandFailure(each.howToInstall());
      }
      progress.say(each.howToInstall());
      left = left.without(each.product());
    }
    return left;
  }

  private String howTo() {
    return "## How to measure it again\n\n    orca "
        + String.join(" ", spec.commandLine().getParent().getParseResult().originalArgs())
        + "\n";
  }
}
