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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code orca server check} says of a configuration, and that it starts nothing. */
class ServerCheckTest {
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

  private Cli check() throws Exception {
    Files.writeString(zooCfg, Cli.cfg(settings));
    return Cli.run("server", "check", zooCfg);
  }

  private List<String> errors() throws Exception {
    Cli check = check();
    assertEquals(1, check.exitCode(), check.out());
    assertFalse(check.out().contains("in order"), check.out());
    return check.out().lines().filter(line -> line.startsWith("error: ")).toList();
  }

  private void assertOneError(String beginning) throws Exception {
    List<String> errors = errors();
    assertEquals(1, errors.size(), () -> "" + errors);
    assertTrue(errors.get(0).startsWith("error: " + beginning), errors.get(0));
  }

  @Test
  void oneThatIsInOrderIsLeftAlone() throws Exception {
    settings.put("pathStats.delay", "7");
    Cli check = check();

    assertEquals("zoo.cfg is in order.\n", check.out());
    assertEquals(0, check.exitCode());
    assertFalse(Files.exists(dataDir), "nothing is made");
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(zooCfg), files.toList());
    }
    assertNull(System.getProperty("zookeeper.pathStats.delay"), "nothing is published");
  }

  @Test
  void aWarningAloneIsNoFailure() throws Exception {
    settings.put("maxClientConns", "60");
    Cli check = check();

    assertEquals(
        """
        warning: Unknown key maxClientConns in zoo.cfg, line 5; did you mean maxClientCnxns? It is \
        passed on as a system property zookeeper.maxClientConns, as stock does.
        zoo.cfg is in order.
        """,
        check.out());
    assertEquals(0, check.exitCode());
  }

  @Test
  void everyProblemIsShownAtOnce() throws Exception {
    settings.put("tickTime", "soon");
    settings.put("initLimit", "ten");
    settings.put("orca.durability", "sometimes");
    settings.put("clientPrt", "1");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings.put("clientPort", taken.getLocalPort());
      Cli check = check();

      assertEquals(1, check.exitCode());
      for (String part :
          List.of(
              "error: tickTime=soon in ",
              "error: initLimit=ten in ",
              "error: orca.durability=sometimes is not known",
              "error: Port " + taken.getLocalPort() + " (clientPort) is taken by ",
              "warning: Unknown key clientPrt ")) {
        assertTrue(check.out().contains(part), () -> part + " in " + check.out());
      }
    }
  }

  @Test
  void aFileThatIsNotThere() {
    Cli check = Cli.run("server", "check", folder.resolve("none"));

    assertEquals(1, check.exitCode());
    assertTrue(check.out().startsWith("error: There is no file "), check.out());
  }

  @Test
  void aMisspeltDataDirIsNamedWithWhatWasMeant() throws Exception {
    settings.remove("dataDir");
    settings.put("dataDr", dataDir);

    assertOneError("No dataDir in ");
    assertTrue(check().out().contains("did you mean dataDir?"), check().out());
  }

  @ParameterizedTest
  @CsvSource({
    "orca.nonsense, 1, Unknown setting orca.nonsense",
    "peerType, guest, Cannot use",
    "electionAlg, 1, Cannot use",
    "clientPort, 0, clientPort=0",
    "readonlymode.enabled, maybe, readonlymode.enabled must be",
    "dynamicConfigFile, /no/such/file, There is no file /no/such/file"
  })
  void badKeyOrValue(String key, String value, String beginning) throws Exception {
    settings.put(key, value);
    assertOneError(beginning);
  }

  @Test
  void theUsersOwnFileIsNamed() throws Exception {
    settings.put("peerType", "guest");
    assertTrue(errors().get(0).contains(" " + zooCfg + " "), () -> check0().out());
  }

  private Cli check0() {
    return Cli.run("server", "check", zooCfg);
  }

  @Test
  void missingMyId() throws Exception {
    settings.put("server.1", "127.0.0.1:1:2");
    settings.put("server.2", "127.0.0.1:3:4");
    settings.put("initLimit", "5");
    settings.put("syncLimit", "5");
    assertOneError("There is no " + dataDir.resolve("myid"));
  }

  @Test
  void aDataFolderThatCannotBe() throws Exception {
    Files.writeString(dataDir, "");
    settings.put("dataLogDir", dataDir.resolve("log"));
    List<String> errors = errors();

    assertTrue(errors.get(0).contains(dataDir + " is not a folder"), () -> "" + errors);
    assertTrue(errors.get(1).contains("choose another dataLogDir"), () -> "" + errors);
  }

  @Test
  void theAdminServersPort() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      settings.put("admin.enableServer", "true");
      settings.put("admin.serverPort", taken.getLocalPort());
      assertOneError(
          "Port " + taken.getLocalPort() + " (admin.serverPort, of AdminServer) is taken by ");
    }
  }

  @Test
  void tlsWithoutNettyAndStores() throws Exception {
    settings.put("secureClientPort", FreePorts.find(1, new Random(7)).get(0));
    List<String> errors = errors();

    assertTrue(errors.get(0).contains("needs Netty; add serverCnxnFactory="), () -> "" + errors);
    assertTrue(errors.get(1).contains("add ssl.keyStore.location"), () -> "" + errors);
  }

  @Test
  void storesThatCannotBeOpened() throws Exception {
    Path store = folder.resolve("store.p12");
    KeyStore empty = KeyStore.getInstance("PKCS12");
    empty.load(null, null);
    try (OutputStream out = Files.newOutputStream(store)) {
      empty.store(out, "right".toCharArray());
    }
    settings.put("client.portUnification", "true");
    settings.put("ssl.keyStore.location", store);
    settings.put("ssl.keyStore.password", "wrong");
    settings.put("ssl.trustStore.location", folder.resolve("none.p12"));
    List<String> errors = errors();

    assertEquals(2, errors.size(), () -> "" + errors);
    assertTrue(
        errors
            .get(0)
            .contains("The password does not open " + store + " (ssl.keyStore.location in "),
        errors.get(0));
    assertTrue(errors.get(0).contains("correct ssl.keyStore.password"), errors.get(0));
    assertTrue(errors.get(1).contains("There is no file " + folder.resolve("none.p12")));
  }

  @Test
  void aPasswordsFileThatIsNotThere() throws Exception {
    Path store = Files.createFile(folder.resolve("store.p12"));
    settings.put("client.portUnification", "true");
    settings.put("ssl.keyStore.location", store);
    settings.put("ssl.keyStore.passwordPath", folder.resolve("no-password"));
    settings.put("ssl.trustStore.location", store);
    settings.put("ssl.trustStore.passwordPath", folder.resolve("no-password"));

    for (String error : errors()) {
      assertTrue(error.contains("The file " + folder.resolve("no-password")), error);
    }
  }

  @Test
  void theStartTellsOfUnknownKeysToo() throws Exception {
    settings.put("maxClientConns", "60");
    settings.put("orca.durability", "sometimes");
    Files.writeString(zooCfg, Cli.cfg(settings));
    Cli start = Cli.run("server", "start", zooCfg);

    assertTrue(
        start.err().startsWith("Warning: Unknown key maxClientConns in zoo.cfg, line 5; "),
        start.err());
  }
}
