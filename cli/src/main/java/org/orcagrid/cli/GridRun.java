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
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.orcagrid.node.GridConfig;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.console.Console;
import org.orcagrid.server.console.GridWatch;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orca grid run}: a node in this process, until a signal ends it. */
@Command(
    name = "run",
    description = {
      "Run one node of a grid in the foreground, its log on standard output.",
      "A grid begins when all of its nodes have come; a node that comes back serves once it has"
          + " caught up. JVM flags come from the environment variable ORCA_JVM_FLAGS."
    })
final class GridRun implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(GridRun.class);

  @Parameters(paramLabel = "GRID.CFG", description = "The node's configuration.")
  private Path file;

  @Option(
      names = "--add",
      description = {
        "Add the node to the grid, unless its folder has a place there. The grid grows when all of"
            + " its other nodes serve."
      })
  private boolean adds;

  /** The node, null while there is none; its console looks. */
  private volatile GridMember serving;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    NodeSettings settings = GridFolder.read(file);
    Path lock = GridNode.lock(file);
    Optional<KernelLock> held = KernelLock.tryTake(lock);
    if (held.isEmpty()) {
      throw new CommandFailure(
          "The node of "
              + file
              + " runs already, as "
              + KernelLock.holder(lock)
              + "; stop it first.");
    }
    try (KernelLock own = held.get()) {
      return run(settings, own);
    }
  }

  private int run(NodeSettings settings, KernelLock lock)
      throws CommandFailure, IOException, InterruptedException {
    PidFile pidFile = PidFile.in(file.toAbsolutePath().getParent());
    StopOnSignal stop = StopOnSignal.arm(pidFile, lock);
    CompletableFuture<Void> failed = new CompletableFuture<>();
    // Before it joins, which may take long: a node that waits for a place must be seen, too.
    boolean written = isFree(pidFile);
    if (written) {
      pidFile.write(ProcessHandle.current());
    }
    try (Console console = console(settings);
        GridMember member = start(settings, failed)) {
      serving = member;
      stop.stopFirst(member);
      pidFile.write(ProcessHandle.current());
      written = true;
      LOG.info(
          "Node {} of the grid \"{}\" at {}, its maps in {}",
          member.node().maps().self(),
          settings.home().grid(),
          settings.home().address(),
          settings.home().folder());
      if (console != null) {
        LOG.info("The console of the grid is served at port {}", console.port());
      }
      ServiceManager.ready();
      failed.get();
      return 0;
    } catch (ExecutionException e) {
      if (GridMember.isRemoval(e)) {
        LOG.info("The node was removed from the grid and ends: {}", e.getCause().getMessage());
        return 0;
      }
      LOG.error("The node has failed", e.getCause());
      throw new CommandFailure("The node has stopped: " + e.getCause().getMessage(), e);
    } finally {
      serving = null;
      stop.disarm();
      // Until it is written, the file may be that of another node whose grid.cfg lies beside.
      if (written) {
        pidFile.delete();
      }
    }
  }

  /** What is no pid file is replaced: nobody runs by it. */
  private static boolean isFree(PidFile pidFile) {
    try {
      return pidFile.running().isEmpty();
    } catch (CommandFailure e) {
      LOG.warn("{}; it is replaced", e.getMessage());
      return true;
    }
  }

  /** Before the node joins, which may take long; null if none is asked for. */
  private Console console(NodeSettings settings) throws CommandFailure {
    HostPort at = settings.links().console();
    if (at == null) {
      return null;
    }
    InetSocketAddress address = at.resolve();
    if (address.isUnresolved()) {
      throw new CommandFailure(
          file
              + ": "
              + GridConfig.CONSOLE_ADDRESS
              + "="
              + at.host()
              + " is no address of this machine that can be found.");
    }
    try {
      return Console.ofGrid(address, new GridWatch(settings, () -> serving));
    } catch (IOException e) {
      throw new CommandFailure(
          e.getMessage() + " See " + GridConfig.CONSOLE_PORT + " in " + file + ".", e);
    }
  }

  private GridMember start(NodeSettings settings, CompletableFuture<Void> failed)
      throws CommandFailure, InterruptedException {
    try {
      if (adds) {
        LOG.info("The node's place is {}", settings.addPlace());
      }
      return GridMember.start(
          settings, settings.membership(), new LinkLog(), failed::completeExceptionally);
    } catch (IOException e) {
      throw new CommandFailure("The node cannot start: " + e.getMessage(), e);
    }
  }
}
