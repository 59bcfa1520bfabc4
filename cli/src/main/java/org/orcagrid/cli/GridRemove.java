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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import org.orcagrid.membership.zookeeper.ServerInEnsembleException;
import org.orcagrid.node.NodeSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca grid remove}. */
@Command(
    name = "remove",
    description = {
      "Remove a node, dead or alive, from the grid while it is used, and wait until it has left.",
      "All other nodes must serve. First they catch up with what the node counted for; then"
          + " majorities are of one node less. The node's process ends, and its folder is set"
          + " aside: nothing is deleted, and the folder cannot join the grid again.",
      "If a server of the ensemble hosts the node, the server leaves the ensemble first. Another"
          + " node gets its vote and restarts for that, if there is one that has none.",
      "Of nodes that 'orca grid run' has started, name one by the address that it has in the grid,"
          + " and give the grid.cfg of any of them."
    })
final class GridRemove implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private GridCommand.Folder folder;

  @Parameters(
      paramLabel = "NODE",
      description = "Its number as 'orca grid status' shows it; with --config, its HOST:PORT.")
  private String node;

  @Option(
      names = "--config",
      paramLabel = "GRID.CFG",
      description = "The configuration of any node of a grid that 'orca grid run' has started.")
  private Path config;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = {
        "How long to wait until the node has left (default: ${DEFAULT-VALUE}). It goes on leaving"
            + " after that."
      })
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    if (config != null) {
      removeByAddress();
      return 0;
    }
    GridFolder grid = folder.get();
    grid.requireNodes();
    try (KernelLock own = grid.lock()) {
      remove(grid);
      return 0;
    } catch (FileSystemException e) {
      throw StateFolder.failure(grid.dir(), e);
    }
  }

  private void removeByAddress() throws CommandFailure, IOException, InterruptedException {
    if (folder.isGiven()) {
      throw CommandFailure.usage("--config and --dir name different grids; give one of them.");
    }
    NodeSettings settings = GridFolder.read(config);
    Deadline deadline = Deadline.in(Duration.ofSeconds(timeoutSeconds));
    try {
      removeByAddress(settings, deadline);
    } catch (ServerInEnsembleException e) {
      String others = settings.home().ensemble();
      try (EnsembleVotes votes = EnsembleVotes.connect(others, Optional.empty(), deadline)) {
        say(EnsembleVotes.describe(votes.take(e.server())));
      }
      // The ensemble may elect a leader, and a node be silent meanwhile.
      deadline.untilDone(() -> removeByAddress(settings, deadline));
      say(
          "Stop server "
              + e.server()
              + ", which is in the ensemble no more, and take it out of grid.ensemble in each"
              + " grid.cfg. Before another server that hosts a node restarts, its zoo.cfg needs"
              + " orca.grid.size="
              + settings.home().size()
              + ".");
    }
  }

  private void removeByAddress(NodeSettings settings, Deadline deadline)
      throws CommandFailure, ServerInEnsembleException, InterruptedException {
    try {
      int place = settings.removePlace(node, deadline.left(), this::say);
      say(
          "Removed the node at "
              + node
              + ", which was at place "
              + place
              + ". It ends, and its folder cannot join the grid again.");
    } catch (ServerInEnsembleException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure("Nothing is removed: " + e.getMessage(), e);
    }
  }

  private void remove(GridFolder grid) throws CommandFailure, IOException, InterruptedException {
    List<GridNode> nodes = grid.requireNodes();
    int number = number(nodes);
    GridProcesses processes = new GridProcesses(grid, nodes, Lifetime.DETACHED);
    Duration limit = Duration.ofSeconds(timeoutSeconds);
    Path aside = processes.remove(number, limit, this::say);
    say("Removed node " + number + "; its folder is " + aside + ".");
    processes.completeVotes(limit, this::say);
    say("Connect with Grid.connect(\"" + processes.clients() + "\")");
  }

  private int number(List<GridNode> nodes) throws CommandFailure {
    for (GridNode each : nodes) {
      if (node.equals(Integer.toString(each.number()))) {
        return each.number();
      }
    }
    throw CommandFailure.usage(
        "There is no node "
            + node
            + "; the grid has "
            + String.join(
                ", ", nodes.stream().map(each -> Integer.toString(each.number())).toList())
            + ".");
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
