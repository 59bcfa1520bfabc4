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
package org.orcagrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;

class OrcaServerConfigTest {
  private static final String LEAK = "zookeeper.orca.flushIntervalMs";

  @TempDir Path dir;

  @AfterEach
  void clear() {
    System.clearProperty(LEAK);
    System.clearProperty("zookeeper.orca.durability");
    System.clearProperty("readonlymode.enabled");
  }

  private OrcaServerConfig read(String... lines) throws IOException, OrcaConfigException {
    return OrcaServerConfig.fromZooCfg(write(lines));
  }

  private Path write(String... lines) throws IOException {
    String text = "dataDir=" + dir + "\nclientPort=2181\n" + String.join("\n", lines) + "\n";
    return Files.writeString(dir.resolve("zoo.cfg"), text);
  }

  @Test
  void anOrdinaryFileGivesTheDefaults() throws Exception {
    OrcaServerConfig config = read();

    assertEquals(OrcaSettings.defaults(), config.settings());
    assertEquals(dir, config.dataDir());
    assertEquals(2181, config.clientAddress().getPort());
    assertFalse(config.isMember());
  }

  @Test
  void theFilesKeysWinOverSystemProperties() throws Exception {
    System.setProperty(LEAK, "5");

    assertEquals(7_000_000, read("orca.flushIntervalMs=7").settings().flushIntervalNanos());
    assertEquals(5_000_000, read().settings().flushIntervalNanos());
  }

  @Test
  void itsKeysDoNotLeakIntoTheJvm() throws Exception {
    read("orca.flushIntervalMs=7", "orca.durability=async");

    assertNull(System.getProperty(LEAK));
    assertNull(System.getProperty("zookeeper.orca.durability"));
    assertEquals(OrcaSettings.defaults(), read().settings());
  }

  @Test
  void aPropertyThatTheUserHadSetKeepsItsValue() throws Exception {
    System.setProperty(LEAK, "5");
    read("orca.flushIntervalMs=7");

    assertEquals("5", System.getProperty(LEAK));
  }

  @Test
  void itsKeysDoNotLeakFromAFileThatCannotBeUsedEither() throws Exception {
    Path file = write("orca.flushIntervalMs=7", "tickTime=often");

    assertThrows(OrcaConfigException.class, () -> OrcaServerConfig.fromZooCfg(file));
    assertNull(System.getProperty(LEAK));
  }

  @Test
  void aMissingFileIsNamedWithTheFix() {
    Path file = dir.resolve("none.cfg");
    OrcaConfigException e =
        assertThrows(OrcaConfigException.class, () -> OrcaServerConfig.fromZooCfg(file));

    assertEquals(
        "There is no configuration file " + file + "; give the path of a zoo.cfg.", e.getMessage());
  }

  @Test
  void whatStockZooKeeperCannotUseIsSaidInOneSentence() throws Exception {
    Path file = write("server.1=127.0.0.1");
    OrcaConfigException e =
        assertThrows(OrcaConfigException.class, () -> OrcaServerConfig.fromZooCfg(file));

    assertTrue(e.getMessage().startsWith("Cannot use " + file + " ("), e.getMessage());
    assertFalse(e.getMessage().contains("Exception"), e.getMessage());
  }

  @Test
  void anUnknownKeyOfOursIsRefusedBeforeTheFileIsParsed() throws Exception {
    Path file = write("orca.speling=1");

    assertThrows(OrcaConfigException.class, () -> OrcaServerConfig.fromZooCfg(file));
    assertNull(System.getProperty("zookeeper.orca.speling"));
  }

  @Test
  void readOnlyModeIsTakenWithEveryDurability() throws Exception {
    System.setProperty("readonlymode.enabled", "true");

    assertEquals(Durability.CAD, read().settings().durability());
    assertEquals(Durability.SYNC, read("orca.durability=sync").settings().durability());
  }

  @Test
  void readOnlyModeInTheFileWinsOverTheJvm() throws Exception {
    read("readonlymode.enabled=true").publish();
    assertEquals("true", System.getProperty("readonlymode.enabled"));

    read().publish();
    assertEquals("true", System.getProperty("readonlymode.enabled"));

    read("readonlymode.enabled=false").publish();
    assertEquals("false", System.getProperty("readonlymode.enabled"));
  }

  @Test
  void readOnlyModeIsOnOrOff() throws Exception {
    Path file = write("readonlymode.enabled=yes");
    OrcaConfigException e =
        assertThrows(OrcaConfigException.class, () -> OrcaServerConfig.fromZooCfg(file));

    assertEquals("readonlymode.enabled must be true or false, not 'yes'.", e.getMessage());
  }

  @Test
  void anEmbeddedServerNeedsAFolderOnly() {
    OrcaServerConfig config = OrcaServerConfig.standalone(dir);

    assertEquals(dir, config.dataDir());
    assertTrue(config.clientAddress().getAddress().isLoopbackAddress());
    assertEquals(0, config.clientAddress().getPort());
    assertFalse(config.isMember());
  }

  @Test
  void settingsAndStorageCanBeReplaced() throws Exception {
    LogStorage storage = LogStorage.files();
    OrcaSettings sync = read("orca.durability=sync").settings();
    OrcaServerConfig config =
        OrcaServerConfig.standalone(dir).withSettings(sync).withStorage(storage);

    assertSame(sync, config.settings());
    assertSame(storage, config.storage());
  }

  @Test
  void severalServersInTheFileMakeAMember() throws Exception {
    Files.writeString(dir.resolve("myid"), "1");

    assertTrue(
        read(
                "server.1=127.0.0.1:2888:3888",
                "server.2=127.0.0.1:2889:3889",
                "initLimit=5",
                "syncLimit=5")
            .isMember());
  }
}
