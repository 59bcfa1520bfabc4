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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.compare.process.Latencies;
import org.orcagrid.bench.compare.process.LoadProcess;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.Manner;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;

/** The comparison, with our own processes only: nothing is downloaded for a test. */
@Timeout(120)
final class CompareTest {
  private static final Machine MACHINE = new Machine("cpu", 2, 1, "Linux", "JVM", 1, 1, 1);
  private static final ComparePlan PLAN =
      new ComparePlan(
          List.of(Rival.RELEASE_KEYS, Rival.LINEARIZABLE_NONE, Rival.FLOOR_WORKER),
          List.of(Manner.values()),
          List.of(5.0, 50.0),
          new LoadSettings.Data(300, 32),
          new LoadSettings.Pressure(16, 1),
          new ComparePlan.Time(2, 1, 0.1));

  private static final Load FEW = new Load(Manner.PIPELINED, 5);
  private static final Load PIPELINED = new Load(Manner.PIPELINED, 50);

  @TempDir Path folder;

  @Test
  void measuresProcessesThatAreGoneAfterwards()
      throws IOException, InterruptedException, CommandFailure {
    List<String> said = new ArrayList<>();
    CompareResult result = CompareExperiment.run(PLAN, folder, said::add);
    assertEquals(5, said.size(), "two products started, a warm-up, two rounds: " + said);
    assertEquals(4 + 4 + 2, result.rates().size());
    result.rates().values().forEach(turns -> assertEquals(2, turns.size()));
    for (Rival rival : PLAN.rivals()) {
      // The best turn: on a machine that is busy, a tenth of a second can pass without us.
      double best = result.spread(rival, PIPELINED, Rate::perSecond).orElseThrow().max();
      assertTrue(best > 0, rival.title() + ": " + best);
    }
    assertEquals(
        0,
        ProcessHandle.current()
            .descendants()
            .filter(child -> child.info().commandLine().orElse("").contains("LoadProcess"))
            .count(),
        "processes left");
    String page = ComparePages.page(result, MACHINE);
    assertTrue(page.contains("| Orca Grid linearizable/none"), page);
    assertTrue(page.contains("- **Orca Grid linearizable/none**: Linearizable"), page);
    assertFalse(page.contains("Hazelcast: embedded"), page);
    assertEquals(1 + 2 * 10, ComparePages.csv(result).lines().count());
    assertTrue(CompareChart.of(result, MACHINE).contains("Orca Grid linearizable/none"));
  }

  @Test
  void measuresMapsWhoseLogsAreForced() throws IOException, InterruptedException, CommandFailure {
    ComparePlan plan =
        new ComparePlan(
            List.of(
                Rival.CAUSAL_SYNCHRONOUS,
                Rival.LINEARIZABLE_SYNCHRONOUS,
                Rival.LINEARIZABLE_NONE,
                Rival.RELEASE_NONE,
                Rival.RELEASE_KEYS),
            List.of(Manner.PIPELINED),
            List.of(50.0),
            PLAN.data(),
            PLAN.pressure(),
            new ComparePlan.Time(1, 0, 0.2));
    CompareResult result = CompareExperiment.run(plan, folder, said -> {});
    for (Rival rival : plan.rivals()) {
      assertTrue(
          result.spread(rival, PIPELINED, Rate::perSecond).orElseThrow().max() > 0, rival.title());
    }
    String page = DurablePages.page(result, MACHINE);
    assertTrue(page.contains("| Orca Grid causal/synchronous"), page);
    assertTrue(page.contains("| Orca Grid linearizable/none"), page);
  }

