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
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.node.GridConfig;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.transport.tcp.HostPort;

/**
 * The folder of a grid on this machine. The first 1, 3 or 5 of its nodes are hosted by the servers
 * of an ensemble of their own, each as {@code orca server} would run it; the others are run as by
 * {@code orca grid run}.
 *
 * <pre>
 * server-1, server-2, …    zoo.cfg, data
 * node-4, node-6, …        grid.cfg, data
 * node-4.removed-1, …      the same of a node that was removed; nothing uses it any more
 * </pre>
 */
record GridFolder(Path dir) {
  private static final String HOST = "127.0.0.1";
  private static final String GRID = "grid.";
  private static final String HOSTED = "orca.grid";
  private static final int SERVERS_FEW = 3;
  private static final int SERVERS_MAX = 5;
  private static final int PORT_MAX = 65_535;
  private static final List<String> OWN =
      List.of("grid.address", GridConfig.CONSOLE_PORT, "grid.ensemble", "grid.folder", "grid.size");

  /** How many nodes of a grid are hosted by servers: as many as an ensemble is of use with. */
  static int servers(int nodes) {
    return nodes >= SERVERS_MAX ? SERVERS_MAX : nodes >= SERVERS_FEW ? SERVERS_FEW : 1;
  }

  static void requireCount(int count) throws CommandFailure {
    if (count < 1 || count > KiteSettings.NODES_MAX) {
      throw CommandFailure.usage(
          "A grid has 1 to " + KiteSettings.NODES_MAX + " nodes, not " + count + ".");
    }
  }

  private Path nodeFolder(int number) {
    return dir.resolve("node-" + number);
  }

  /**
   * Keeps other commands that start nodes away from the folder; closed by its owner.
   *
   * @throws CommandFailure if another one is at work
   */
  KernelLock lock() throws CommandFailure, IOException {
    StateFolder.create(dir);
    Path lock = dir.resolve("start.lock");
    Optional<KernelLock> held;
    try {
      held = KernelLock.tryTake(lock);
    } catch (FileSystemException e) {
      throw StateFolder.failure(dir, e);
    }
    if (held.isEmpty()) {
      throw new CommandFailure(
          "Another 'orca grid start', 'add' or 'remove' is at work in "
              + dir
              + ", as "
              + KernelLock.holder(lock)
              + "; wait until it has ended, or choose another --dir.");
    }
    return held.get();
  }

  /**
   * Sets the folder of a node aside that the grid has lost; nothing is deleted.
   *
   * @return where it is
   */
  Path setAside(GridNode removed) throws IOException {
    Path from = nodeFolder(removed.number());
    int times = 1;
    while (Files.exists(aside(removed.number(), times))) {
      times++;
    }
    return Files.move(from, aside(removed.number(), times));
  }

  private Path aside(int number, int times) {
    return dir.resolve("node-" + number + ".removed-" + times);
  }

  /** Whether a node was removed, and none was added in its place since. */
  private boolean isRemoved(int number) {
    return Files.exists(aside(number, 1)) && !Files.exists(nodeFolder(number).resolve("grid.cfg"));
  }

  /** The numbers of the nodes that there are to be. */
  private List<Integer> numbers(List<GridNode> nodes) {
    int last = nodes.get(nodes.size() - 1).number();
    int size = Math.max(nodes.get(0).settings().home().size(), last);
    return IntStream.rangeClosed(1, size).filter(each -> !isRemoved(each)).boxed().toList();
  }

  /** Removes what {@link #writeOneMore} has written: the grid has not been given the node. */
  void remove(GridNode added) throws IOException {
    Files.deleteIfExists(added.config());
  }

  /** The nodes that there are, also if the folder of one before them is gone. */
  List<GridNode> nodes() throws CommandFailure {
    List<GridNode> nodes = new ArrayList<>();
    List<EnsembleMember> servers = EnsembleFiles.read(dir);
    for (EnsembleMember server : servers) {
      nodes.add(GridNode.hosted(server, servers.size()));
    }
    for (int number = 1; number <= KiteSettings.NODES_MAX; number++) {
      Path config = nodeFolder(number).resolve("grid.cfg");
      if (Files.exists(config)) {
        nodes.add(GridNode.alone(number, config));
      }
    }
    return nodes;
  }

