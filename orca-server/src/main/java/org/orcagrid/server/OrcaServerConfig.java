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

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.zookeeper.server.OrcaFiles;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.settings.KeyWarnings;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;

/**
 * What a server is started with: an ordinary {@code zoo.cfg}, or a data folder and the defaults.
 */
public final class OrcaServerConfig {

  /** Stock reads this from the JVM alone, and ignores it in {@code zoo.cfg}. */
  private static final String READ_ONLY_MODE = "readonlymode.enabled";

  /** Less than what a service manager, or 'orca server stop', waits for the whole stop. */
  private static final Duration LEADER_STOP_LIMIT = Duration.ofSeconds(2);

  private final OrcaSettings settings;
  private final QuorumPeerConfig zooCfg;
  private final Path dataDir;
  private final Below below;
  private final FileOnly fileOnly;

  /**
   * What only tests change.
   *
   * @param storage the disk beneath the log
   * @param leaderStopLimit how long a leader that stops waits for a majority's disks
   */
  private record Below(LogStorage storage, Duration leaderStopLimit) {
    static Below usual(OrcaSettings settings) {
      return new Below(OrcaFiles.storage(settings), LEADER_STOP_LIMIT);
    }
  }

  /**
   * What only a file says.
   *
   * @param readOnlyMode null if it says nothing of that
   * @param warnings what is odd about its keys
   */
  private record FileOnly(Boolean readOnlyMode, List<String> warnings) {
    static final FileOnly NONE = new FileOnly(null, List.of());
  }

  private OrcaServerConfig(
      OrcaSettings settings,
      QuorumPeerConfig zooCfg,
      Path dataDir,
      Below below,
      FileOnly fileOnly) {
    this.settings = settings;
    this.zooCfg = zooCfg;
    this.dataDir = dataDir;
    this.below = below;
    this.fileOnly = fileOnly;
  }

  /**
   * Reads a configuration file, with the keys of stock ZooKeeper and those of {@link OrcaSettings}.
   *
   * @throws OrcaConfigException if the file cannot be read or a key or value in it cannot be used
   */
  public static OrcaServerConfig fromZooCfg(Path file) throws OrcaConfigException {
    Properties keys = read(file);
    OrcaSettings settings = OrcaSettings.from(keys);
    FileOnly fileOnly = new FileOnly(readOnlyMode(keys), warnings(file));
    QuorumPeerConfig zooCfg = new QuorumPeerConfig();
    Map<String, String> before = orcaSystemProperties();
    try {
      zooCfg.parse(file.toString());
    } catch (QuorumPeerConfig.ConfigException e) {
      throw new OrcaConfigException(
          "Cannot use " + file + " (" + rootMessage(e) + "); correct it there.", e);
    } finally {
      // The parser publishes unknown keys to the whole JVM; ours belong to this server alone.
      orcaSystemProperties().keySet().forEach(System::clearProperty);
      before.forEach(System::setProperty);
    }
    return new OrcaServerConfig(
        settings, zooCfg, zooCfg.getDataDir().toPath(), Below.usual(settings), fileOnly);
  }

  /** A standalone server on a free port of the loopback address, with default settings. */
  public static OrcaServerConfig standalone(Path dataDir) {
    OrcaSettings settings = OrcaSettings.defaults();
    return new OrcaServerConfig(settings, null, dataDir, Below.usual(settings), FileOnly.NONE);
  }

  /** The same with other settings, for a server that is embedded. */
  public OrcaServerConfig withSettings(OrcaSettings other) {
    return new OrcaServerConfig(other, zooCfg, dataDir, Below.usual(other), fileOnly);
  }

  /** The same with another disk beneath the log, for tests. */
  public OrcaServerConfig withStorage(LogStorage other) {
    return withBelow(new Below(other, below.leaderStopLimit()));
  }

  /** The same, but the leader waits for so long when it stops, for tests of disks that are gone. */
  public OrcaServerConfig withLeaderStopLimit(Duration limit) {
    return withBelow(new Below(below.storage(), limit));
  }

  private OrcaServerConfig withBelow(Below other) {
    return new OrcaServerConfig(settings, zooCfg, dataDir, other, fileOnly);
  }

  /** The {@code orca.*} settings. */
  public OrcaSettings settings() {
    return settings;
  }

  /** The folder with the snapshots, and with the log unless {@code dataLogDir} is set. */
  public Path dataDir() {
    return dataDir;
  }

  /** Where clients connect without TLS; null if they cannot. */
  public InetSocketAddress clientAddress() {
    return zooCfg == null
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)
        : zooCfg.getClientPortAddress();
  }

  /** Whether this is a member of an ensemble. */
  public boolean isMember() {
    return zooCfg != null && zooCfg.isDistributed();
  }

  /** What is odd about the file's keys and no error, a sentence each. */
  List<String> warnings() {
    return fileOnly.warnings;
  }

  /** Publishes what a stock peer reads from the JVM and its file has: the file wins. */
  void publish() {
    if (fileOnly.readOnlyMode != null) {
      System.setProperty(READ_ONLY_MODE, fileOnly.readOnlyMode.toString());
    }
  }

  Optional<QuorumPeerConfig> zooCfg() {
    return Optional.ofNullable(zooCfg);
  }

  LogStorage storage() {
    return below.storage();
  }

  Duration leaderStopLimit() {
    return below.leaderStopLimit();
  }

  private static Properties read(Path file) throws OrcaConfigException {
    if (!Files.isRegularFile(file)) {
      throw new OrcaConfigException(
          "There is no configuration file " + file + "; give the path of a zoo.cfg.");
    }
    Properties keys = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      keys.load(reader);
    } catch (IOException e) {
      throw new OrcaConfigException(
          "Cannot read " + file + " (" + e.getMessage() + "); check that this user may.", e);
    }
    return keys;
  }

  private static List<String> warnings(Path file) throws OrcaConfigException {
    try {
      return KeyWarnings.of(file);
    } catch (IOException | IllegalArgumentException e) {
      throw new OrcaConfigException(
          "Cannot read " + file + " (" + e.getMessage() + "); write lines of key=value.", e);
    }
  }

  private static Boolean readOnlyMode(Properties keys) throws OrcaConfigException {
    String value = keys.getProperty(READ_ONLY_MODE);
    if (value == null) {
      return null;
    }
    return switch (value.trim().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new OrcaConfigException(
              READ_ONLY_MODE + " must be true or false, not '" + value.trim() + "'.");
    };
  }

  private static Map<String, String> orcaSystemProperties() {
    Properties all = System.getProperties();
    return all.stringPropertyNames().stream()
        .filter(name -> name.startsWith("zookeeper." + OrcaSettings.PREFIX))
        .collect(Collectors.toMap(name -> name, all::getProperty));
  }

  private static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }
}