  @Test
  void whatIsDurableIsNotComparedWithWhatIsNot() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new ComparePlan(
                    List.of(Rival.INFINISPAN_SYNC, Rival.CAUSAL_STRICT),
                    PLAN.manners(),
                    PLAN.writePercents(),
                    PLAN.data(),
                    PLAN.pressure(),
                    PLAN.time()));
    assertTrue(refused.getMessage().contains("--durable"), refused.getMessage());
  }

  @Test
  void aPageOfWhatIsDurableSaysWhereARatioIsNotFair() {
    Map<CompareResult.Place, List<Rate>> rates =
        Map.of(
            new CompareResult.Place(Rival.CAUSAL_SYNCHRONOUS, FEW), List.of(rate(900, 90, 0)),
            new CompareResult.Place(Rival.LINEARIZABLE_SYNCHRONOUS, FEW), List.of(rate(150, 15, 0)),
            new CompareResult.Place(Rival.INFINISPAN_SYNC_FORCED, FEW), List.of(rate(100, 10, 0)));
    CompareResult result =
        new CompareResult(
            new ComparePlan(
                List.of(
                    Rival.CAUSAL_SYNCHRONOUS,
                    Rival.LINEARIZABLE_SYNCHRONOUS,
                    Rival.INFINISPAN_SYNC_FORCED),
                List.of(Manner.PIPELINED),
                List.of(5.0),
                PLAN.data(),
                PLAN.pressure(),
                PLAN.time()),
            Map.of(Product.MAPS, "ours", Product.INFINISPAN_STORE, "Infinispan"),
            rates);
    List<String> lines =
        DurablePages.page(result, MACHINE).lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertTrue(
        lines.contains(
            "| causal/synchronous | Infinispan REPL_SYNC, forced | 9.00 | less | less |"),
        lines::toString);
    assertTrue(
        lines.contains(
            "| linearizable/synchronous | Infinispan REPL_SYNC, forced | 1.50; asked 8 | as much or"
                + " more | as much or more |"),
        lines::toString);
    assertFalse(String.join("\n", lines).contains("Nothing is durable"));
    assertTrue(CompareChart.of(result, MACHINE).contains("with persistence"));
  }

  @Test
  void aProcessThatFailsSaysWhy() throws IOException, InterruptedException, CommandFailure {
    List<Integer> ports = FreePorts.find(ComparePlan.NODES, new Random());
    try (ProcessReaper reaper = new ProcessReaper();
        ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(1)));
      IOException failure =
          assertThrows(
              IOException.class,
              () -> ProductProcesses.start(PLAN.order(Product.WORKER), ports, folder, reaper));
      assertTrue(failure.getMessage().contains("worker-"), failure.getMessage());
      assertTrue(failure.getMessage().contains("has failed"), failure.getMessage());
    }
    // All of them have ended, and their ports are free, but for those that nobody had.
    for (int port : ports) {
      try (ServerSocket again = new ServerSocket()) {
        again.setReuseAddress(true);
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        assertTrue(again.isBound());
      }
    }
  }

  @Test
  void aLoadProcessEndsWithItsInput() throws IOException, InterruptedException, CommandFailure {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LoadProcess.class.getName(),
                Product.WORKER.target(),
                "0",
                FreePorts.find(2, new Random()).toString().replaceAll("[\\[\\] ]", ""),
                "5",
                folder.toString(),
                "10",
                "32",
                "4",
                "1")
            .redirectError(folder.resolve("log").toFile())
            .start();
    // It waits for another node, which never comes.
    process.getOutputStream().close();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it goes on");
    assertEquals(0, process.exitValue());
  }

  @Test
  void aModuleThatWasNotBuiltIsNamed() {
    IOException failure = assertThrows(IOException.class, () -> ClassPaths.of(Product.HAZELCAST));
    assertTrue(failure.getMessage().contains("start with './orca compare'"), failure.getMessage());
    assertTrue(failure.getMessage().contains("--contenders"), failure.getMessage());
  }

  @Test
  void ratiosCompareRoundsOfTheSameNumber() {
    CompareResult.Place ours = new CompareResult.Place(Rival.LINEARIZABLE_NONE, FEW);
    CompareResult.Place other = new CompareResult.Place(Rival.INFINISPAN_SYNC, FEW);
    CompareResult result =
        new CompareResult(
            new ComparePlan(
                List.of(Rival.LINEARIZABLE_NONE, Rival.INFINISPAN_SYNC),
                List.of(Manner.PIPELINED),
                List.of(5.0),
                PLAN.data(),
                PLAN.pressure(),
                PLAN.time()),
            Map.of(Product.MAPS, "ours", Product.INFINISPAN, "Infinispan"),
            Map.of(
                ours, List.of(rate(300, 30, 0), rate(1000, 80, 1)),
                other, List.of(rate(100, 10, 0), rate(200, 20, 0))));
    assertEquals(
        4,
        result
            .ratio(Rival.LINEARIZABLE_NONE, Rival.INFINISPAN_SYNC, FEW, Rate::perSecond)
            .orElseThrow()
            .median());
    assertEquals(1, result.disturbances());
    String page = ComparePages.page(result, MACHINE);
    assertTrue(page.contains("**4.00 (3.00..5.00)**; asked 4"), page);
  }

  private static Rate rate(double perSecond, double perCpuSecond, long disturbances) {
    return new Rate(perSecond, perCpuSecond, disturbances, Latencies.none());
  }
}
