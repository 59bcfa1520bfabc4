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
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.settings.HostedGrid;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;

/**
 * A node of a grid on this machine.
 *
 * @param number from 1
 * @param config its zoo.cfg or grid.cfg
 * @param folder where its log and process id are
 * @param program what its process runs
 * @param settings what is in its configuration
 */
record GridNode(
    int number, Path config, Path folder, ServerProgram program, NodeSettings settings) {
  /** What the settings of a node begin with in zoo.cfg. */
  static final String PREFIX = "orca.";

  private static final Pattern OWN =
      Pattern.compile(
          "dataDir|clientPort|clientPortAddress|admin\\..*|server\\..*|dynamicConfigFile|orca\\.grid"
              + "|orca\\.grid\\.(size|folder)|orca\\.consolePort");

  /** Threads of a killed process may outlive the one that tells that it has ended. */
  private static final Duration FREED_LIMIT = Duration.ofSeconds(3);

  /** A node that a server hosts. */
  static GridNode hosted(EnsembleMember server, int servers) throws CommandFailure {
    try {
      HostedGrid grid = OrcaSettings.from(properties(server.zooCfg())).grid();
      if (grid == null) {
        throw new CommandFailure(
            server.zooCfg()
                + " has no orca.grid: it is not as 'orca grid start' writes it; choose another"
                + " --dir, or use 'orca ensemble' for what is there.");
      }
      return new GridNode(
          server.id(),
          server.zooCfg(),
          server.dataDir(),
          ServerProgram.orca(),
          grid.settings(
              "127.0.0.1:" + server.clientPort(), servers, server.dataDir().resolve("grid")));
    } catch (OrcaConfigException e) {
      throw new CommandFailure(server.zooCfg() + ": " + e.getMessage(), e);
    }
  }

  /** A node in a process of its own. */
  static GridNode alone(int number, Path config) throws CommandFailure {
    return new GridNode(
        number,
        config,
        config.toAbsolutePath().getParent(),
        ServerProgram.gridNode(),
        GridFolder.read(config));
  }

  boolean isHosted() {
    return program.equals(ServerProgram.orca());
  }

  /** What its configuration says of a setting, by its name in grid.cfg; null for nothing. */
  String line(String name) throws CommandFailure {
    boolean renamed = isHosted() && name.startsWith("grid.");
    return properties(config).getProperty(renamed ? PREFIX + name : name);
  }

  private static Properties properties(Path config) throws CommandFailure {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(config)) {
      lines.load(reader);
    } catch (IOException e) {
      throw new CommandFailure(config + " cannot be read: " + e.getMessage(), e);
    }
    return lines;
  }

  /** Lines of its zoo.cfg that a start was given, and that are not the ensemble's own. */
  Map<String, String> kept() throws CommandFailure {
    Map<String, String> kept = new TreeMap<>();
    Properties lines = properties(config);
    for (String name : lines.stringPropertyNames()) {
      if (!OWN.matcher(name).matches()) {
        kept.put(name, lines.getProperty(name));
      }
    }
    return kept;
  }

  Optional<ServerProcess> running() throws CommandFailure {
    return PidFile.in(folder).running();
  }

  /** The lock of {@code orca grid run}. */
  static Path lock(Path gridCfg) {
    return gridCfg.resolveSibling(gridCfg.getFileName() + ".lock");
  }

  /** Who holds the node's lock, also where no pid file tells, as in another container. */
  private Optional<String> holder() throws CommandFailure {
    if (isHosted()) {
      return DataDirLock.holder(folder);
    }
    try {
      Path lock = lock(config);
      return KernelLock.isHeld(lock) ? Optional.of(KernelLock.holder(lock)) : Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure(config + " cannot be looked at: " + e.getMessage(), e);
    }
  }

  /** Fails if another process listens at the node's port: a probe would take it for the node. */
  void requireFreePort() throws CommandFailure {
    int port = settings.home().address().port();
    if (!FreePorts.free(port)) {
      throw new CommandFailure(
          "Port "
              + port
              + " (node "
              + number
              + ") is taken by "
              + PortOwner.describe(port)
              + "; stop that process, or choose another --base-port.");
    }
  }

  /** Fails if the node runs. */
  void requireEnded(Path grid) throws CommandFailure {
    if (running().isPresent()) {
      throw new CommandFailure(
          "The grid in "
              + grid
              + " is running; stop it first with 'orca grid stop' or choose another --dir.");
    }
    try {
      if (Deadline.in(FREED_LIMIT).await(() -> holder().isEmpty())) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new CommandFailure(
        "Node "
            + number
            + " of the grid in "
            + grid
            + " runs, as "
            + holder().orElse("another process")
            + " where it was started, though its orca.pid names no process here; end it there, or"
            + " choose another --dir.");
  }
}
