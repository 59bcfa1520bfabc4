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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.node.GridConfig;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;

/**
 * The folder of a grid on this machine. At first 1, 3 or 5 of its nodes are hosted by the servers
 * of an ensemble of their own, each as {@code orca server} would run it; the others are run as by
 * {@code orca grid run}. When one that a server hosts is removed, another one becomes hosted.
 *
 * <pre>
 * server-1, server-2, …    zoo.cfg, data
 * node-4, node-6, …        grid.cfg, data
 * server-4                 zoo.cfg, data of a node that has become hosted: its maps stay in node-4
 * node-5.removed-1, …      the same of a node that was removed; nothing uses it any more
 * ensemble.secret          lets commands change the ensemble
 * </pre>
 */
record GridFolder(Path dir) {
  private static final int SERVERS_FEW = 3;
  private static final int SERVERS_MAX = 5;

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

  /** Of a node in a process of its own; the maps of one that was such a node stay there. */
  Path nodeFolder(int number) {
    return dir.resolve("node-" + number);
  }

  Path gridCfg(int number) {
    return nodeFolder(number).resolve("grid.cfg");
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
    Path own = removed.config().getParent();
    String suffix = ".removed-" + (asides(removed.number()) + 1);
    for (Path each : folders(removed.number())) {
      if (Files.exists(each)) {
        Files.move(each, each.resolveSibling(each.getFileName() + suffix));
      }
    }
    return own.resolveSibling(own.getFileName() + suffix);
  }

  /** Where a node of this number may have files: first what makes it a node. */
  private List<Path> folders(int number) {
    return List.of(EnsembleFiles.folder(dir, number), nodeFolder(number));
  }

  /** How many nodes of a number were removed. */
  private int asides(int number) {
    int times = 0;
    while (isAside(number, times + 1)) {
      times++;
    }
    return times;
  }

  private boolean isAside(int number, int times) {
    return folders(number).stream()
        .anyMatch(
            each -> Files.exists(each.resolveSibling(each.getFileName() + ".removed-" + times)));
  }

  /**
   * Whether a server of this number was removed from the ensemble. No other one gets the number:
   * that server, started again by mistake, would be taken for it.
   */
  private boolean wasServer(int number) {
    Path folder = EnsembleFiles.folder(dir, number);
    return IntStream.rangeClosed(1, asides(number))
        .anyMatch(
            times ->
                Files.exists(folder.resolveSibling(folder.getFileName() + ".removed-" + times)));
  }

  /** Whether a node was removed, and none was added in its place since. */
  private boolean isRemoved(int number) {
    return asides(number) > 0
        && !Files.exists(gridCfg(number))
        && !Files.exists(EnsembleFiles.folder(dir, number).resolve("zoo.cfg"));
  }

  /** The first number that a node which is added may have. */
  int free(List<GridNode> nodes) {
    List<Integer> taken = numbers(nodes);
    int number = 1;
    while (taken.contains(number) || wasServer(number)) {
      number++;
    }
    return number;
  }

  /** Makes a node that was just written none again: the grid has not been given it. */
  void remove(GridNode added) throws IOException {
    Files.deleteIfExists(added.config());
  }

  /** The nodes that there are by their numbers, also if the folder of one before them is gone. */
  List<GridNode> nodes() throws CommandFailure {
    List<GridNode> nodes = new ArrayList<>();
    List<EnsembleMember> servers = servers();
    for (EnsembleMember server : servers) {
      nodes.add(GridNode.hosted(server, servers.size()));
    }
    for (int number = 1; number <= EnsembleSpec.SERVERS_MAX; number++) {
      if (Files.exists(gridCfg(number)) && server(servers, number).isEmpty()) {
        nodes.add(GridNode.alone(number, gridCfg(number)));
      }
    }
    nodes.sort(Comparator.comparingInt(GridNode::number));
    return nodes;
  }

  /** The servers of the grid's ensemble. */
  List<EnsembleMember> servers() throws CommandFailure {
    return EnsembleFiles.read(dir);
  }

  /** The server that hosts a node, if one does. */
  Optional<EnsembleMember> server(int number) throws CommandFailure {
    return server(servers(), number);
  }

  private static Optional<EnsembleMember> server(List<EnsembleMember> servers, int number) {
    return servers.stream().filter(each -> each.id() == number).findFirst();
  }

  /** Where the servers' clients connect, but for one server: of those that stay when it leaves. */
  String ensembleWithout(int number) throws CommandFailure {
    List<EnsembleMember> servers = servers();
    List<EnsembleMember> others = servers.stream().filter(each -> each.id() != number).toList();
    return EnsembleMember.connectString(others.isEmpty() ? servers : others);
  }

  /** A node whose zoo.cfg has what all nodes were told; there is always one. */
  static GridNode hosted(List<GridNode> nodes) {
    return nodes.stream().filter(GridNode::isHosted).findFirst().orElse(nodes.get(0));
  }

  /** With how many nodes the grid has begun. */
  static int begun(List<GridNode> nodes) {
    return nodes.get(0).settings().home().size();
  }

  /** Where the first node listens, or would. */
  static int basePort(List<GridNode> nodes) {
    GridNode any = nodes.get(0);
    return any.settings().home().address().port() - any.number() + 1;
  }

  /** The numbers of the nodes that there are to be. */
  List<Integer> numbers(List<GridNode> nodes) {
    int last = nodes.get(nodes.size() - 1).number();
    int size = Math.max(begun(nodes), last);
    return IntStream.rangeClosed(1, size).filter(each -> !isRemoved(each)).boxed().toList();
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

  /** Fails if the folder is of another number of nodes, or lacks one of them. */
  void requireWhole(List<GridNode> before, int count) throws CommandFailure {
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
    int port = basePort(nodes);
    if (basePort != null && basePort != port) {
      throw another("has the base port " + port + " and not " + basePort);
    }
    for (GridNode node : nodes) {
      Map<String, String> asked = new LinkedHashMap<>(settings);
      if (!node.isHosted()) {
        asked.keySet().removeIf(key -> !key.startsWith(GridFiles.GRID));
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
