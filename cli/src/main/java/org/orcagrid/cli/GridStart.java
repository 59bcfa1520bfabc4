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
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntToLongFunction;
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
      "They begin empty: a grid holds what it has in memory. If some of them run already, those"
          + " that do not are started again and catch up from the others.",
      "Each has its grid.cfg, log (orca.log) and process id (orca.pid) in a folder of its own."
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
      description = "A line for every grid.cfg, such as grid.workers=2; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long to wait until all serve (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    GridFolder.requireCount(count);
    Path dir = folder.get().dir();
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
          "Another 'orca grid start' is at work in "
              + dir
              + ", as "
              + KernelLock.holder(lock)
              + "; wait until it has ended, or choose another --dir.");
    }
    try (KernelLock own = held.get()) {
      return start();
    }
  }

  private int start() throws CommandFailure, IOException, InterruptedException {
    Duration limit = Duration.ofSeconds(timeoutSeconds);
    Optional<GridResume> running = GridResume.of(folder.get());
    if (running.isPresent()) {
      GridResume resumed = running.get();
      resumed.requireSame(count, basePort, settings);
      resumed.start(limit, this::say);
      print(resumed.nodes(), resumed::pid);
      return 0;
    }
    int port = basePort == null ? BASE_PORT : basePort;
    try {
      GridProcesses grid =
          GridProcesses.start(folder.get(), count, port, settings, limit, Lifetime.DETACHED);
      print(grid.nodes(), grid::pid);
      grid.detach();
      return 0;
    } catch (FileSystemException e) {
      throw StateFolder.failure(folder.get().dir(), e);
    }
  }

  private void print(List<GridFolder.Node> nodes, IntToLongFunction pids) {
    TextTable table = new TextTable(List.of("node", "pid", "address", "folder"));
    for (GridFolder.Node node : nodes) {
      table.add(
          List.of(
              Integer.toString(node.number()),
              Long.toString(pids.applyAsLong(node.number())),
              node.settings().address().toString(),
              node.folder().toString()));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(table);
    out.println("Connect with RemoteGrid.connect(\"" + GridFolder.clients(nodes) + "\")");
    out.flush();
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
