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
package org.orcagrid.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.orcagrid.bench.compare.process.Latencies;
import org.orcagrid.bench.compare.process.LoadOrder;
import org.orcagrid.bench.compare.process.LoadProcess;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.Turn;

/** The processes of a product: its load processes, and its servers where those are others. */
public final class ProductProcesses {
  private static final Duration START_LIMIT = Duration.ofSeconds(150);
  private static final Duration START_POLL = Duration.ofMillis(50);
  private static final Duration FILL_LIMIT = Duration.ofSeconds(150);
  private static final Duration TURN_LIMIT = Duration.ofSeconds(90);

  /** The same for all; what a product allocates outside the heap is its own affair. */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  /**
   * With one thread in the common pool, as on two cores, {@code CompletableFuture} starts a thread
   * for every callback, which makes Hazelcast 30 times slower. That would say nothing about it.
   */
  private static final String POOL =
      "-Djava.util.concurrent.ForkJoinPool.common.parallelism="
          + Math.max(2, Runtime.getRuntime().availableProcessors() - 1);

  /** Without it logback says everything that our libraries do; it is for our own processes. */
  private static final String LOGGING =
      "-Dlogback.configurationFile=org/orcagrid/cli/logback-quiet.xml";

  private static final double RAMP_SHARE = 0.25;

  private final List<LoadHandle> loads = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private String version = "";

  private ProductProcesses() {}

  /**
   * What is started.
   *
   * @param product whose
   * @param variants how it is used, in the words of its load target
   * @param data what is stored, for each variant
   * @param pressure how hard each process loads
   */
  public record Order(
      Product product,
      List<String> variants,
      LoadSettings.Data data,
      LoadSettings.Pressure pressure) {
    /** Keeps a copy. */
    public Order {
      variants = List.copyOf(variants);
    }
  }

  /**
   * Starts them, and returns when every key has a value.
   *
   * @param ports one for each process
   * @param home where logs go, and what is durable: in a folder of the product's own
   * @throws IOException if they do not start, saying why
   */
  public static ProductProcesses start(
      Order order, List<Integer> ports, Path home, ProcessReaper reaper)
      throws IOException, InterruptedException {
    Product product = order.product();
    ProductProcesses all = new ProductProcesses();
    Optional<MachinesOwn> servers = MachinesOwn.of(product);
    if (servers.isPresent()) {
      all.processes.addAll(servers.get().start(ports, home, reaper));
    }
    String classPath = ClassPaths.of(product);
    LoadSettings.Use use = new LoadSettings.Use(order.variants(), freshFolder(product, home));
    for (int self = 0; self < ports.size(); self++) {
      LoadSettings settings = new LoadSettings(self, ports, order.data(), order.pressure(), use);
      Path log = home.resolve(product.id() + "-" + self + ".log");
      Process process =
          new ProcessBuilder(command(product, classPath, settings))
              .redirectError(log.toFile())
              .start();
      all.processes.add(reaper.watch(process));
      all.loads.add(new LoadHandle(process, log));
    }
    all.awaitReady();
    all.fill();
    return all;
  }

  /** Not one that a run which was broken off has left: what it held would be taken for ours. */
  private static Path freshFolder(Product product, Path home) throws IOException {
    return Files.createTempDirectory(home.toAbsolutePath(), product.id() + "-");
  }

  /**
   * Looks at all of them by turns: one that has failed must not wait for those that it keeps
   * waiting.
   */
  private void awaitReady() throws IOException, InterruptedException {
    List<LoadHandle> left = new ArrayList<>(loads);
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!left.isEmpty()) {
      LoadHandle load = left.remove(0);
      boolean last = System.nanoTime() - deadline > 0;
      String line =
          last
              ? load.answer(LoadProcess.READY, Duration.ZERO)
              : load.poll(LoadProcess.READY, START_POLL);
      if (line == null) {
        left.add(load);
      } else {
        version = line.substring(LoadProcess.READY.length()).trim();
      }
    }
  }

  private static List<String> command(Product product, String classPath, LoadSettings settings) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(HEAP);
    command.add(POOL);
    command.add(LOGGING);
    command.addAll(product.jvmFlags());
    command.addAll(List.of("-cp", classPath, LoadProcess.class.getName(), product.target()));
    command.addAll(settings.arguments());
    return command;
  }

  private void fill() throws IOException, InterruptedException {
    for (LoadHandle load : loads) {
      load.order(LoadProcess.FILL);
    }
    for (LoadHandle load : loads) {
      load.answer(LoadProcess.FILL, FILL_LIMIT);
    }
  }

  /** The product, as it names itself. */
  public String version() {
    return version;
  }

  /** Loads it for a while; nothing is under way before and after. */
  public CompareResult.Rate run(String variant, Load load, double seconds)
      throws IOException, InterruptedException {
    long millis = Math.max(1, Math.round(seconds * 1000));
    LoadOrder order =
        new LoadOrder(
            variant, load.manner(), load.writePercent(), Math.round(millis * RAMP_SHARE), millis);
    Duration cpuBefore = processorTime();
    for (LoadHandle each : loads) {
      each.order(order.line());
    }
    Latencies latencies = Latencies.none();
    double perSecond = 0;
    long total = 0;
    long disturbances = 0;
    for (LoadHandle each : loads) {
      Turn turn = Turn.of(each.answer(Turn.WORD, TURN_LIMIT.plusMillis(2 * millis)));
      perSecond += turn.perSecond();
      total += turn.total();
      disturbances += turn.disturbances();
      latencies = latencies.plus(turn.latencies());
    }
    double cpuSeconds = Math.max(1, processorTime().minus(cpuBefore).toMillis()) / 1000.0;
    return new CompareResult.Rate(perSecond, total / cpuSeconds, disturbances, latencies);
  }

  private Duration processorTime() {
    Duration sum = Duration.ZERO;
    for (Process process : processes) {
      sum = sum.plus(process.info().totalCpuDuration().orElse(Duration.ZERO));
    }
    return sum;
  }
}
