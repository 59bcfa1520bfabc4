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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orca grid add}. */
@Command(
    name = "add",
    description = {
      "Add a node to the grid while it is used, and wait until it serves.",
      "It catches up with all that the others have. All of them must serve; majorities are of one"
          + " node more from then on. The grid keeps its nodes: 'orca grid start' starts all of"
          + " them.",
      "On other machines, 'orca grid run --add grid.cfg' does the same."
    })
final class GridAdd implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private GridCommand.Folder folder;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait until the node serves (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    GridFolder grid = folder.get();
    grid.requireNodes();
    try (KernelLock own = grid.lock()) {
      add(grid);
      return 0;
    } catch (FileSystemException e) {
      throw StateFolder.failure(grid.dir(), e);
    }
  }

  private void add(GridFolder grid) throws CommandFailure, IOException, InterruptedException {
    List<GridNode> nodes = grid.requireNodes();
    requireAllRun(nodes);
    GridProcesses processes = new GridProcesses(grid, nodes, Lifetime.DETACHED);
    processes.arm();
    processes.add(Duration.ofSeconds(timeoutSeconds));
    GridStart.print(processes, spec.commandLine().getOut());
    processes.detach();
    processes.completeVotes(Duration.ofSeconds(timeoutSeconds), this::say);
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  private static void requireAllRun(List<GridNode> nodes) throws CommandFailure {
    for (GridNode node : nodes) {
      if (node.running().isEmpty()) {
        throw new CommandFailure(
            "Node "
                + node.number()
                + " does not run, and a grid grows when all of its nodes serve; start it with 'orca"
                + " grid start "
                + nodes.size()
                + "'.");
      }
    }
  }
}
