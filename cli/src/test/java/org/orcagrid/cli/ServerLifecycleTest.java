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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;

/** Server processes as an operator handles them. */
@Timeout(60)
class ServerLifecycleTest {
  /** The promise is 3 s on an idle machine; a build machine is rarely that. */
  private static final Duration FIRST_ANSWER_MAX = Duration.ofSeconds(20);

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  /** Signals 1, 2, 15 and 20 as bits of a mask. */
  private static final long HUP = 1L;

  private static final long INT = 1L << 1;
  private static final long TERM = 1L << 14;
  private static final long TSTP = 1L << 19;

  @TempDir Path folder;
  private Path zooCfg;
  private Path dataDir;
  private int port;

  @BeforeEach
  void describeAServer() throws Exception {
    dataDir = folder.resolve("data");
    port = FreePorts.find(1, new Random(folder.hashCode())).get(0);
    zooCfg =
        Files.writeString(
            folder.resolve("zoo.cfg"),
            Cli.cfg(
                Map.of(
                    "dataDir",
                    dataDir,
                    "clientPort",
                    port,
                    "clientPortAddress",
                    "127.0.0.1",
                    "admin.enableServer",
                    "false")));
  }

  @AfterEach
  void endWhatAFailedTestLeft() throws Exception {
    PidFile.in(dataDir).running().ifPresent(ServerProcess::kill);
  }

  @Test
  void startsInTheBackgroundAnswersAndStops() throws Exception {
    long beginNanos = System.nanoTime();
    Cli start = Cli.run("server", "start", zooCfg);
    Duration firstAnswer = Duration.ofNanos(System.nanoTime() - beginNanos);
    assertEquals(0, start.exitCode(), start.err());
    assertTrue(start.out().contains("127.0.0.1:" + port), start.out());
    assertTrue(firstAnswer.compareTo(FIRST_ANSWER_MAX) < 0, firstAnswer::toString);
    System.out.println("first answer on an empty folder after " + firstAnswer.toMillis() + " ms");

    Cli status = Cli.run("server", "status", zooCfg);
    assertEquals(0, status.exitCode(), status.err());
    assertTrue(status.out().contains("zxid: 0x"), status.out());
    assertTrue(status.out().contains("connections: 1"), status.out());

    ServerProcess process = PidFile.in(dataDir).running().orElseThrow();
    process.pause();
    assertEquals(3, Cli.run("server", "status", zooCfg).exitCode());
    process.resume();

    Cli second = Cli.run("server", "start", zooCfg);
    assertEquals(1, second.exitCode());
    assertTrue(second.err().contains("running already with pid " + process.pid()), second.err());

    assertEquals(0, Cli.run("server", "stop", zooCfg).exitCode());
    assertFalse(process.alive());
    assertEquals(1, Cli.run("server", "status", zooCfg).exitCode());
    assertEquals("Not running." + System.lineSeparator(), Cli.run("server", "stop", zooCfg).out());
  }

  @Test
  void sigtermEndsAForegroundServerInTimeWithStatusZero() throws Exception {
    Launched launched =
        ProcessLauncher.launch(ServerProgram.orca(), zooCfg, dataDir, Lifetime.ATTACHED);
    try {
      ZooCfg cfg = ZooCfg.read(zooCfg);
      new StartWait(launched, "the server")
          .await(
              Duration.ofSeconds(30), () -> ServerProbe.of(cfg.client().orElseThrow()).serving());
      assertEquals(launched.process().pid(), PidFile.in(dataDir).running().orElseThrow().pid());

      Cli inUse = Cli.run("server", "run", zooCfg);
      assertEquals(1, inUse.exitCode());
      assertTrue(inUse.err().contains("pid " + launched.process().pid()), inUse.err());

      launched.process().destroy();
      assertTrue(launched.process().waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS));
      assertEquals(0, launched.process().exitValue(), () -> log(launched));
      assertFalse(Files.exists(PidFile.in(dataDir).file()));
    } finally {
      launched.process().destroyForcibly();
    }
  }

  @Test
  void aServerInTheBackgroundIgnoresWhatATerminalSends() throws Exception {
    Launched launched =
        ProcessLauncher.launch(ServerProgram.orca(), zooCfg, dataDir, Lifetime.DETACHED);
    try {
      ZooCfg cfg = ZooCfg.read(zooCfg);
      new StartWait(launched, "the server")
          .await(
              Duration.ofSeconds(30), () -> ServerProbe.of(cfg.client().orElseThrow()).serving());
      long pid = launched.process().pid();
      assertEquals(pid, PidFile.in(dataDir).running().orElseThrow().pid());
      for (String signal : List.of("HUP", "INT", "TSTP")) {
        String kill = "kill -" + signal + " " + pid;
        assertEquals(0, new ProcessBuilder("sh", "-c", kill).start().waitFor(), kill);
      }
      // What is ignored has no effect later either.
      assertEquals(HUP | INT | TSTP, ignored(pid) & (HUP | INT | TSTP | TERM));
      assertTrue(ServerProbe.of(cfg.client().orElseThrow()).serving());

      launched.process().destroy();
      assertTrue(launched.process().waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS));
      assertEquals(0, launched.process().exitValue(), () -> log(launched));
    } finally {
      launched.process().destroyForcibly();
    }
  }

  /** The signals that a process ignores, as Linux tells. */
  private static long ignored(long pid) throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
            .filter(each -> each.startsWith("SigIgn:"))
            .findFirst()
            .orElseThrow();
    return Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16);
  }

  @Test
  void aServiceManagerIsToldOnceClientsCanConnect() throws Exception {
    Path told = dataDir.resolveSibling("told");
    Path bin = Files.createDirectories(dataDir.resolveSibling("bin"));
    Path notify =
        Files.writeString(
            bin.resolve("systemd-notify"),
            "#!/bin/sh\necho \"$@\" > " + told + ".part; mv " + told + ".part " + told + "\n");
    assertTrue(notify.toFile().setExecutable(true));
    ProcessBuilder builder =
        new ProcessBuilder(ServerProgram.orca().command(zooCfg, dataDir.resolve("log")));
    builder.environment().put("NOTIFY_SOCKET", "/run/systemd/notify");
    builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
    Process process = builder.redirectErrorStream(true).start();
    try {
      assertTrue(Deadline.in(Duration.ofSeconds(30)).await(() -> Files.exists(told)));
      assertEquals("--ready --pid=" + process.pid(), Files.readString(told).strip());
      assertTrue(ServerProbe.of(ZooCfg.read(zooCfg).client().orElseThrow()).serving());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void sigtermDuringTheStartIsNoFailureEither() throws Exception {
    Launched launched =
        ProcessLauncher.launch(ServerProgram.orca(), zooCfg, dataDir, Lifetime.ATTACHED);
    try {
      new StartWait(launched, "the server")
          .await(Duration.ofSeconds(30), () -> Files.exists(PidFile.in(dataDir).file()));
      launched.process().destroy();
      assertTrue(launched.process().waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS));
      assertEquals(0, launched.process().exitValue(), () -> log(launched));
    } finally {
      launched.process().destroyForcibly();
    }
  }

  @Test
  void statusNamesAStrangerAtThePort() throws Exception {
    try (ServerSocket stranger = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      Cli status = Cli.run("server", "status", zooCfg);
      assertEquals(1, status.exitCode());
      assertTrue(
          status.out().contains("Port " + stranger.getLocalPort() + " is served by"), status.out());
    }
  }

  private static String log(Launched launched) {
    try {
      return String.join("\n", launched.output().tail(launched.mark()));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
