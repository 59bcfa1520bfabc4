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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a lone server when a change of its settings fails half way. */
@Timeout(120)
class ServerSetTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final String NEW = "orca.flushIntervalMs=20";

  @TempDir Path folder;
  private Path zooCfg;
  private Path dataDir;
  private String old;

  @BeforeEach
  void startAServer() throws Exception {
    dataDir = folder.resolve("data");
    int port = FreePorts.find(1, new Random(folder.hashCode())).get(0);
    old =
        Cli.cfg(
            Map.of(
                "dataDir",
                dataDir,
                "clientPort",
                port,
                "clientPortAddress",
                "127.0.0.1",
                "admin.enableServer",
                "false"));
    zooCfg = Files.writeString(folder.resolve("zoo.cfg"), old);
    Cli start = Cli.run("server", "start", zooCfg);
    assertEquals(0, start.exitCode(), start::toString);
  }

  @AfterEach
  void stop() {
    children().forEach(each -> each.destroyForcibly());
    children().forEach(each -> each.onExit().join());
  }

  /** The processes of this test's server, with a pid file or without. */
  private List<ProcessHandle> children() {
    String log = "-D" + LogConfig.FILE_PROPERTY + "=" + ServerOutput.in(dataDir).log();
    return ProcessHandle.current()
        .children()
        .filter(each -> each.isAlive() && new ServerProcess(each).wasGiven(log))
        .toList();
  }

  private Path before() {
    return folder.resolve("zoo.cfg.before");
  }

  @Test
  void aFailureOfTheDiskAfterTheStopGivesTheOldValuesBack() throws Exception {
    ServerOutput output = ServerOutput.in(dataDir);
    Files.move(output.printed(), folder.resolve("printed"));
    // No process can be started whose output goes there.
    Files.createDirectory(output.printed());
    Cli failed = Cli.run("server", "set", zooCfg, NEW);
    assertEquals(1, failed.exitCode(), failed::toString);
    assertTrue(failed.err().contains("did not become healthy with " + NEW), failed.err());
    assertTrue(
        failed.err().contains("Its old zoo.cfg is back, but with that it does not serve either"),
        failed.err());
    assertEquals(old, Files.readString(zooCfg));
    assertEquals(old, Files.readString(before()));

    Files.delete(output.printed());
    assertEquals(0, Cli.run("server", "start", zooCfg).exitCode());
    Cli done = Cli.run("server", "set", zooCfg, NEW);
    assertEquals(0, done.exitCode(), done::toString);
    assertTrue(Files.readAllLines(zooCfg).contains(NEW));
    assertFalse(Files.exists(before()));
  }

  @Test
  void whatCannotBeWrittenIsFoundBeforeTheStop() throws Exception {
    Files.createDirectories(folder.resolve("zoo.cfg.next").resolve("in the way"));
    long pid = PidFile.in(dataDir).running().orElseThrow().pid();
    Cli failed = Cli.run("server", "set", zooCfg, NEW);
    assertEquals(1, failed.exitCode(), failed::toString);
    assertTrue(failed.err().contains("was not stopped: Cannot use "), failed.err());
    assertEquals(pid, PidFile.in(dataDir).running().orElseThrow().pid());
    assertEquals(old, Files.readString(zooCfg));
  }

  @Test
  void aProcessWithoutAPidFileIsEndedBeforeTheOldValuesReturn() throws Exception {
    Cli failed = Cli.run("server", "set", zooCfg, NEW, "--timeout", "0");
    assertEquals(1, failed.exitCode(), failed::toString);
    assertTrue(failed.err().contains("It did not serve clients within 0 s"), failed.err());
    assertEquals(old, Files.readString(zooCfg));
    // One that has just been started is not known by its arguments at once.
    assertTrue(Deadline.in(LIMIT).await(() -> children().size() == 1), () -> children().toString());
    ZooCfg cfg = ZooCfg.read(zooCfg);
    assertTrue(
        Deadline.in(LIMIT).await(() -> ServerProbe.of(cfg.client().orElseThrow()).serving()));
    assertEquals(children().get(0).pid(), PidFile.in(dataDir).running().orElseThrow().pid());
  }
}