  /** The same, of which there must be some. */
  List<GridNode> requireNodes() throws CommandFailure {
    List<GridNode> nodes = nodes();
    if (nodes.isEmpty()) {
      throw new CommandFailure(
          "There is no grid in " + dir + "; start one with 'orca grid start 3' or give its --dir.");
    }
    return nodes;
  }

  /**
   * Writes the files of {@code count} nodes, of which none runs. What a grid of as many nodes has
   * in this folder stays.
   */
  List<GridNode> write(int count, int basePort, Map<String, String> settings)
      throws CommandFailure, IOException {
    return write(count, basePort, GridConsoles.NONE, settings);
  }

  /** The same with consoles. */
  List<GridNode> write(int count, int basePort, GridConsoles consoles, Map<String, String> settings)
      throws CommandFailure, IOException {
    requireCount(count);
    consoles.requirePorts(count);
    List<GridNode> before = nodes();
    int begun = before.isEmpty() ? count : before.get(0).settings().home().size();
    if (basePort < 1 || basePort > PORT_MAX - count) {
      throw CommandFailure.usage(
          "The grid's first port must be 1 to "
              + (PORT_MAX - count)
              + ", not "
              + basePort
              + "; correct --base-port.");
    }
    requireWhole(before, count);
    for (GridNode node : before) {
      node.requireEnded(dir);
    }
    // Nothing is written before everything is checked.
    Map<String, String> zooCfg = new TreeMap<>();
    Map<String, String> gridCfg = new TreeMap<>();
    if (!before.isEmpty()) {
      zooCfg.putAll(before.get(0).kept());
    }
    zooCfg.putAll(hosted(settings));
    zooCfg.forEach(
        (key, value) -> {
          if (key.startsWith(GridNode.PREFIX + GRID)) {
            gridCfg.put(key.substring(GridNode.PREFIX.length()), value);
          }
        });
    requireReadable(zooCfg, gridCfg);
    gridCfg.put("grid.size", Integer.toString(begun));
    zooCfg.put("orca.grid.size", Integer.toString(begun));
    Map<Integer, Map<String, String>> ofEach = new TreeMap<>();
    for (int number = 1; number <= servers(begun); number++) {
      Map<String, String> own = new TreeMap<>(consoles.ofServer(number));
      own.put(HOSTED, address(basePort, number));
      ofEach.put(number, own);
    }
    List<EnsembleMember> servers =
        EnsembleFiles.write(
            new EnsembleSpec(
                servers(begun),
                dir,
                0,
                false,
                zooCfg,
                ofEach,
                ServerProgram.orca(),
                PeerRoutes.DIRECT));
    gridCfg.put("grid.ensemble", EnsembleMember.connectString(servers));
    List<Integer> all =
        before.isEmpty() ? IntStream.rangeClosed(1, count).boxed().toList() : numbers(before);
    for (int number : all) {
      if (number > servers(begun)) {
        writeAlone(number, basePort, consoles, gridCfg);
      }
    }
    return nodes();
  }

