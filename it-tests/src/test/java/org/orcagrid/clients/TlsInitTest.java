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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.zookeeper.CreateMode;
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
import org.orcagrid.cli.Orca;

/** Servers and clients with the files, lines and flags that {@code orca tls init} gives. */
@Timeout(120)
class TlsInitTest {
  @TempDir static Path folder;
  private static Path tls;
  private static String printed;
  private static EnsembleProcesses ensemble;
  private static final List<Integer> SECURE_PORTS = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    tls = folder.resolve("tls");
    StringWriter out = new StringWriter();
    int exitCode =
        Orca.commandLine()
            .setOut(new PrintWriter(out))
            .execute("tls", "init", "--dir", tls.toString(), "--hosts", "localhost,127.0.0.1");
    printed = out.toString();
    assertEquals(0, exitCode, printed);
    Map<String, String> lines = lines("Lines for the zoo.cfg of every server:");
    assertEquals("2281", lines.remove("secureClientPort"));
    EnsembleSpec spec = RunningEnsemble.spec(3, folder.resolve("servers")).withSettings(lines);
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

  /** The lines of key=value below a title of what was printed. */
  private static Map<String, String> lines(String title) {
    return printed
        .substring(printed.indexOf(title) + title.length())
        .lines()
        .skip(1)
        .takeWhile(line -> line.startsWith("    "))
        .map(line -> line.trim().split("=", 2))
        .collect(
            Collectors.toMap(
                line -> line[0], line -> line[1], (first, second) -> second, LinkedHashMap::new));
  }

  @Test
  void aClientWithThePrintedFlagsReadsAndWritesOnEveryServer() throws Exception {
    ZKClientConfig flags = new ZKClientConfig();
    lines("A client in Java")
        .forEach((flag, value) -> flags.setProperty(flag.substring("-D".length()), value));
    ZKClientConfig file = new ZKClientConfig(tls.resolve("client.properties"));
    for (ZKClientConfig identity : List.of(flags, file)) {
      for (int id = 1; id <= 3; id++) {
        try (ZooKeeper client =
            new ZooKeeper("localhost:" + SECURE_PORTS.get(id - 1), 5_000, e -> {}, identity)) {
          String path =
              client.create(
                  "/tls-",
                  "a".getBytes(UTF_8),
                  Ids.OPEN_ACL_UNSAFE,
                  CreateMode.PERSISTENT_SEQUENTIAL);
          assertEquals("a", new String(client.getData(path, false, null), UTF_8));
        }
      }
    }
  }

  @Test
  void aClientWithoutACertificateIsRefused() throws Exception {
    assertFalse(answers(context(null, "truststore")), "without a certificate");
    assertFalse(answers(context("quorum", "truststore")), "with one of the other authority");
    assertTrue(answers(context("client", "truststore")), "with a client's");
  }

  @Test
  void aClientsCertificateDoesNotOpenTheServersOwnPorts() throws Exception {
    assertFalse(shakesHands(context("client", "quorum-truststore")), "a client among servers");
    assertTrue(shakesHands(context("quorum", "quorum-truststore")), "a server");
  }

  /** Whether the first server answers a question at its port for clients. */
  private static boolean answers(SSLContext context) throws IOException {
    try (SSLSocket socket = connect(context, SECURE_PORTS.get(0))) {
      socket.getOutputStream().write("srvr".getBytes(UTF_8));
      return socket.getInputStream().read() >= 0;
    } catch (SSLException | SocketException e) {
      return false;
    }
  }

  /** Whether it takes a connection at the port for the election. */
  private static boolean shakesHands(SSLContext context) throws IOException {
    try (SSLSocket socket = connect(context, ensemble.member(1).electionPort())) {
      // In this version the handshake ends after the server has looked at the certificate.
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.startHandshake();
      return true;
    } catch (SSLException | SocketException e) {
      return false;
    }
  }

  private static SSLSocket connect(SSLContext context, int port) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
    return socket;
  }

  private static SSLContext context(String own, String trust) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    if (own == null) {
      keys.init(null, null);
    } else {
      keys.init(store(own), password(own));
    }
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(store(trust));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private static KeyStore store(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(tls.resolve(name + ".p12"))) {
      store.load(in, password(name));
    }
    return store;
  }

  private static char[] password(String name) throws IOException {
    return Files.readString(tls.resolve(name + ".password")).toCharArray();
  }
}
