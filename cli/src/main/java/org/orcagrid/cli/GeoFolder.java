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

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.geo.node.StoreRecord;

/**
 * The folder of a store on this machine, with a folder for each node.
 *
 * @param dir where it is
 */
record GeoFolder(Path dir) {
  private static final String CONFIG = "geo.cfg";
  private static final String PREFIX = "node-";

  /** A node: where its files are, and what its configuration says. */
  record Node(int number, Path folder, GeoConfig config) {
    Path file() {
      return folder.resolve(CONFIG);
    }

    /** Which ensemble keeps the store's record; empty for none. */
    String ensemble() throws IOException {
      Properties lines = new Properties();
      try (Reader reader = Files.newBufferedReader(file())) {
        lines.load(reader);
      }
      return lines.getProperty("geo.ensemble", "").strip();
    }

    String datacenter() {
      GeoPlan plan = config.plan();
      return plan.datacenters().get(plan.datacenter(plan.self())).name();
    }

    Optional<ServerProcess> running() throws CommandFailure {
      return PidFile.in(folder).running();
    }
  }

  /** What 'orca geo start' is asked for. */
  record Wish(
      int datacenters,
      int replicas,
      int partitions,
      int basePort,
      int consolePort,
      String ensemble,
      long wanMillis,
      String log) {}

  private static final List<String> NAMES = List.of("west", "east", "north", "south");

  /** The nodes that are there, in their order; none if there is no store. */
  List<Node> nodes() throws CommandFailure, IOException {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    List<Path> folders;
    try (Stream<Path> all = Files.list(dir)) {
      folders = all.filter(each -> Files.exists(each.resolve(CONFIG))).toList();
    }
    List<Node> nodes = new ArrayList<>();
    for (Path each : folders) {
      try {
        GeoConfig config = GeoConfig.read(each.resolve(CONFIG), new GeoRecords());
        nodes.add(new Node(config.plan().self(), each, config));
      } catch (IOException e) {
        throw new CommandFailure(e.getMessage(), e);
      }
    }
    nodes.sort(Comparator.comparingInt(Node::number));
    return nodes;
  }

  List<Node> requireNodes() throws CommandFailure, IOException {
    List<Node> nodes = nodes();
    if (nodes.isEmpty()) {
      throw new CommandFailure(
          "There is no store in " + dir + "; make one with 'orca geo start', or give --dir.");
    }
    return nodes;
  }

  /** How a client finds the store. */
  static GeoSettings settings(List<Node> nodes) {
    return GeoSettings.of(nodes.get(0).config().plan().text())
        .name(nodes.get(0).config().plan().name());
  }

  /** Writes the nodes' configurations; a store that is there must be the same. */
  List<Node> write(Wish wish) throws CommandFailure, IOException {
    List<String> places = new ArrayList<>();
    int port = wish.basePort();
    for (int i = 0; i < wish.datacenters(); i++) {
      List<String> addresses = new ArrayList<>();
      for (int j = 0; j < wish.replicas(); j++) {
        addresses.add("127.0.0.1:" + port++);
      }
      String name = i < NAMES.size() ? NAMES.get(i) : "dc" + (i + 1);
      places.add(name + "=" + String.join(",", addresses));
    }
    String datacenters = String.join(";", places);
    List<Node> there = nodes();
    if (!there.isEmpty()) {
      GeoPlan is = there.get(0).config().plan();
      String log = there.get(0).config().log();
      boolean isSame =
          is.text().equals(datacenters)
              && is.partitions() == wish.partitions()
              && log.equals(wish.log());
      if (!isSame) {
        throw new CommandFailure(
            "The store in "
                + dir
                + " has "
                + is.partitions()
                + " partitions, the log "
                + log
                + " and the datacenters "
                + is.text()
                + "; start it with these, or choose another --dir.");
      }
    }
    StateFolder.create(dir);
    String agreed =
        "geo.datacenters="
            + datacenters
            + "\ngeo.partitions="
            + wish.partitions()
            + "\ngeo.replicas="
            + wish.replicas();
    if (!wish.ensemble().isEmpty()) {
      agreed = "geo.ensemble=" + wish.ensemble();
      GeoPlan plan =
          new GeoPlan(
              "geo", GeoConfig.datacenters(datacenters), wish.partitions(), wish.replicas(), -1);
      new GeoRecords().create(wish.ensemble(), plan.name(), StoreRecord.of(plan));
    }
    for (int i = 0; i < wish.datacenters() * wish.replicas(); i++) {
      Path folder = dir.resolve(PREFIX + (i + 1));
      StateFolder.create(folder);
      Files.writeString(
          folder.resolve(CONFIG),
          agreed
              + "\ngeo.address=127.0.0.1:"
              + (wish.basePort() + i)
              + "\ngeo.log="
              + wish.log()
              + "\ngeo.trial.wan.millis="
              + wish.wanMillis()
              + (wish.consolePort() == 0 ? "" : "\ngeo.console.port=" + (wish.consolePort() + i))
              + "\n");
    }
    return nodes();
  }
}
