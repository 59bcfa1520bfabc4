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

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with TLS starts with a keystore that it can open, or says why it cannot. */
@Timeout(90)
class ServerTlsTest {
  private static final String PASSWORD = "correct";

  @TempDir private static Path stores;
  private static Path keys;
  private static Path trust;

  @TempDir Path folder;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private Path dataDir;
  private List<Integer> ports;

  @BeforeAll
  static void makeStores() throws Exception {
    keys = keyStore("keys.p12", "-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost");
    Path certificate = stores.resolve("a.pem");
    keyStore("keys.p12", "-exportcert", "-rfc", "-file", certificate.toString());
    trust = keyStore("t.p12", "-importcert", "-noprompt", "-file", certificate.toString());
  }

  @BeforeEach
  void describeAServer() throws Exception {
    dataDir = folder.resolve("data");
    ports = FreePorts.find(2, new Random(folder.hashCode()));
    settings.put("dataDir", dataDir);
    settings.put("secureClientPort", ports.get(0));
    settings.put("secureClientPortAddress", "127.0.0.1");
    settings.put("admin.enableServer", "false");
    settings.put("serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory");
    settings.put("ssl.keyStore.location", keys);
    settings.put("ssl.keyStore.password", PASSWORD);
    settings.put("ssl.trustStore.location", trust);
    settings.put("ssl.trustStore.password", PASSWORD);
  }

  @AfterEach
  void endWhatAFailedTestLeft() throws Exception {
    PidFile.in(dataDir).running().ifPresent(ServerProcess::kill);
  }

  private static Path keyStore(String name, String... how) throws Exception {
    Path store = stores.resolve(name);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(how));
    command.addAll(List.of("-alias", "a", "-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of("-storetype", "PKCS12"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return store;
  }

  private Path zooCfg() throws Exception {
    return Files.writeString(folder.resolve("zoo.cfg"), Cli.cfg(settings));
  }

  private void assertRefused(String sentence) throws Exception {
    Cli run = Cli.run("server", "run", zooCfg());
    assertEquals(1, run.exitCode());
    assertTrue(run.err().startsWith("orca: " + sentence), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void aWrongPasswordIsRefusedAndNothingRuns() throws Exception {
    settings.put("ssl.keyStore.password", "wrong");
    Cli start = Cli.run("server", "start", zooCfg());
    assertEquals(1, start.exitCode());
    assertEquals(
        "orca: The password does not open "
            + keys
            + " (ssl.keyStore.location in "
            + folder.resolve("zoo.cfg")
            + "); correct ssl.keyStore.password.",
        start.err().strip());
    assertEquals(1, Cli.run("server", "status", zooCfg()).exitCode());
    // Not a line of a log before the sentence.
    assertEquals("", Files.readString(dataDir.resolve("orca.log")));
    assertEquals(start.err().strip(), Files.readString(dataDir.resolve("orca.out")).strip());
  }

  @Test
  void aPasswordInAFileCountsToo() throws Exception {
    settings.put("ssl.trustStore.passwordPath", Files.writeString(folder.resolve("p"), "wrong"));
    assertRefused("The password does not open " + trust + " (ssl.trustStore.location in ");
    settings.put("ssl.trustStore.passwordPath", folder.resolve("none"));
    assertRefused("The file " + folder.resolve("none") + " (ssl.trustStore.passwordPath in ");
  }

  @Test
  void aMissingStoreIsNamed() throws Exception {
    settings.put("ssl.trustStore.location", folder.resolve("none.p12"));
    assertRefused("There is no file " + folder.resolve("none.p12") + " (ssl.trustStore.location");
    settings.remove("ssl.keyStore.location");
    assertRefused("secureClientPort in " + folder.resolve("zoo.cfg") + " needs a certificate;");
  }

  @Test
  void whatIsNoKeyStoreIsNamed() throws Exception {
    Files.writeString(folder.resolve("text.jks"), "not a keystore");
    settings.put("ssl.keyStore.location", folder.resolve("text.jks"));
    assertRefused("Cannot use " + folder.resolve("text.jks") + " (ssl.keyStore.location in ");
  }

  @Test
  void aKeyStoreWithoutAKeyIsRefused() throws Exception {
    settings.put("ssl.keyStore.location", trust);
    assertRefused(trust + " (ssl.keyStore.location in " + zooCfg() + ") has no private key");
    settings.put("ssl.keyStore.location", keys);
    settings.put("ssl.trustStore.location", keys);
    assertRefused(keys + " (ssl.trustStore.location in " + zooCfg() + ") has no trusted");
  }

  @Test
  void theQuorumsKeyStoreIsOpenedToo() throws Exception {
    Files.createDirectories(dataDir);
    Files.writeString(dataDir.resolve("myid"), "1");
    settings.put("server.1", "127.0.0.1:" + ports.get(1) + ":1");
    settings.put("server.2", "127.0.0.1:2:3");
    settings.put("sslQuorum", "true");
    assertRefused("sslQuorum in " + folder.resolve("zoo.cfg") + " needs a certificate;");
    settings.put("ssl.quorum.keyStore.location", folder.resolve("none.p12"));
    assertRefused("There is no file " + folder.resolve("none.p12") + " (ssl.quorum.keyStore");
  }

  @Test
  void startWaitsForTheHandshakeBesideAPlainPort() throws Exception {
    settings.put("clientPort", ports.get(1));
    settings.put("clientPortAddress", "127.0.0.1");
    Cli start = Cli.run("server", "start", zooCfg());
    assertEquals(0, start.exitCode(), start.err());
    ZooCfg cfg = ZooCfg.read(zooCfg());
    assertTrue(TlsProbe.of(cfg.secureClient().orElseThrow()).objection().isEmpty());
    TlsProbe plain = TlsProbe.of(cfg.client().orElseThrow());
    assertFalse(plain.objection().isEmpty(), "it is in the clear");
    assertEquals(0, Cli.run("server", "stop", zooCfg()).exitCode());
  }

  @Test
  void tlsNeedsNetty() throws Exception {
    settings.put("serverCnxnFactory", "org.apache.zookeeper.server.NIOServerCnxnFactory");
    assertRefused("secureClientPort in " + zooCfg() + " needs Netty; add serverCnxnFactory=");
  }

  @Test
  void startWaitsForTheHandshakeAlone() throws Exception {
    Cli start = Cli.run("server", "start", zooCfg());
    assertEquals(0, start.exitCode(), start.err());
    assertEquals(0, Cli.run("server", "stop", zooCfg()).exitCode());
  }
}
