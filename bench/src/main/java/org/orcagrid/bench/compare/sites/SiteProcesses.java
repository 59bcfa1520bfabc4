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
package org.orcagrid.bench.compare.sites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.bench.compare.ClassPaths;
import org.orcagrid.bench.compare.LoadHandle;
import org.orcagrid.bench.compare.ProcessReaper;
import org.orcagrid.bench.compare.process.LoadOrder;
import org.orcagrid.bench.compare.process.LoadProcess;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.Manner;
import org.orcagrid.bench.compare.process.SiteLayout;
import org.orcagrid.bench.compare.process.SiteLoad;
import org.orcagrid.bench.compare.process.Turn;

/** The processes of a product: its nodes, clients that load it, and some that look for writes. */
final class SiteProcesses {
  private static final Duration START_LIMIT = Duration.ofMinutes(6);
  private static final Duration FILL_LIMIT = Duration.ofMinutes(6);
  private static final Duration TURN_LIMIT = Duration.ofMinutes(2);
  private static final int DEPTH_OF_THREAD = 8;

  /** Those that look for writes at the other site, few: looking is work. */
  private static final int LOOKING_THREADS = 2;

  private static final List<String> FLAGS =
      List.of(
          "-Xms512m",
          "-Xmx512m",
          "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2",
          "-Dlogback.configurationFile=org/orcagrid/cli/logback-quiet.xml");

  private static final double RAMP_SHARE = 0.25;
  private static final long DRAIN_MILLIS = 50;

  private final List<Process> nodes = new ArrayList<>();
  private final SitesPlan plan;
  private final SiteProduct product;
  private LoadHandle load;
  private LoadHandle looking;
  private String version = "";

  private SiteProcesses(SitesPlan plan, SiteProduct product) {
    this.plan = plan;
    this.product = product;
  }

  /**
   * Starts them, and returns when every key has a value at both sites.
   *
   * @param ports of all nodes for each purpose
   * @param home where logs go, and what is durable
   * @throws IOException if they do not start, saying why
   */
  static SiteProcesses start(
      SitesPlan plan, SiteProduct product, List<Integer> ports, Path home, ProcessReaper reaper)
      throws IOException, InterruptedException {
    SiteProcesses all = new SiteProcesses(plan, product);
    Path folder = Files.createTempDirectory(home.toAbsolutePath(), product.id() + "-");
    LoadSettings.Use use = new LoadSettings.Use(plan.variants(product), folder);
    List<LoadHandle> starting = new ArrayList<>();
    // The first of each site speaks for it in products where one does; it is there first.
    for (boolean first : new boolean[] {true, false}) {
      starting.clear();
      for (int node = 0; node < SiteLayout.ALL; node++) {
        if (node % SiteLayout.NODES == 0 == first) {
          LoadSettings settings =
              new LoadSettings(node, ports, plan.data(), new LoadSettings.Pressure(1, 1), use);
          LoadHandle handle = all.launch("node-" + node, product.node(), settings, home, reaper);
          all.nodes.add(handle.process());
          starting.add(handle);
        }
      }
      for (LoadHandle each : starting) {
        all.version = each.answer(LoadProcess.READY, START_LIMIT);
      }
    }
    all.version = all.version.substring(LoadProcess.READY.length()).strip();
    all.load = all.clients("load", plan.threads(), ports, use, home, reaper);
    all.looking = all.clients("look", LOOKING_THREADS, ports, use, home, reaper);
    all.load.order(LoadProcess.FILL);
    all.load.answer(LoadProcess.FILL, FILL_LIMIT);
    return all;
  }

  private LoadHandle clients(
      String name,
      int threads,
      List<Integer> ports,
      LoadSettings.Use use,
      Path home,
      ProcessReaper reaper)
      throws IOException, InterruptedException {
    LoadSettings settings =
        new LoadSettings(
            0,
            ports,
            plan.data(),
            new LoadSettings.Pressure(threads * DEPTH_OF_THREAD, threads),
            use);
    LoadHandle handle = launch(name, product.load(), settings, home, reaper);
    handle.answer(LoadProcess.READY, START_LIMIT);
    return handle;
  }

  private LoadHandle launch(
      String name, String target, LoadSettings settings, Path home, ProcessReaper reaper)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", ClassPaths.of(product.module())));
    command.addAll(List.of(LoadProcess.class.getName(), target));
    command.addAll(settings.arguments());
    Path log = home.resolve(product.id() + "-" + name + ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    return new LoadHandle(reaper.watch(process), log);
  }

  /** The product, as it names itself. */
  String version() {
    return version;
  }

  /** Takes a turn; nothing is under way before and after. */
  SitesResult.Rate run(SiteContender contender, SiteTurn turn, double seconds)
      throws IOException, InterruptedException {
    long millis = Math.max(1, Math.round(seconds * 1000));
    Duration nodesBefore = processorTime(nodes);
    Duration clientsBefore = processorTime(List.of(load.process()));
    if (turn.loads()) {
      load.order(order(turn.prefix() + contender.variant(), turn.writePercent(), millis));
    }
    if (turn.lags()) {
      looking.order(order(SiteLoad.LAG + contender.variant(), 100, millis));
    }
    Duration limit = TURN_LIMIT.plusMillis(2 * millis);
    Turn loaded = turn.loads() ? Turn.of(load.answer(Turn.WORD, limit)) : null;
    Turn looked = turn.lags() ? Turn.of(looking.answer(Turn.WORD, limit)) : null;
    double nodeNanos = processorTime(nodes).minus(nodesBefore).toNanos();
    double clientNanos = processorTime(List.of(load.process())).minus(clientsBefore).toNanos();
    if (turn.writePercent() > 0) {
      drain(contender, limit);
    }
    double total = loaded == null ? Double.NaN : Math.max(1, loaded.total());
    return new SitesResult.Rate(
        loaded == null ? looked.perSecond() : loaded.perSecond(),
        nodeNanos / 1000 / total,
        clientNanos / 1000 / total,
        looked == null ? loaded.latencies() : looked.latencies());
  }

  /** Waits for a write at the other site, so that no other's turn has this one's backlog. */
  private void drain(SiteContender contender, Duration limit)
      throws IOException, InterruptedException {
    looking.order(order(SiteLoad.LAG + contender.variant(), 100, DRAIN_MILLIS));
    looking.answer(Turn.WORD, limit);
  }

  private static String order(String variant, double writePercent, long millis) {
    return new LoadOrder(
            variant, Manner.ONE_AT_A_TIME, writePercent, Math.round(millis * RAMP_SHARE), millis)
        .line();
  }

  /** Processor time of all nodes in a second in which nobody asks for anything. */
  double idleCores(double seconds) throws InterruptedException {
    Duration before = processorTime(nodes);
    long begin = System.nanoTime();
    Thread.sleep(Math.round(seconds * 1000));
    return processorTime(nodes).minus(before).toNanos() / (double) (System.nanoTime() - begin);
  }

  private static Duration processorTime(List<Process> processes) {
    Duration sum = Duration.ZERO;
    for (Process process : processes) {
      sum = sum.plus(process.info().totalCpuDuration().orElse(Duration.ZERO));
    }
    return sum;
  }
}
