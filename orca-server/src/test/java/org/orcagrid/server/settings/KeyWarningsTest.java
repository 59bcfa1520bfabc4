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
package org.orcagrid.server.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.QuorumX509Util;
import org.apache.zookeeper.common.X509Util;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.auth.QuorumAuth;
import org.apache.zookeeper.server.util.JvmPauseMonitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyWarningsTest {
  private static final String PREFIX = "zookeeper.";

  @TempDir Path dir;

  private final ZooKeeperKeys keys = new ZooKeeperKeys();

  private List<String> warnings(String... lines) throws IOException {
    return KeyWarnings.of(Files.write(dir.resolve("zoo.cfg"), List.of(lines)));
  }

  @Test
  void aMisspeltKeyIsToldWithItsLineAndTheNearestKey() throws Exception {
    assertEquals(
        List.of(
            "Unknown key clientPrt in zoo.cfg, line 3; did you mean clientPort? It is passed on as"
                + " a system property zookeeper.clientPrt, as stock does."),
        warnings("# ports", "dataDir=/tmp/x", "clientPrt=2181"));
  }

  @Test
  void aKeyThatIsLikeNoOtherIsToldToo() throws Exception {
    assertEquals(
        List.of(
            "Unknown key colour in zoo.cfg, line 1. It is passed on as a system property"
                + " zookeeper.colour, as stock does."),
        warnings("colour=blue"));
  }

  @Test
  void whatStockReadsFromTheJvmHasNoEffectHere() throws Exception {
    assertEquals(
        List.of(
            "Key jute.maxbuffer in zoo.cfg, line 1 has no effect; ZooKeeper reads it from the JVM:"
                + " add -Djute.maxbuffer=... to JAVA_TOOL_OPTIONS."),
        warnings("jute.maxbuffer=4194304"));
  }

  @Test
  void aKeyThatIsThereTwiceIsTold() throws Exception {
    assertEquals(
        List.of("Key tickTime in zoo.cfg, line 3 is in line 1 already; the later one counts."),
        warnings("tickTime=1", "initLimit=5", "tickTime=2"));
  }

  @Test
  void linesAreReadAsJavaReadsThem() throws Exception {
    assertEquals(
        List.of(
            "Unknown key synLimit in zoo.cfg, line 5; did you mean syncLimit? It is passed on as a"
                + " system property zookeeper.synLimit, as stock does."),
        warnings("! a comment \\", "4lw.commands.whitelist = ruok,\\", "  srvr", "", "synLimit:3"));
  }

  @ParameterizedTest
  @CsvSource({
    "clientport, clientPort",
    "servr.3, server.3",
    "servers.12, server.12",
    "wieght.2, weight.2",
    "autopurge.purgeIntreval, autopurge.purgeInterval",
    "ssl.keystore.location, ssl.keyStore.location",
    "ssl.quorum.keystore.pasword, ssl.quorum.keyStore.password",
    "4lw.command.whitelist, 4lw.commands.whitelist",
    "zookeeper.snapCount, snapCount",
    "maxClientConns, maxClientCnxns"
  })
  void theNearestKey(String misspelt, String meant) {
    assertEquals(Optional.of(meant), keys.nearest(misspelt));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.1",
        "group.2",
        "weight.3",
        "authProvider.1",
        "authProvider.sasl",
        "metricsProvider.httpPort",
        "readonlymode.enabled",
        "orca.durability"
      })
  void keysThatAreFine(String key) throws Exception {
    assertEquals(List.of(), warnings(key + "=1"));
  }

  @Test
  void everyPropertyThatTheReleasedJarNamesIsKnown() throws Exception {
    TreeSet<String> unknown = new TreeSet<>();
    Set<String> found = constants();
    assertTrue(found.contains("zookeeper.snapCount") && found.size() > 100, () -> "" + found);
    for (String constant : found) {
      String key = constant.substring(PREFIX.length());
      // A dot at the end: the code appends to it; the two kinds of TLS are looked at below.
      boolean prefix = key.isEmpty() || key.endsWith(".");
      if (!prefix && !keys.isKnown(key)) {
        unknown.add(key);
      }
    }
    assertEquals(new TreeSet<>(), unknown);
  }

  @Test
  void everyPropertyOfTlsIsKnown() throws Exception {
    int looked = 0;
    try (ClientX509Util clients = new ClientX509Util();
        QuorumX509Util quorum = new QuorumX509Util()) {
      for (X509Util each : List.of(clients, quorum)) {
        for (Method method : each.getClass().getMethods()) {
          if (method.getName().matches("getSsl.*Property") && method.getParameterCount() == 0) {
            String property = (String) method.invoke(each);
            assertTrue(keys.isKnown(property.substring(PREFIX.length())), property);
            looked++;
          }
        }
      }
    }
    assertTrue(looked > 30, "looked at " + looked);
  }

  @Test
  void theKeysThatStockParsesAreKnown() {
    for (String key :
        List.of(
            QuorumAuth.QUORUM_SASL_AUTH_ENABLED,
            QuorumAuth.QUORUM_SERVER_SASL_AUTH_REQUIRED,
            QuorumAuth.QUORUM_LEARNER_SASL_AUTH_REQUIRED,
            QuorumAuth.QUORUM_LEARNER_SASL_LOGIN_CONTEXT,
            QuorumAuth.QUORUM_SERVER_SASL_LOGIN_CONTEXT,
            QuorumAuth.QUORUM_KERBEROS_SERVICE_PRINCIPAL,
            JvmPauseMonitor.JVM_PAUSE_MONITOR_FEATURE_SWITCH_KEY,
            JvmPauseMonitor.SLEEP_TIME_MS_KEY,
            JvmPauseMonitor.WARN_THRESHOLD_KEY,
            JvmPauseMonitor.INFO_THRESHOLD_KEY)) {
      assertTrue(keys.isKnown(key), key);
    }
  }

  /** The strings in the class files of ZooKeeper's jar that look like names of its properties. */
  private static Set<String> constants() throws Exception {
    Path jar =
        Path.of(QuorumPeerConfig.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> found = new TreeSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (entry.getName().endsWith(".class")) {
          try (InputStream in = file.getInputStream(entry)) {
            addConstants(new DataInputStream(in), found);
          }
        }
      }
    }
    return found;
  }

  /** The pool of constants, as section 4.4 of the JVM's specification lays it out. */
  private static void addConstants(DataInputStream in, Set<String> found) throws IOException {
    in.skipNBytes(8);
    int count = in.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> {
          String text = in.readUTF();
          if (text.matches("zookeeper\\.[A-Za-z0-9_.-]*")) {
            found.add(text);
          }
        }
        case 5, 6 -> {
          in.skipNBytes(8);
          i++;
        }
        case 15 -> in.skipNBytes(3);
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        default -> in.skipNBytes(4);
      }
    }
  }
}
