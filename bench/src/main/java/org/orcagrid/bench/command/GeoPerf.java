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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.geolog.LogLoad;
import org.orcagrid.bench.geolog.LogStore;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.geo.log.LogKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca geo perf}. */
@Command(
    name = "perf",
    description = {
      "Measure what durable writes cost three nodes of a store in one datacenter, with one log"
          + " beside another: writes in a second of the nodes' processor time.",
      "The nodes are processes; this program writes through RemoteGeo. The logs take turns, round"
          + " by round, and medians are printed in the end."
    },
    showDefaultValues = true)
final class GeoPerf implements Callable<Integer> {
  private static final int PORTS_OF_A_STORE = 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--logs",
      split = ",",
      defaultValue = "raft,ratis",
      description = "As geo.log in geo.cfg.")
  private List<String> logs;

  @Option(names = "--partitions", defaultValue = "32", description = "Of each store.")
  private int partitions;

  @Option(names = "--threads", defaultValue = "2", description = "Of this program, that write.")
  private int threads;

  @Option(names = "--window", defaultValue = "128", description = "Writes under way, of a thread.")
  private int window;

  @Option(names = "--value-bytes", defaultValue = "64", description = "Of each write.")
  private int valueBytes;

  @Option(names = "--warm-up", defaultValue = "15", description = "Seconds before each round.")
  private double warmUp;

  @Option(names = "--seconds", defaultValue = "10", description = "Of each round.")
  private double seconds;

  @Option(names = "--rounds", defaultValue = "3", description = "Of each log.")
  private int rounds;

  @Option(
      names = "--base-port",
      defaultValue = "7600",
      description = "Where the first store's nodes listen; ten further on those of the next.")
  private int basePort;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "results/geo-perf",
      description = "Where the stores are, on the disk that is to be measured; removed in the end.")
  private Path folder;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    LogLoad load = load();
    Map<String, List<LogLoad.Round>> measured = new LinkedHashMap<>();
    List<LogStore> stores = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      for (int i = 0; i < logs.size(); i++) {
        stores.add(
            LogStore.start(
                logs.get(i),
                folder.toAbsolutePath().resolve("store-" + logs.get(i)),
                basePort + i * PORTS_OF_A_STORE,
                partitions));
      }
      say("| log | round | writes/s | processors of the nodes | writes per processor second |");
      say("|---|---:|---:|---:|---:|");
      for (int round = 1; round <= rounds; round++) {
        for (LogStore each : stores) {
          LogLoad.Round result = load.run(each);
          measured.computeIfAbsent(each.log(), log -> new ArrayList<>()).add(result);
          say(line(each.log(), Integer.toString(round), result));
        }
      }
    } finally {
      for (LogStore each : stores) {
        each.close();
      }
    }
    measured.forEach(this::sum);
    return 0;
  }

  private LogLoad load() {
    if (rounds < 1 || partitions < 1) {
      throw new ParameterException(spec.commandLine(), "--rounds and --partitions are positive.");
    }
    try {
      logs.forEach(LogKind::named);
      return new LogLoad(threads, window, valueBytes, warmUp, seconds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage() + ".", e);
    }
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private static String line(String log, String round, LogLoad.Round result) {
    String failed = result.failed() == 0 ? "" : ", " + result.failed() + " writes failed";
    return String.format(
        Locale.ROOT,
        "| %s | %s%s | %,.0f | %.2f | %,.0f |",
        log,
        round,
        failed,
        result.writesPerSecond(),
        result.processorSeconds(),
        result.writesPerProcessorSecond());
  }

  private void sum(String log, List<LogLoad.Round> all) {
    say(
        String.format(
            Locale.ROOT,
            "| %s | median | %,.0f | %.2f | %,.0f |",
            log,
            median(all, LogLoad.Round::writesPerSecond),
            median(all, LogLoad.Round::processorSeconds),
            median(all, LogLoad.Round::writesPerProcessorSecond)));
  }

  private static double median(List<LogLoad.Round> all, ToDoubleFunction<LogLoad.Round> what) {
    return Spread.of(all.stream().map(what::applyAsDouble).toList()).median();
  }
}
