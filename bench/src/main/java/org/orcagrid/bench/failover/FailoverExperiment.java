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
package org.orcagrid.bench.failover;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.orcagrid.bench.compare.ProcessReaper;
import org.orcagrid.bench.failover.FailoverPlan.Ensemble;
import org.orcagrid.bench.faults.OutageExperiment;
import org.orcagrid.bench.system.Systems;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.examples.ensemble.FaultyEnsemble;

/** Kills the nodes of a grid of maps in turn, and asks those that are left what they have seen. */
public final class FailoverExperiment {
  /** A client that has heard nothing for so long waits still. */
  private static final Duration OPEN = Duration.ofMillis(200);

  private static final Duration POLL = Duration.ofMillis(50);

  /** More than a client's own time-out, so that what it throws is counted. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final FailoverPlan.Timing timing;
  private final FaultyEnsemble ensemble;
  private final boolean losesLeader;
  private final List<NodeHandle> nodes;

  private FailoverExperiment(
      FailoverPlan.Timing timing,
      FaultyEnsemble ensemble,
      boolean losesLeader,
      List<NodeHandle> nodes) {
    this.timing = timing;
    this.ensemble = ensemble;
    this.losesLeader = losesLeader;
    this.nodes = List.copyOf(nodes);
  }

  /**
   * Runs it. Every process that it starts has ended when it returns, however it returns.
   *
   * @param home where servers and nodes have their files; the caller's to delete
   * @param progress takes a line for each round
   * @throws IOException if not even one round beside an ensemble has ended
   */
  public static FailoverResult run(FailoverPlan plan, Path home, Consumer<String> progress)
      throws IOException, InterruptedException, CommandFailure {
    Map<Ensemble, FailoverResult.Series> series = new EnumMap<>(Ensemble.class);
    for (Ensemble kind : plan.ensembles()) {
      Path folder = Files.createDirectories(home.resolve(kind.name().toLowerCase(Locale.ROOT)));
      series.put(kind, run(plan, kind, folder, progress));
    }
    return new FailoverResult(series);
  }

  private static FailoverResult.Series run(
      FailoverPlan plan, Ensemble kind, Path home, Consumer<String> progress)
      throws IOException, InterruptedException, CommandFailure {
    Map<String, String> settings = new LinkedHashMap<>(Systems.named("orca").settings());
    settings.putAll(OutageExperiment.DEFAULT_TIMES);
    Path servers = Files.createDirectories(home.resolve("servers"));
    List<FailoverResult.Round> rounds = new ArrayList<>();
    try (FaultyEnsemble ensemble =
            FaultyEnsemble.start("The ensemble", settings, kind.servers(), servers);
        ProcessReaper reaper = new ProcessReaper()) {
      List<NodeHandle> nodes = nodes(connectString(ensemble), home, reaper);
      FailoverExperiment experiment =
          new FailoverExperiment(plan.timing(), ensemble, kind == Ensemble.LOSES_LEADER, nodes);
      for (NodeHandle node : nodes) {
        node.start();
      }
      for (NodeHandle node : nodes) {
        node.awaitServing();
      }
      String brokenOff = "";
      while (rounds.size() < plan.kills() && brokenOff.isEmpty()) {
        try {
          FailoverResult.Round round = experiment.kill(rounds.size() % nodes.size());
          rounds.add(round);
          progress.accept(
              "the ensemble " + kind.title() + ", kill " + rounds.size() + ": " + words(round));
        } catch (IOException e) {
          if (rounds.isEmpty()) {
            throw e;
          }
          // A grid that does not go on is a result, too.
          brokenOff = e.getMessage();
          progress.accept("the ensemble " + kind.title() + ", broken off: " + brokenOff);
        }
      }
      return new FailoverResult.Series(rounds, brokenOff);
    }
  }

  private static String connectString(FaultyEnsemble ensemble) {
    return ensemble.members().stream()
        .map(member -> "127.0.0.1:" + member.clientPort())
        .collect(Collectors.joining(","));
  }

  private static List<NodeHandle> nodes(String connect, Path home, ProcessReaper reaper)
      throws CommandFailure {
    List<Integer> ports = FreePorts.find(FailoverPlan.NODES, new Random());
    List<NodeHandle> nodes = new ArrayList<>();
    for (int node = 0; node < ports.size(); node++) {
      Path folder = home.toAbsolutePath().resolve("node-" + node);
      NodeProcess.Arguments arguments =
          new NodeProcess.Arguments(node, ports.size(), ports.get(node), folder, connect);
      nodes.add(new NodeHandle(arguments, home.resolve("node-" + node + ".log"), reaper));
    }
    return nodes;
  }

  private static String words(FailoverResult.Round round) {
    double killed = round.killed().stream().mapToDouble(Seen::writeMillis).max().orElse(0);
    double back = round.back().stream().mapToDouble(Seen::writeMillis).max().orElse(0);
    return String.format(
        Locale.ROOT,
        "no write for %.0f ms, and for %.0f ms while node %d came back in %.0f ms",
        killed,
        back,
        round.victim(),
        round.servesMillis());
  }

  private FailoverResult.Round kill(int victim) throws IOException, InterruptedException {
    List<NodeHandle> survivors = new ArrayList<>(nodes);
    NodeHandle killed = survivors.remove(victim);
    int leader = losesLeader ? leader() : FaultyEnsemble.NOBODY;
    TimeUnit.NANOSECONDS.sleep(timing.before().toNanos());
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    mark(survivors);
    killed.kill();
    if (leader != FaultyEnsemble.NOBODY) {
      ensemble.crash(leader);
    }
    killed.awaitEnd();
    TimeUnit.NANOSECONDS.sleep(timing.after().toNanos());
    List<Seen> seen = awaitProgress(survivors);
    if (leader != FaultyEnsemble.NOBODY) {
      ensemble.recover(leader);
      ensemble.awaitServing();
    }
    mark(survivors);
    long begun = System.nanoTime();
    killed.start();
    killed.awaitServing();
    long serves = System.nanoTime() - begun;
    TimeUnit.NANOSECONDS.sleep(timing.back().toNanos());
    return new FailoverResult.Round(victim, seen, awaitProgress(survivors), serves, load);
  }

  private int leader() throws IOException {
    return ensemble.leader().orElseThrow(() -> new IOException("No server leads the ensemble"));
  }

  private static void mark(List<NodeHandle> survivors) throws IOException, InterruptedException {
    for (NodeHandle node : survivors) {
      node.mark();
    }
  }

  /** What they have seen, once no client waits. */
  private static List<Seen> awaitProgress(List<NodeHandle> survivors)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<Seen> seen = new ArrayList<>();
      for (NodeHandle node : survivors) {
        seen.add(node.report());
      }
      if (seen.stream().allMatch(each -> each.openNanos() < OPEN.toNanos())) {
        return seen;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "Clients of nodes that were not killed wait for "
                + PATIENCE.toSeconds()
                + " s, and have seen: "
                + seen);
      }
      TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
    }
  }
}
