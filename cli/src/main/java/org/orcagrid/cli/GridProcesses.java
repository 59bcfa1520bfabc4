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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;

/**
 * A running grid: every node is a process of its own that can be killed, paused and resumed. Nodes
 * are named by their number, from 0.
 *
 * <p>Not safe for several threads at once. {@link #close()} ends every process that was started
 * here; so does the end of this JVM, unless it is killed.
 */
public final class GridProcesses implements AutoCloseable {
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final List<GridFolder.Node> nodes;
  private final List<Launched> launched = new ArrayList<>();
  private final Thread killAtExit = new Thread(this::killAll, "orca-grid-kill");

  private GridProcesses(List<GridFolder.Node> nodes) {
    this.nodes = nodes;
  }

  /**
   * Starts a grid, and returns when all of its nodes serve.
   *
   * @param dir its folder; what is there of another grid must not run
   * @param basePort of the first node; the others follow
   * @param settings lines for every grid.cfg
   * @throws CommandFailure if a node does not serve in time, with the reason
   */
  public static GridProcesses start(
      Path dir, int count, int basePort, Map<String, String> settings, Duration limit)
      throws IOException, CommandFailure, InterruptedException {
    return start(new GridFolder(dir), count, basePort, settings, limit, Lifetime.ATTACHED);
  }

  static GridProcesses start(
      GridFolder folder,
      int count,
      int basePort,
      Map<String, String> settings,
      Duration limit,
      Lifetime lifetime)
      throws IOException, CommandFailure, InterruptedException {
    GridProcesses grid = new GridProcesses(folder.write(count, basePort, settings));
    Runtime.getRuntime().addShutdownHook(grid.killAtExit);
    boolean serves = false;
    try (GridProbe probe = new GridProbe()) {
      for (GridFolder.Node node : grid.nodes) {
        grid.launched.add(
            ProcessLauncher.launch(
                ServerProgram.gridNode(), node.config(), node.folder(), lifetime));
      }
      Deadline deadline = Deadline.in(limit);
      for (GridFolder.Node node : grid.nodes) {
        await(node, grid.launched.get(node.number()), probe, deadline);
      }
      serves = true;
    } finally {
      if (!serves) {
        grid.close();
      }
    }
    return grid;
  }

  static void await(GridFolder.Node node, Launched launched, GridProbe probe, Deadline deadline)
      throws CommandFailure, IOException, InterruptedException {
    StartWait wait = new StartWait(launched, "node " + node.number());
    for (String objection = probe.objection(node.settings(), PROBE_LIMIT);
        objection != null;
        objection = probe.objection(node.settings(), PROBE_LIMIT)) {
      wait.requireAlive();
      if (deadline.passed()) {
        throw CommandFailure.withEvidence(
            "Node " + node.number() + " does not serve in time: " + objection + ".",
            launched.output().tail(launched.mark()));
      }
    }
  }

  List<GridFolder.Node> nodes() {
    return nodes;
  }

  /** Where clients connect: host:port of all nodes, with commas between them. */
  public String clients() {
    return GridFolder.clients(nodes);
  }

  /** The process id of a node. */
  public long pid(int node) {
    return launched.get(node).process().pid();
  }

  private ServerProcess process(int node) {
    return new ServerProcess(launched.get(node).process().toHandle());
  }

  /** SIGKILL; returns when the process has ended. */
  public void kill(int node) throws InterruptedException, CommandFailure {
    process(node).kill();
    if (!process(node).awaitEnd(KILL_LIMIT)) {
      throw new CommandFailure("Node " + node + " does not end after SIGKILL.");
    }
  }

  /** SIGSTOP: returns when every thread of the node stands still; connections stay open. */
  public void pause(int node) throws IOException, InterruptedException, CommandFailure {
    process(node).pause();
  }

  /** SIGCONT: a paused node goes on. */
  public void resume(int node) throws IOException, InterruptedException {
    process(node).resume();
  }

  /** Lets the nodes outlive this JVM and this object. */
  void detach() {
    Runtime.getRuntime().removeShutdownHook(killAtExit);
    launched.clear();
  }

  private void killAll() {
    launched.forEach(each -> each.process().destroyForcibly());
  }

  /** Ends every node; what the grid held is gone, so that none is given time. */
  @Override
  public void close() {
    killAll();
    for (Launched each : launched) {
      each.process().onExit().join();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException e) {
      // The JVM ends already, and the hook with it.
      return;
    }
  }
}
