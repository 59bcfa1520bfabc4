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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooCfgTest {
  @TempDir Path folder;

  /** ZooKeeper's parser publishes a zoo.cfg of an earlier test to the whole JVM. */
  @BeforeEach
  void forgetWhatOthersHavePublished() {
    System.clearProperty("zookeeper.admin.enableServer");
  }

  @Test
  void readsAStandaloneServer() throws Exception {
    ZooCfg cfg =
        read("dataDir=" + folder + "/data\nclientPort= 2181 \nclientPortAddress=127.0.0.1\n");
    assertEquals(folder.resolve("data"), cfg.dataDir());
    assertEquals(Optional.of("127.0.0.1:2181"), cfg.client().map(Addresses::text));
    assertEquals(Optional.empty(), cfg.self());
    assertEquals(8080, cfg.adminPort());
    assertTrue(cfg.autoCreate());
    cfg.requireDataDir();
  }

  @Test
  void findsTheClientPortInItsOwnServerLine() throws Exception {
    myId("2");
    ZooCfg cfg =
        read(
            "dataDir="
                + folder
                + "\nserver.1=a:2888:3888;2181\nserver.2=127.0.0.1:2889:3889:participant;2182\n");
    assertEquals(2, cfg.servers());
    assertEquals(2182, cfg.anyClientAddress().getPort());
    assertEquals(
        List.of("127.0.0.1:2889", "127.0.0.1:3889"),
        cfg.self().orElseThrow().peers().stream().map(Addresses::text).toList());
  }

  @Test
  void followsTheDynamicConfiguration() throws Exception {
    myId("1");
    Path dynamic = Files.writeString(folder.resolve("dyn"), "server.1=[::1]:1:2;[::1]:2181\n");
    ZooCfg cfg = read("dataDir=" + folder + "\ndynamicConfigFile=" + dynamic + "\n");
    assertEquals("[0:0:0:0:0:0:0:1]:2181", Addresses.text(cfg.anyClientAddress()));
  }

  @Test
  void readsEveryAddressOfAServerWithSeveral() throws Exception {
    ServerLine line =
        ServerLine.parse(folder, "server.1", "127.0.0.1:1:2|127.0.0.2:3:4;0.0.0.0:2181");
    assertEquals(
        List.of(1, 2, 3, 4), line.peers().stream().map(InetSocketAddress::getPort).toList());
    assertEquals("localhost", Addresses.reachable(line.client().orElseThrow()).getHostString());
  }

  @Test
  void aServerOfSeveralNeedsItsOwnNumber() throws Exception {
    String text = "dataDir=" + folder + "\nclientPort=1\nserver.1=a:1:2\nserver.2=b:1:2\n";
    ZooCfg without = read(text);
    CommandFailure missing = assertThrows(CommandFailure.class, without::requireDataDir);
    assertTrue(
        missing.getMessage().startsWith("There is no " + folder.resolve("myid")),
        missing.getMessage());

    myId("7");
    ZooCfg stranger = read(text);
    CommandFailure wrong = assertThrows(CommandFailure.class, stranger::requireDataDir);
    assertTrue(wrong.getMessage().contains("there is no server.7"), wrong.getMessage());
  }

  @Test
  void aMissingFolderMayMeanAMissingMount() throws Exception {
    ZooCfg cfg = read("dataDir=" + folder + "/mount\nclientPort=1\ndatadir.autocreate=false\n");
    CommandFailure failure = assertThrows(CommandFailure.class, cfg::requireDataDir);
    assertTrue(failure.getMessage().contains("datadir.autocreate"), failure.getMessage());
  }

  @Test
  void saysWhatIsWrong() throws Exception {
    assertFails("clientPort=1\n", "No dataDir in ");
    assertFails("dataDir=x\nclientPort=70000\n", "clientPort=70000 in ");
    assertFails("dataDir=x\nsecureClientPort=tls\n", "secureClientPort=tls in ");
    ZooCfg portless = read("dataDir=x\n");
    assertTrue(
        assertThrows(CommandFailure.class, portless::anyClientAddress)
            .getMessage()
            .startsWith("No client port in "));
    assertTrue(
        assertThrows(CommandFailure.class, () -> ZooCfg.read(folder.resolve("none")))
            .getMessage()
            .startsWith("There is no file "));
    assertTrue(
        assertThrows(CommandFailure.class, () -> ZooCfg.read(folder))
            .getMessage()
            .contains("it is a folder"));
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertTrue(
        assertThrows(CommandFailure.class, () -> ZooCfg.read(binary))
            .getMessage()
            .contains("not a text file"));
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    Path file = folder.resolve("zoo.cfg");
    Map<String, String> settings = Map.of("dataDir", "C:\\data dir", "orca.durability", "a=b:c#d");
    Files.writeString(file, ZooCfgWriter.text(settings));
    Properties read = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      read.load(in);
    }
    assertEquals(settings, read);
  }

  @Test
  void refusesWhatWouldBecomeAnotherSetting() {
    assertEquals(2, refused(Map.of("a b", "c")).exitCode());
    assertEquals(2, refused(Map.of("a", "b\nclientPort=1")).exitCode());
  }

  private static CommandFailure refused(Map<String, String> settings) {
    return assertThrows(CommandFailure.class, () -> ZooCfgWriter.text(settings));
  }

  private void assertFails(String text, String start) {
    CommandFailure failure = assertThrows(CommandFailure.class, () -> read(text));
    assertTrue(failure.getMessage().startsWith(start), failure.getMessage());
    assertTrue(failure.getMessage().endsWith("."), failure.getMessage());
  }

  private ZooCfg read(String text) throws IOException, CommandFailure {
    return ZooCfg.read(Files.writeString(folder.resolve("zoo.cfg"), text));
  }

  private void myId(String id) throws IOException {
    Files.writeString(folder.resolve("myid"), id + "\n");
  }
}
