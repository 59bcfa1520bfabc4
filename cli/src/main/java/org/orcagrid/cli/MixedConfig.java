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

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * A worker's configuration: stores, one a line, and what it needs to use them.
 *
 * @param classPath jars with JDBC drivers and the program's changes
 * @param gridClient settings of a client of grids, but for their addresses; null for the usual ones
 * @param retention null if nothing is to be forgotten
 */
record MixedConfig(
    List<Entry> stores, List<Path> classPath, Path gridClient, Duration age, Duration retention) {
  private static final String STORE = "store.";
  private static final Set<String> KINDS =
      Set.of("orca", "zookeeper", "postgres", "postgres-causal", "grid", "grid-causal", "geo");

  /** Those of which each group is a line. */
  private static final Set<String> GROUPED = Set.of("postgres-causal", "grid-causal", "geo");

  private static final Duration AGE = Duration.ofSeconds(15);

  /**
   * A store, or a group of one.
   *
   * @param group null where the store has none
   * @param path of an ensemble's nodes; a grid's map; of a geo store its name; null for a database
   */
  record Entry(String name, String group, String kind, String address, String path) {}

  /**
   * Reads a file.
   *
   * @throws CommandFailure if something in it is not as it should be; the message names the line
   */
  static MixedConfig read(Path file) throws CommandFailure {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
    } catch (IOException e) {
      throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
    }
    List<Entry> stores = new ArrayList<>();
    List<Path> classPath = new ArrayList<>();
    Path gridClient = null;
    Duration age = AGE;
    Duration retention = null;
    for (String key : new TreeSet<>(properties.stringPropertyNames())) {
      String value = properties.getProperty(key).trim();
      if (key.startsWith(STORE)) {
        stores.add(entry(file, key, value));
      } else if (key.equals("classpath")) {
        for (String each : value.split(File.pathSeparator)) {
          classPath.add(file.toAbsolutePath().resolveSibling(each));
        }
      } else if (key.equals("grid.client")) {
        gridClient = file.toAbsolutePath().resolveSibling(value);
      } else if (key.equals("age.ms")) {
        age = millis(file, key, value);
      } else if (key.equals("retention.ms")) {
        retention = millis(file, key, value);
      } else {
        throw new CommandFailure(
            file
                + " has the key "
                + key
                + ", which there is not; there are store.NAME, store.NAME.GROUP, classpath,"
                + " grid.client, age.ms and retention.ms");
      }
    }
    return checked(file, new MixedConfig(stores, classPath, gridClient, age, retention));
  }

  private static MixedConfig checked(Path file, MixedConfig config) throws CommandFailure {
    if (config.stores().isEmpty()) {
      throw new CommandFailure(
          file + " has no store; add one, as in store.orca = orca 127.0.0.1:2181 /mixed");
    }
    for (Path each : config.classPath()) {
      if (!Files.isReadable(each)) {
        throw new CommandFailure(file + " names " + each + ", which cannot be read");
      }
    }
    return config;
  }

  private static Entry entry(Path file, String key, String value) throws CommandFailure {
    String name = key.substring(STORE.length());
    int dot = name.indexOf('.');
    String[] words = value.split("\\s+");
    String kind = words[0];
    boolean hasGroup = GROUPED.contains(kind);
    boolean isDatabase = kind.startsWith("postgres");
    if (!KINDS.contains(kind) || words.length != (isDatabase ? 2 : 3)) {
      throw new CommandFailure(
          file
              + ": "
              + key
              + " is '"
              + value
              + "'; write orca ADDRESS ROOT, zookeeper ADDRESS ROOT, postgres JDBC-ADDRESS,"
              + " postgres-causal JDBC-ADDRESS, grid ADDRESS MAP, grid-causal ADDRESS MAP or geo"
              + " DATACENTERS NAME");
    }
    if (hasGroup != dot > 0) {
      throw new CommandFailure(
          file
              + ": "
              + key
              + (hasGroup
                  ? " needs a group, or a datacenter, as in store.inboxes.east"
                  : " has a group, which only postgres-causal, grid-causal and geo have"));
    }
    if (kind.equals("grid-causal")) {
      checkNode(file, key, name.substring(dot + 1), words[1]);
    }
    return new Entry(
        hasGroup ? name.substring(0, dot) : name,
        hasGroup ? name.substring(dot + 1) : null,
        kind,
        words[1],
        isDatabase ? null : words[2]);
  }

  /** A group of a grid's map is finished at its own node, and at no other one. */
  private static void checkNode(Path file, String key, String group, String address)
      throws CommandFailure {
    if (!group.matches("0|[1-9][0-9]{0,8}")) {
      throw new CommandFailure(
          file
              + ": "
              + key
              + " has the group "
              + group
              + "; those of a grid are the numbers of its nodes, as in store.inboxes.0");
    }
    if (address.indexOf(',') >= 0) {
      throw new CommandFailure(
          file
              + ": "
              + key
              + " has several addresses; give the one of node "
              + group
              + ", which alone finishes what its clients have left");
    }
  }

  private static Duration millis(Path file, String key, String value) throws CommandFailure {
    try {
      return Duration.ofMillis(Long.parseUnsignedLong(value));
    } catch (NumberFormatException e) {
      throw new CommandFailure(file + ": " + key + " is '" + value + "'; give milliseconds", e);
    }
  }
}
