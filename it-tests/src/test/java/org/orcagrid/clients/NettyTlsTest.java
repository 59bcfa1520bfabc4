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
package org.orcagrid.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;

/** TLS with client certificates on the Netty factory; the plain port beside it. */
@Timeout(120)
class NettyTlsTest {
  private static final String PASSWORD = "password";

  @TempDir static Path folder;
  private static EnsembleProcesses ensemble;
  private static final List<Integer> SECURE_PORTS = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    keyStore("server");
    keyStore("client");
    keyStore("stranger");
    trust("server", "client");
    trust("client", "server");
    trust("stranger", "server");
    EnsembleSpec spec =
        RunningEnsemble.spec(3, folder.resolve("servers"))
            .withSettings(
                Map.of(
                    "serverCnxnFactory",
                    "org.apache.zookeeper.server.NettyServerCnxnFactory",
                    "ssl.keyStore.location",
                    file("server", "key"),
                    "ssl.keyStore.password",
                    PASSWORD,
                    "ssl.trustStore.location",
                    file("server", "trust"),
                    "ssl.trustStore.password",
                    PASSWORD,
                    "ssl.hostnameVerification",
                    "false"));
    for (int id = 1; id <= 3; id++) {
      try (ServerSocket free = new ServerSocket(0)) {
        SECURE_PORTS.add(free.getLocalPort());
      }
      spec =
          spec.withSettingsOf(
              id,
              Map.of(
                  "secureClientPort",
                  Integer.toString(SECURE_PORTS.get(id - 1)),
                  "secureClientPortAddress",
                  "127.0.0.1"));
    }
    ensemble = RunningEnsemble.start(spec);
  }

  @AfterAll
  static void stop() {
    SECURE_PORTS.clear();
    if (ensemble != null) {
      ensemble.close();
    }
  }

  private static String file(String owner, String kind) {
    return folder.resolve(owner + "-" + kind + ".p12").toString();
  }

  private static void keyStore(String owner) throws Exception {
    keytool(
        "-genkeypair",
        "-alias",
        owner,
        "-keyalg",
        "RSA",
        "-keysize",
        "2048",
        "-validity",
        "2",
        "-dname",
        "CN=" + owner,
        "-storetype",
        "PKCS12",
        "-keystore",
        file(owner, "key"));
    keytool(
        "-exportcert",
        "-alias",
        owner,
        "-keystore",
        file(owner, "key"),
        "-file",
        folder.resolve(owner + ".cer").toString());
  }

  private static void trust(String owner, String trusted) throws Exception {
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        trusted,
        "-storetype",
        "PKCS12",
        "-keystore",
        file(owner, "trust"),
        "-file",
        folder.resolve(trusted + ".cer").toString());
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storepass", PASSWORD));
    Path output = Files.createTempFile(folder, "keytool", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), Files.readString(output));
  }

  private static ZKClientConfig identity(String owner) {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty("zookeeper.ssl.keyStore.location", file(owner, "key"));
    config.setProperty("zookeeper.ssl.keyStore.password", PASSWORD);
    config.setProperty("zookeeper.ssl.trustStore.location", file(owner, "trust"));
    config.setProperty("zookeeper.ssl.trustStore.password", PASSWORD);
    config.setProperty("zookeeper.ssl.hostnameVerification", "false");
    return config;
  }

  /** Whether a client that goes by {@code owner}'s certificate is connected within the time. */
  private static boolean connects(String owner, int seconds) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper client =
        new ZooKeeper(
            secure(1),
            5_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            },
            identity(owner))) {
      return connected.await(seconds, TimeUnit.SECONDS);
    }
  }

  private static String secure(int id) {
    return "127.0.0.1:" + SECURE_PORTS.get(id - 1);
  }

  @Test
  void aTrustedClientReadsWritesAndWatchesOnEveryServer() throws Exception {
    for (int id = 1; id <= 3; id++) {
      String path = "/tls-" + id;
      CountDownLatch fired = new CountDownLatch(1);
      try (ZooKeeper client = new ZooKeeper(secure(id), 5_000, event -> {}, identity("client"));
          ZooKeeper plain =
              new ZooKeeper(RunningEnsemble.address(ensemble, 1 + id % 3), 5_000, event -> {})) {
        client.create(path, "a".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertEquals(
            "a", new String(client.getData(path, event -> fired.countDown(), null), UTF_8));
        plain.setData(path, "b".getBytes(UTF_8), -1);
        assertTrue(fired.await(30, TimeUnit.SECONDS));
        assertEquals("b", new String(client.getData(path, false, null), UTF_8));
      }
    }
  }

  @Test
  void aStrangerIsRefused() throws Exception {
    assertTrue(connects("client", 30));
    assertFalse(connects("stranger", 3));
  }

  @Test
  void plainTextAtTheSecurePortIsRefused() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SECURE_PORTS.get(0))) {
      socket.setSoTimeout(30_000);
      // With its end of line it is as long as the head of a TLS record, and is judged at once.
      socket.getOutputStream().write("ruok\n".getBytes(UTF_8));
      socket.getOutputStream().flush();
      assertFalse(answer(socket.getInputStream()).contains("imok"));
    }
  }

  private static String answer(InputStream stream) {
    try {
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      return "closed: " + e.getMessage();
    }
  }
}
