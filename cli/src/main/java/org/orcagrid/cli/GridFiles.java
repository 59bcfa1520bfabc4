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
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orcagrid.node.GridConfig;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.transport.tcp.HostPort;

/** Writes the files of a grid's nodes into its folder. */
record GridFiles(GridFolder folder) {
  /** What settings of the grid begin with in grid.cfg. */
  static final String GRID = "grid.";

  private static final String HOST = "127.0.0.1";
  private static final String HOSTED = "orca.grid";
  private static final String HOSTED_FOLDER = "orca.grid.folder";
  private static final String ENSEMBLE = "grid.ensemble";
  private static final int PORT_MAX = 65_535;
  private static final List<String> OWN =
      List.of("grid.address", GridConfig.CONSOLE_PORT, ENSEMBLE, "grid.folder", "grid.size");

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
    GridFolder.requireCount(count);
    List<GridNode> before = folder.nodes();
    int begun = before.isEmpty() ? count : GridFolder.begun(before);
    List<Integer> all =
        before.isEmpty()
            ? IntStream.rangeClosed(1, count).boxed().toList()
            : folder.numbers(before);
    requirePorts(basePort, all.get(all.size() - 1), consoles);
    folder.requireWhole(before, count);
    for (GridNode node : before) {
      node.requireEnded(folder.dir());
    }
    // Nothing is written before everything is checked.
    Map<String, String> zooCfg = new TreeMap<>();
    if (!before.isEmpty()) {
      zooCfg.putAll(GridFolder.hosted(before).kept());
    }
    zooCfg.putAll(hosted(settings));
    Map<String, String> gridCfg = gridCfg(zooCfg);
    requireReadable(zooCfg, gridCfg);
    gridCfg.put("grid.size", Integer.toString(begun));
    zooCfg.put("orca.grid.size", Integer.toString(begun));
    List<Integer> servers =
        before.isEmpty()
            ? IntStream.rangeClosed(1, GridFolder.servers(begun)).boxed().toList()
            : folder.servers().stream().map(EnsembleMember::id).toList();
    Map<Integer, Map<String, String>> ofEach = new TreeMap<>();
    servers.forEach(number -> ofEach.put(number, ofServer(number, basePort, consoles)));
    zooCfg.putAll(EnsembleSecret.in(folder.dir()).lines(zooCfg));
    List<EnsembleMember> written =
        EnsembleFiles.write(
            new EnsembleSpec(
                servers.size(),
                folder.dir(),
                0,
                false,
                zooCfg,
                ofEach,
                ServerProgram.orca(),
                PeerRoutes.DIRECT,
                Set.of()));
    gridCfg.put(ENSEMBLE, EnsembleMember.connectString(written));
    for (int number : all) {
      if (!servers.contains(number)) {
        writeAlone(number, basePort, consoles, gridCfg);
      }
    }
    return folder.nodes();
  }

  private static void requirePorts(int basePort, int last, GridConsoles consoles)
      throws CommandFailure {
    consoles.requirePorts(last);
    if (basePort < 1 || basePort > PORT_MAX - last) {
      throw CommandFailure.usage(
          "The grid's first port must be 1 to "
              + (PORT_MAX - last)
              + ", not "
              + basePort
              + "; correct --base-port.");
    }
  }

  /** The lines of zoo.cfg that the server of one node has alone. */
  private Map<String, String> ofServer(int number, int basePort, GridConsoles consoles) {
    Map<String, String> own = new TreeMap<>(consoles.ofServer(number));
    own.put(HOSTED, address(basePort, number));
    Path before = folder.nodeFolder(number).resolve(GridConfig.FOLDER);
    if (Files.exists(before)) {
      own.put(HOSTED_FOLDER, before.toString());
    }
    return own;
  }

  /** What of a zoo.cfg is for all nodes, as grid.cfg names it. */
  private static Map<String, String> gridCfg(Map<String, String> zooCfg) {
    Map<String, String> gridCfg = new TreeMap<>();
    zooCfg.forEach(
        (key, value) -> {
          if (key.startsWith(GridNode.PREFIX + GRID)) {
            gridCfg.put(key.substring(GridNode.PREFIX.length()), value);
          }
        });
    return gridCfg;
  }

  private void writeAlone(
      int number, int basePort, GridConsoles consoles, Map<String, String> gridCfg)
      throws IOException {
    gridCfg.put("grid.address", address(basePort, number));
    gridCfg.putAll(consoles.ofNode(number));
    Files.createDirectories(folder.nodeFolder(number));
    Files.write(
        folder.gridCfg(number),
        gridCfg.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
  }

  /**
   * Writes the files of one node more, with the settings of the others. It is hosted by a server if
   * the ensemble lacks one.
   *
   * @return the node
   */
  GridNode writeOneMore() throws CommandFailure, IOException {
    List<GridNode> nodes = folder.requireNodes();
    GridFolder.requireCount(nodes.size() + 1);
    int number = folder.free(nodes);
    requirePorts(GridFolder.basePort(nodes), number, GridConsoles.of(nodes));
    if (folder.servers().size() < GridFolder.servers(GridFolder.begun(nodes))) {
      return writeHosted(number);
    }
    Map<String, String> gridCfg = gridCfg(GridFolder.hosted(nodes).kept());
    gridCfg.put("grid.size", Integer.toString(GridFolder.begun(nodes)));
    gridCfg.put(ENSEMBLE, EnsembleMember.connectString(folder.servers()));
    writeAlone(number, GridFolder.basePort(nodes), GridConsoles.of(nodes), gridCfg);
    return GridNode.alone(number, folder.gridCfg(number));
  }

  /**
   * Writes the files of a server that hosts a node. If that had a process of its own, its maps stay
   * where they are; it must not run.
   */
  GridNode writeHosted(int number) throws CommandFailure, IOException {
    List<GridNode> nodes = folder.requireNodes();
    List<EnsembleMember> servers = folder.servers();
    Map<String, String> zooCfg = new TreeMap<>(GridFolder.hosted(nodes).kept());
    zooCfg.putAll(EnsembleSecret.in(folder.dir()).lines(zooCfg));
    zooCfg.put("orca.grid.size", Integer.toString(GridFolder.begun(nodes)));
    zooCfg.putAll(ofServer(number, GridFolder.basePort(nodes), GridConsoles.of(nodes)));
    EnsembleMember joining = EnsembleFiles.writeJoining(folder.dir(), number, servers, zooCfg);
    Files.deleteIfExists(folder.gridCfg(number));
    return GridNode.hosted(joining, servers.size() + 1);
  }

  /** Tells nodes in processes of their own the servers that there are; those that run know them. */
  void followEnsemble() throws CommandFailure, IOException {
    String servers = EnsembleMember.connectString(folder.servers());
    for (GridNode node : folder.nodes()) {
      if (!node.isHosted()) {
        String lines =
            Files.readAllLines(node.config()).stream()
                .map(line -> line.startsWith(ENSEMBLE + "=") ? ENSEMBLE + "=" + servers : line)
                .collect(Collectors.joining("\n", "", "\n"));
        WholeFile.write(node.config(), lines);
      }
    }
  }

  /** As zoo.cfg names them. */
  private static Map<String, String> hosted(Map<String, String> settings) {
    Map<String, String> named = new TreeMap<>();
    settings.forEach(
        (key, value) -> named.put(key.startsWith(GRID) ? GridNode.PREFIX + key : key, value));
    return named;
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
}
