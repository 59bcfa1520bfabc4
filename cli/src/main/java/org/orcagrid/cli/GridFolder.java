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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.member.MemberSettings;

/**
 * The folder of a grid on this machine: one for each node, with its grid.cfg, process id and log.
 *
 * @param dir where it is
 */
record GridFolder(Path dir) {
  private static final String HOST = "127.0.0.1";

  /**
   * A node's own folder.
   *
   * @param number from 0
   * @param settings what is in its grid.cfg
   */
  record Node(int number, Path folder, MemberSettings settings) {
    Optional<ServerProcess> running() throws CommandFailure {
      return PidFile.in(folder).running();
    }

    Path config() {
      return GridFolder.config(folder);
    }
  }

  private static Path config(Path folder) {
    return folder.resolve("grid.cfg");
  }

  private Path folder(int number) {
    return dir.resolve("node-" + number);
  }

  /** Where the nodes agree on views. */
  private Path views() {
    return dir.resolve("views");
  }

  /** The nodes that there are, also if the folder of one before them is gone. */
  List<Node> nodes() throws CommandFailure {
    List<Node> nodes = new ArrayList<>();
    for (int number = 0; number < KiteSettings.NODES_MAX; number++) {
      Path folder = folder(number);
      if (Files.exists(config(folder))) {
        nodes.add(new Node(number, folder, read(config(folder))));
      }
    }
    return nodes;
  }

  /** The same, of which there must be some. */
  List<Node> requireNodes() throws CommandFailure {
    List<Node> nodes = nodes();
    if (nodes.isEmpty()) {
      throw new CommandFailure(
          "There is no grid in " + dir + "; start one with 'orca grid start 3' or give its --dir.");
    }
    return nodes;
  }

  static MemberSettings read(Path config) throws CommandFailure {
    try {
      return MemberSettings.read(config);
    } catch (IOException e) {
      throw new CommandFailure(config + " cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
  }

  static void requireCount(int count) throws CommandFailure {
    if (count < 1 || count > KiteSettings.NODES_MAX) {
      throw CommandFailure.usage(
          "A grid has 1 to " + KiteSettings.NODES_MAX + " nodes, not " + count + ".");
    }
  }

  /** Writes the files of {@code count} nodes, in place of those that were there. */
  List<Node> write(int count, int basePort, Map<String, String> settings)
      throws CommandFailure, IOException, InterruptedException {
    requireCount(count);
    // Nothing is deleted before everything is checked.
    List<List<String>> configs = configs(count, basePort, settings);
    List<Node> before = nodes();
    for (Node node : before) {
      if (node.running().isPresent()) {
        throw new CommandFailure(
            "The grid in "
                + dir
                + " is running; stop it first with 'orca grid stop' or choose another --dir.");
      }
    }
    Files.createDirectories(dir);
    PlaceLocks locks = new PlaceLocks(views());
    Set<Integer> running =
        locks.whileNobodyRuns(
            () -> {
              for (Node node : before) {
                Files.delete(node.config());
              }
              Files.deleteIfExists(views());
              return null;
            });
    if (!running.isEmpty()) {
      throw unknown(running, locks);
    }
    for (int number = 0; number < count; number++) {
      Files.createDirectories(folder(number));
      Files.write(config(folder(number)), configs.get(number));
    }
    return nodes();
  }

  /** Fails if a node runs that no pid file tells of, as one does in another container. */
  void requireNobody() throws CommandFailure, IOException, InterruptedException {
    PlaceLocks locks = new PlaceLocks(views());
    Set<Integer> running = locks.whileNobodyRuns(() -> null);
    if (!running.isEmpty()) {
      throw unknown(running, locks);
    }
  }

  private CommandFailure unknown(Set<Integer> running, PlaceLocks locks) throws IOException {
    int first = running.iterator().next();
    return new CommandFailure(
        "Node "
            + first
            + " of the grid in "
            + dir
            + " runs, as "
            + locks.holder(first)
            + " where it was started, though its orca.pid names no process here; end it there, or"
            + " choose another --dir.");
  }

  /** The lines of every node's grid.cfg, of which each was read as the node will read it. */
  private List<List<String>> configs(int count, int basePort, Map<String, String> settings)
      throws CommandFailure, IOException {
    String nodes =
        IntStream.range(0, count)
            .mapToObj(n -> HOST + ":" + (basePort + n))
            .collect(Collectors.joining(","));
    List<List<String>> configs = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Map<String, String> lines = new TreeMap<>(settings);
      lines.put("grid.self", Integer.toString(number));
      lines.put("grid.nodes", nodes);
      lines.put(MemberSettings.VIEWS, views().toString());
      List<String> config =
          lines.entrySet().stream().map(line -> line.getKey() + "=" + line.getValue()).toList();
      requireReadable(config);
      configs.add(config);
    }
    return configs;
  }

  /** Settings are read from files only; this one is outside of the trial's folder, and goes. */
  private static void requireReadable(List<String> config) throws CommandFailure, IOException {
    Path draft = Files.createTempFile("orca-grid", ".cfg");
    try {
      Files.write(draft, config);
      MemberSettings.read(draft);
    } catch (IllegalArgumentException e) {
      String reason = e.getMessage().replace(draft + ": ", "");
      throw CommandFailure.usage(
          "Nodes cannot run with these options (" + reason + "); correct --set or --base-port.");
    } finally {
      Files.delete(draft);
    }
  }

  /** What clients connect to. */
  static String clients(List<Node> nodes) {
    return nodes.stream()
        .map(node -> node.settings().address())
        .map(HostPort::toString)
        .collect(Collectors.joining(","));
  }
}
