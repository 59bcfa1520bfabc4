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
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca grid start}. */
@Command(
    name = "start",
    description = {
      "Start N nodes in the background and wait until all serve.",
      "The first 1, 3 or 5 are hosted by the servers of an ensemble of their own, which agrees on"
          + " who is a node.",
      "If some of them run already, those that do not are started again and catch up from the"
          + " others. If none runs, maps are as they were; what was in memory begins anew.",
      "Each has its zoo.cfg or grid.cfg, log (orca.log) and process id (orca.pid) in a folder of"
          + " its own."
    })
final class GridStart implements Callable<Integer> {
  private static final int BASE_PORT = 7100;

  @Spec private CommandSpec spec;
  @Mixin private GridCommand.Folder folder;

  @Parameters(paramLabel = "N", description = "How many nodes, 1 to 9.")
  private int count;

  @Option(
      names = "--base-port",
      paramLabel = "PORT",
      description = {
        "The nodes listen at PORT, PORT+1, ..., for clients and for each other (default: "
            + BASE_PORT
            + ")."
      })
  private Integer basePort;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = {
        "A setting of every node, such as grid.workers=2, or a line for every zoo.cfg; may be"
            + " repeated."
      })
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--console",
      paramLabel = "PORT",
      description =
          "Serve a web console of the grid at each node, at PORT, PORT+1, ... (off otherwise).")
  private Integer consolePort;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long to wait until all serve (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    GridFolder.requireCount(count);
    try (KernelLock own = folder.get().lock()) {
      return start();
    }
  }

  private int start() throws CommandFailure, IOException, InterruptedException {
    Duration limit = Duration.ofSeconds(timeoutSeconds);
    GridFolder grid = folder.get();
    try {
      List<GridNode> nodes = grid.nodes();
      boolean runs = false;
      for (GridNode node : nodes) {
        runs |= node.running().isPresent();
      }
      if (runs) {
        grid.requireSame(nodes, count, basePort, settings);
        requireSameConsoles(grid, nodes);
      } else {
        nodes = new GridFiles(grid).write(count, basePort(nodes), consoles(nodes), settings);
      }
      GridProcesses processes = new GridProcesses(grid, nodes, Lifetime.DETACHED);
      List<Integer> started = processes.startMissing(limit);
      if (runs) {
        tell(started, processes);
      }
      print(processes, spec.commandLine().getOut());
      processes.detach();
      processes.completeVotes(limit, this::say);
      return 0;
    } catch (FileSystemException e) {
      throw StateFolder.failure(grid.dir(), e);
    }
  }

  /** Where the grid was before, unless something else is asked for. */
  private int basePort(List<GridNode> before) {
    if (basePort != null) {
      return basePort;
    }
    return before.isEmpty() ? BASE_PORT : GridFolder.basePort(before);
  }

  /** Where they were before, unless something else is asked for. */
  private GridConsoles consoles(List<GridNode> before) throws CommandFailure {
    return consolePort == null ? GridConsoles.of(before) : new GridConsoles(consolePort);
  }

  private void requireSameConsoles(GridFolder grid, List<GridNode> nodes) throws CommandFailure {
    GridConsoles are = GridConsoles.of(nodes);
    if (!consoles(nodes).equals(are)) {
      throw grid.another(
          (are.basePort() == 0 ? "has no consoles" : "has its consoles at " + are.basePort())
              + " and not at "
              + consolePort);
    }
  }

  private void tell(List<Integer> started, GridProcesses processes) throws CommandFailure {
    for (int node : started) {
      say("Node " + node + " was not running; started again with pid " + processes.pid(node) + ".");
    }
    if (started.isEmpty()) {
      say("All " + count + " nodes were running; nothing was started.");
    }
  }

  static void print(GridProcesses processes, PrintWriter out) throws CommandFailure {
    TextTable table = new TextTable(List.of("node", "pid", "address", "folder"));
    for (GridNode node : processes.nodes()) {
      table.add(
          List.of(
              Integer.toString(node.number()),
              Long.toString(processes.pid(node.number())),
              node.settings().home().address().toString(),
              node.config().getParent().toString()));
    }
    out.print(table);
    out.println("Connect with Grid.connect(\"" + processes.clients() + "\")");
    List<GridNode> nodes = processes.nodes();
    GridConsoles.of(nodes)
        .page(nodes.get(0).number())
        .ifPresent(page -> out.println("Console: " + page));
    out.flush();
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
