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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;

/** What an operator reads when a server cannot start: one sentence, and nothing was started. */
class ServerErrorsTest {
  @TempDir Path folder;
  private Path zooCfg;
  private Path dataDir;
  private final Map<String, Object> settings = new LinkedHashMap<>();

  @BeforeEach
  void describeAServer() throws Exception {
    zooCfg = folder.resolve("zoo.cfg");
    dataDir = folder.resolve("data");
    settings.put("dataDir", dataDir);
    settings.put("clientPort", FreePorts.find(1, new Random(dataDir.hashCode())).get(0));
    settings.put("clientPortAddress", "127.0.0.1");
    settings.put("admin.enableServer", "false");
  }

  @Test
  void takenPort() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings.put("clientPort", taken.getLocalPort());
      assertRefused("Port " + taken.getLocalPort() + " (clientPort) is taken by ");
    }
  }

  @Test
  void dataFolderInUse() throws Exception {
    try (DataDirLock held = DataDirLock.acquire(dataDir)) {
      assertRefused("The data folder " + dataDir + " is in use", held);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "orca.nonsense, 1, orca.nonsense",
    "orca.durability, sometimes, sometimes",
    "tickTime, soon, tickTime=soon",
    "peerType, guest, guest",
    "clientPort, 0, clientPort=0",
    "electionAlg, 1, electionAlg"
  })
  void badKeyOrValue(String key, String value, String named) throws Exception {
    settings.put(key, value);
    Files.writeString(zooCfg, Cli.cfg(settings));
    Cli run = Cli.run("server", "run", zooCfg);
    assertOneSentence(run);
    assertTrue(run.err().contains(named), run.err());
  }

  @Test
  void missingMyId() throws Exception {
    settings.put("server.1", "127.0.0.1:1:2");
    settings.put("server.2", "127.0.0.1:3:4");
    assertRefused("There is no " + dataDir.resolve("myid"));
  }

  @Test
  void unreadableFile() {
    for (String command : new String[] {"run", "start", "stop", "status"}) {
      Cli cli = Cli.run("server", command, folder.resolve("none"));
      assertOneSentence(cli);
      assertTrue(cli.err().contains("There is no file"), cli.err());
    }
  }

  @Test
  void dataFolderThatIsAFile() throws Exception {
    Files.writeString(dataDir, "");
    Files.writeString(zooCfg, Cli.cfg(settings));
    for (String command : new String[] {"run", "start"}) {
      Cli cli = Cli.run("server", command, zooCfg);
      assertOneSentence(cli);
      assertTrue(cli.err().contains(dataDir.toString()), cli.err());
    }
  }

  @Test
  void whatTheBackgroundProcessSaidIsPassedOn() throws Exception {
    settings.put("orca.durability", "sometimes");
    Files.writeString(zooCfg, Cli.cfg(settings));
    Cli start = Cli.run("server", "start", zooCfg);
    assertOneSentence(start);
    assertTrue(start.err().contains("sometimes"), start.err());
    assertEquals(1, Cli.run("server", "status", zooCfg).exitCode());
  }

  @Test
  void adminServersPortTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings.put("admin.enableServer", "true");
      settings.put("admin.serverPort", taken.getLocalPort());
      assertRefused(
          "Port " + taken.getLocalPort() + " (admin.serverPort, of AdminServer) is taken");
    }
  }

  @Test
  void consolesPortTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings.put("orca.consolePort", taken.getLocalPort());
      assertRefused("Port " + taken.getLocalPort() + " (orca.consolePort) is taken by ");
    }
  }

  @ParameterizedTest
  @CsvSource({"peerType, guest", "electionAlg, 1"})
  void noLineOfALogPrecedesTheSentence(String key, String value) throws Exception {
    settings.put(key, value);
    Files.writeString(zooCfg, Cli.cfg(settings));
    Launched launched =
        ProcessLauncher.launch(ServerProgram.orca(), zooCfg, dataDir, Lifetime.ATTACHED);
    try {
      assertTrue(launched.process().waitFor(30, TimeUnit.SECONDS));
      String said = Files.readString(launched.output().printed());
      assertTrue(said.matches("orca: [^\\n]+\\.\\n"), said);
    } finally {
      launched.process().destroyForcibly();
    }
  }

  private void assertRefused(String beginning, Object... whileHeld) throws Exception {
    Files.writeString(zooCfg, Cli.cfg(settings));
    Cli run = Cli.run("server", "run", zooCfg);
    assertOneSentence(run);
    assertTrue(run.err().startsWith("orca: " + beginning), () -> run.err() + whileHeld.length);
  }

  private static void assertOneSentence(Cli cli) {
    assertEquals(1, cli.exitCode(), cli.err());
    assertTrue(cli.err().matches("orca: [^\\n]+\\.\\n"), cli.err());
  }
}
