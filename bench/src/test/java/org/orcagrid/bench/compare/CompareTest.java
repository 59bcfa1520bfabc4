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
import org.orcagrid.bench.compare.process.LoadProcess;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;

/** The comparison, with our own processes only: nothing is downloaded for a test. */
@Timeout(120)
final class CompareTest {
  private static final Machine MACHINE = new Machine("cpu", 2, 1, "Linux", "JVM", 1, 1, 1);
  private static final ComparePlan PLAN =
      new ComparePlan(
          List.of(Rival.ORCA, Rival.ORCA_LINEARIZABLE),
          List.of(5.0, 50.0),
          new LoadSettings.Data(300, 32),
          new LoadSettings.Pressure(16, 1),
          new ComparePlan.Time(2, 1, 0.1));

  @TempDir Path folder;

  @Test
  void measuresProcessesThatAreGoneAfterwards()
      throws IOException, InterruptedException, CommandFailure {
    List<String> said = new ArrayList<>();
    CompareResult result = CompareExperiment.run(PLAN, folder, said::add);
    assertEquals(4, said.size(), "started, a warm-up, two rounds: " + said);
    assertEquals(4, result.rates().size());
    result.rates().values().forEach(turns -> assertEquals(2, turns.size()));
    for (Rival rival : PLAN.rivals()) {
      // The best turn: on a machine that is busy, a tenth of a second can pass without us.
      double best = result.spread(rival, 50, Rate::perSecond).orElseThrow().max();
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
    assertTrue(page.contains("| Orca Grid, linearizable"), page);
    assertTrue(page.contains("- **Orca Grid, linearizable**: Linearizable"), page);
    assertFalse(page.contains("Hazelcast: embedded"), page);
    assertEquals(1 + 8, ComparePages.csv(result).lines().count());
    assertTrue(ComparePages.chart(result, MACHINE).contains("Orca Grid, linearizable"));
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
            List.of(50.0),
            PLAN.data(),
            PLAN.pressure(),
            new ComparePlan.Time(1, 0, 0.2));
    CompareResult result = CompareExperiment.run(plan, folder, said -> {});
    for (Rival rival : plan.rivals()) {
      assertTrue(result.spread(rival, 50, Rate::perSecond).orElseThrow().max() > 0, rival.title());
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
                    List.of(Rival.ORCA, Rival.CAUSAL_STRICT),
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
            new CompareResult.Place(Rival.CAUSAL_SYNCHRONOUS, 5), List.of(new Rate(900, 90, 0)),
            new CompareResult.Place(Rival.LINEARIZABLE_SYNCHRONOUS, 5),
                List.of(new Rate(150, 15, 0)),
            new CompareResult.Place(Rival.HAZELCAST_STORE, 5), List.of(new Rate(100, 10, 0)));
    CompareResult result =
        new CompareResult(
            new ComparePlan(
                List.of(
                    Rival.CAUSAL_SYNCHRONOUS,
                    Rival.LINEARIZABLE_SYNCHRONOUS,
                    Rival.HAZELCAST_STORE),
                List.of(5.0),
                PLAN.data(),
                PLAN.pressure(),
                PLAN.time()),
            Map.of(Product.MAPS, "ours", Product.HAZELCAST_STORE, "Hazelcast"),
            rates);
    List<String> lines =
        DurablePages.page(result, MACHINE).lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertTrue(
        lines.contains(
            "| causal/synchronous | Hazelcast IMap, MapStore | 5 % | 2.00 | 9.00 | yes | less |"
                + " less |"),
        lines::toString);
    assertTrue(
        lines.contains(
            "| linearizable/synchronous | Hazelcast IMap, MapStore | 5 % | 2.00 | 1.50 | no | as"
                + " much or more | as much or more |"),
        lines::toString);
    assertFalse(String.join("\n", lines).contains("Nothing is durable"));
    assertTrue(ComparePages.chart(result, MACHINE).contains("with persistence"));
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
              () -> ProductProcesses.start(PLAN.order(Product.ORCA), ports, folder, reaper));
      assertTrue(failure.getMessage().contains("orca-"), failure.getMessage());
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
                Product.ORCA.target(),
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
    CompareResult.Place ours = new CompareResult.Place(Rival.ORCA, 5);
    CompareResult.Place other = new CompareResult.Place(Rival.REDIS, 5);
    CompareResult result =
        new CompareResult(
            new ComparePlan(
                List.of(Rival.ORCA, Rival.REDIS),
                List.of(5.0),
                PLAN.data(),
                PLAN.pressure(),
                PLAN.time()),
            Map.of(Product.ORCA, "ours", Product.REDIS, "Redis"),
            Map.of(
                ours, List.of(new Rate(300, 30, 0), new Rate(800, 80, 1)),
                other, List.of(new Rate(100, 10, 0), new Rate(200, 20, 0))));
    assertEquals(3.5, result.ratio(Rival.ORCA, Rival.REDIS, 5, Rate::perSecond).get().median());
    assertEquals(1, result.disturbances());
    assertTrue(
        ComparePages.page(result, MACHINE)
            .lines()
            .anyMatch(line -> line.contains("3.50 (3.00..4.00)") && line.contains("yes")));
  }
}
