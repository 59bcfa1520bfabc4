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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orcagrid.node.GridConfig;

/**
 * Where the nodes of a grid on this machine serve their consoles: one port after the other.
 *
 * @param basePort that of the first node, 0 for no consoles
 */
record GridConsoles(int basePort) {
  static final GridConsoles NONE = new GridConsoles(0);

  private static final String OF_SERVER = "orca.consolePort";
  private static final int PORT_MAX = 65_535;

  /** Those that nodes have. */
  static GridConsoles of(List<GridNode> nodes) throws CommandFailure {
    if (nodes.isEmpty()) {
      return NONE;
    }
    GridNode node = GridFolder.hosted(nodes);
    String port = node.line(OF_SERVER);
    try {
      return port == null
          ? NONE
          : new GridConsoles(Integer.parseInt(port.trim()) - node.number() + 1);
    } catch (NumberFormatException e) {
      throw new CommandFailure(node.config() + ": " + OF_SERVER + " is a number, not " + port, e);
    }
  }

  void requirePorts(int count) throws CommandFailure {
    if (basePort < 0 || basePort > PORT_MAX - count) {
      throw CommandFailure.usage(
          "The consoles' first port must be 1 to "
              + (PORT_MAX - count)
              + ", not "
              + basePort
              + "; correct --console.");
    }
  }

  private String port(int number) {
    return Integer.toString(basePort + number - 1);
  }

  /** For the zoo.cfg of a server that hosts a node. */
  Map<String, String> ofServer(int number) {
    return basePort == 0 ? Map.of() : Map.of(OF_SERVER, port(number));
  }

  /** For the grid.cfg of another node. */
  Map<String, String> ofNode(int number) {
    return basePort == 0 ? Map.of() : Map.of(GridConfig.CONSOLE_PORT, port(number));
  }

  /** Where a browser finds the grid, at one of its nodes. */
  Optional<String> page(int number) {
    return basePort == 0
        ? Optional.empty()
        : Optional.of("http://127.0.0.1:" + port(number) + "/grid");
  }
}