  private void writeAlone(
      int number, int basePort, GridConsoles consoles, Map<String, String> gridCfg)
      throws IOException {
    gridCfg.put("grid.address", address(basePort, number));
    gridCfg.putAll(consoles.ofNode(number));
    Files.createDirectories(nodeFolder(number));
    Files.write(
        nodeFolder(number).resolve("grid.cfg"),
        gridCfg.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
  }

  /**
   * Writes the files of one node more, with the settings of the others.
   *
   * @return the node
   */
  GridNode writeOneMore() throws CommandFailure, IOException {
    List<GridNode> nodes = requireNodes();
    int number = 1;
    while (numbers(nodes).contains(number)) {
      number++;
    }
    requireCount(number);
    Map<String, String> gridCfg = new TreeMap<>();
    GridNode first = nodes.get(0);
    first
        .kept()
        .forEach(
            (key, value) -> {
              if (key.startsWith(GridNode.PREFIX + GRID)) {
                gridCfg.put(key.substring(GridNode.PREFIX.length()), value);
              }
            });
    gridCfg.put("grid.size", Integer.toString(first.settings().home().size()));
    gridCfg.put("grid.ensemble", EnsembleMember.connectString(EnsembleFiles.read(dir)));
    writeAlone(number, first.settings().home().address().port(), GridConsoles.of(nodes), gridCfg);
    return GridNode.alone(number, nodeFolder(number).resolve("grid.cfg"));
  }

  /** As zoo.cfg names them. */
  private static Map<String, String> hosted(Map<String, String> settings) {
    Map<String, String> named = new TreeMap<>();
    settings.forEach(
        (key, value) -> named.put(key.startsWith(GRID) ? GridNode.PREFIX + key : key, value));
    return named;
  }

  /** Fails if the folder is of another number of nodes, or lacks one of them. */
  private void requireWhole(List<GridNode> before, int count) throws CommandFailure {
    if (before.isEmpty()) {
      return;
    }
    int size = size(before);
    if (size != count) {
      throw new CommandFailure(
          dir
              + " holds a grid of "
              + size
              + " nodes; start as many, delete the folder, or choose another --dir.");
    }
    List<Integer> there = before.stream().map(GridNode::number).toList();
    for (int number : numbers(before)) {
      if (!there.contains(number)) {
        throw new CommandFailure(
            "Node "
                + number
                + " of the grid in "
                + dir
                + " has no files any more: bring its folder back, or start a new grid in another"
                + " --dir.");
      }
    }
  }

  /** How many nodes the grid is to have: those it began with and those added, less the removed. */
  private int size(List<GridNode> nodes) {
    return numbers(nodes).size();
  }

  private static String address(int basePort, int number) {
    return new HostPort(HOST, basePort + number - 1).toString();
  }

  private static void requireReadable(Map<String, String> zooCfg, Map<String, String> gridCfg)
      throws CommandFailure {
    String reason = null;
    for (String own : OWN) {
      if (gridCfg.containsKey(own)) {
        reason = own + " is this command's to say";
      }
    }
    if ("none".equals(gridCfg.get("grid.clients"))) {
      reason = "with grid.clients=none this command cannot ask whether a node serves";
    }
    if (zooCfg.containsKey(HOSTED)) {
      reason = HOSTED + " is this command's to say";
    }
    try {
      Properties grid = new Properties();
      grid.putAll(
          Map.of(
              "grid.address", "localhost:1",
              "grid.ensemble", "localhost:1",
              "grid.folder", "f",
              "grid.size", "1"));
      grid.putAll(gridCfg);
      GridConfig.of(grid);
      Properties server = new Properties();
      zooCfg.forEach(
          (key, value) -> {
            if (key.startsWith(OrcaSettings.PREFIX)) {
              server.setProperty(key, value);
            }
          });
      server.setProperty(HOSTED, "localhost:1");
      OrcaSettings.from(server);
    } catch (IllegalArgumentException | OrcaConfigException e) {
      reason = reason == null ? e.getMessage() : reason;
    }
    if (reason != null) {
      throw CommandFailure.usage(
          "Nodes cannot run with these options (" + reason + "); correct --set.");
    }
  }

  static NodeSettings read(Path config) throws CommandFailure {
    try {
      return GridConfig.read(config);
    } catch (IOException e) {
      throw new CommandFailure(config + " cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
  }

  /**
   * Fails if what is asked for is another grid than the one that runs.
   *
   * @param basePort null for any
   */
  void requireSame(List<GridNode> nodes, int count, Integer basePort, Map<String, String> settings)
      throws CommandFailure {
    int size = size(nodes);
    if (count != size) {
      throw another("has " + size + " nodes and not " + count);
    }
    requireWhole(nodes, count);
    int port = nodes.get(0).settings().home().address().port();
    if (basePort != null && basePort != port) {
      throw another("has the base port " + port + " and not " + basePort);
    }
    for (GridNode node : nodes) {
      Map<String, String> asked = new LinkedHashMap<>(settings);
      if (!node.isHosted()) {
        asked.keySet().removeIf(key -> !key.startsWith(GRID));
      }
      for (Map.Entry<String, String> setting : asked.entrySet()) {
        String is = node.line(setting.getKey());
        if (!setting.getValue().equals(is)) {
          throw another(
              (is == null
                      ? "has no line " + setting.getKey()
                      : "has " + setting.getKey() + "=" + is)
                  + " and not "
                  + setting.getKey()
                  + "="
                  + setting.getValue());
        }
      }
    }
  }

  /** Something else is asked for than what runs. */
  CommandFailure another(String difference) {
    return new CommandFailure(
        "The grid that runs in "
            + dir
            + " "
            + difference
            + "; stop it first with 'orca grid stop', or choose another --dir.");
  }

  /** What clients connect to. */
  static String clients(List<GridNode> nodes) {
    return nodes.stream()
        .map(node -> node.settings().home().address())
        .map(HostPort::toString)
        .collect(Collectors.joining(","));
  }
}
