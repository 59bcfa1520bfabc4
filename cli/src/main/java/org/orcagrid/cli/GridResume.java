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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;

/** Brings back the nodes that a grid lacks, while the others go on. */
final class GridResume {
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 100;

  private final GridFolder folder;
  private final List<GridFolder.Node> nodes;
  private final Map<Integer, Long> pids = new HashMap<>();

  // The hook's thread reads these two.
  private Launched starting;
  private boolean interrupted;

  private GridResume(GridFolder folder, List<GridFolder.Node> nodes) {
    this.folder = folder;
    this.nodes = nodes;
  }

  /** Returns the grid of which some nodes run; empty if none does. */
  static Optional<GridResume> of(GridFolder folder) throws CommandFailure {
    List<GridFolder.Node> nodes = folder.nodes();
    for (GridFolder.Node node : nodes) {
      if (node.running().isPresent()) {
        return Optional.of(new GridResume(folder, nodes));
      }
    }
    return Optional.empty();
  }

  /**
   * Fails if what is asked for is another grid than the one that runs.
   *
   * @param basePort null for any
   */
  void requireSame(int count, Integer basePort, Map<String, String> settings)
      throws CommandFailure, IOException {
    for (int number = 0; number < nodes.size(); number++) {
      if (nodes.get(number).number() != number) {
        throw new CommandFailure(
            "Node "
                + nodes.get(number).number()
                + " of the grid in "
                + folder.dir()
                + " runs or was run, but node "
                + number
                + " has no grid.cfg there; stop the grid with 'orca grid stop' and start it"
                + " again.");
      }
    }
    if (count != nodes.size()) {
      throw another("has " + nodes.size() + " nodes and not " + count);
    }
    int port = nodes.get(0).settings().address().port();
    if (basePort != null && basePort != port) {
      throw another("has the base port " + port + " and not " + basePort);
    }
    for (GridFolder.Node node : nodes) {
      Properties lines = new Properties();
      try (Reader reader = Files.newBufferedReader(node.config())) {
        lines.load(reader);
      }
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        String is = lines.getProperty(setting.getKey());
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

  private CommandFailure another(String difference) {
    return new CommandFailure(
        "The grid that runs in "
            + folder.dir()
            + " "
            + difference
            + "; stop it first with 'orca grid stop', or choose another --dir.");
  }

  /** Starts what does not run, one after the other, as each catches up from those that serve. */
  void start(Duration limit, Consumer<String> say)
      throws CommandFailure, IOException, InterruptedException {
    List<GridFolder.Node> missing = new ArrayList<>();
    for (GridFolder.Node node : nodes) {
      Optional<ServerProcess> process = node.running();
      if (process.isEmpty()) {
        missing.add(node);
      } else {
        pids.put(node.number(), process.get().pid());
      }
    }
    int running = nodes.size() - missing.size();
    int needed = FolderPlaces.neededToCatchUp(nodes.size());
    if (!missing.isEmpty() && running < needed) {
      throw new CommandFailure(
          running
              + " of "
              + nodes.size()
              + " nodes of the grid in "
              + folder.dir()
              + " run, and a node that comes back needs "
              + needed
              + " to catch up with; stop the grid with 'orca grid stop' and start it again,"
              + " empty.");
    }
    Deadline deadline = Deadline.in(limit);
    // Ctrl-C must leave no node behind of which nobody knows whether it will serve.
    Thread killAtExit = new Thread(this::killStarting, "orca-grid-kill");
    Runtime.getRuntime().addShutdownHook(killAtExit);
    try (GridProbe probe = new GridProbe()) {
      for (GridFolder.Node node : missing) {
        long pid = launch(node, probe, deadline);
        pids.put(node.number(), pid);
        say.accept(
            "Node " + node.number() + " was not running; started again with pid " + pid + ".");
      }
      for (GridFolder.Node node : nodes) {
        awaitServing(node, probe, deadline);
      }
    } finally {
      remove(killAtExit);
    }
    if (missing.isEmpty()) {
      say.accept("All " + nodes.size() + " nodes were running; nothing was started.");
    }
  }

  List<GridFolder.Node> nodes() {
    return nodes;
  }

  long pid(int node) {
    return pids.get(node);
  }

  private synchronized Launched launch(GridFolder.Node node) throws CommandFailure, IOException {
    if (interrupted) {
      throw new CommandFailure("Interrupted before node " + node.number() + " was started.");
    }
    starting =
        ProcessLauncher.launch(
            ServerProgram.gridNode(), node.config(), node.folder(), Lifetime.DETACHED);
    return starting;
  }

  private synchronized void serves() {
    starting = null;
  }

  private synchronized void killStarting() {
    interrupted = true;
    if (starting != null) {
      starting.process().destroyForcibly();
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM ends already, and the hook with it.
      return;
    }
  }

  private long launch(GridFolder.Node node, GridProbe probe, Deadline deadline)
      throws CommandFailure, IOException, InterruptedException {
    Launched launched = launch(node);
    boolean serves = false;
    try {
      GridProcesses.await(node, launched, probe, deadline);
      serves = true;
      serves();
      return launched.process().pid();
    } finally {
      if (!serves) {
        launched.process().destroyForcibly().onExit().join();
      }
    }
  }

  /** A node that ran all the time may hang, or learn of the new one a moment later. */
  private static void awaitServing(GridFolder.Node node, GridProbe probe, Deadline deadline)
      throws CommandFailure, InterruptedException {
    String objection = probe.objection(node.settings(), PROBE_LIMIT);
    while (objection != null) {
      if (deadline.passed()) {
        throw new CommandFailure(
            "Node "
                + node.number()
                + " runs but does not serve in time: "
                + objection
                + "; its log is "
                + ServerOutput.in(node.folder()).log()
                + ".");
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      objection = probe.objection(node.settings(), PROBE_LIMIT);
    }
  }
}
