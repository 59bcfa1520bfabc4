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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.transport.tcp.LinkLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code orca geo run}: a node in this process, until a signal ends it. */
@Command(
    name = "run",
    description = {
      "Run one node of a store in the foreground, its log on standard output.",
      "JVM flags come from the environment variable ORCA_JVM_FLAGS."
    })
final class GeoRun implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(GeoRun.class);

  @Parameters(paramLabel = "GEO.CFG", description = "The node's configuration.")
  private Path file;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    GeoConfig config;
    try {
      config = GeoConfig.read(file, new GeoRecords());
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage() + ".", e);
    }
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
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
      return run(config, own);
    }
  }

  private int run(GeoConfig config, KernelLock lock)
      throws CommandFailure, IOException, InterruptedException {
    PidFile pidFile = PidFile.in(file.toAbsolutePath().getParent());
    StopOnSignal stop = StopOnSignal.arm(pidFile, lock);
    CompletableFuture<Void> failed = new CompletableFuture<>();
    pidFile.write(ProcessHandle.current());
    try (GeoNode node = start(config, failed);
        GeoConsole console = console(config, node)) {
      stop.stopFirst(node);
      LOG.info(
          "Node {} of the store \"{}\" at {}, its partitions in {}",
          node.plan().self(),
          node.plan().name(),
          node.plan().nodes().get(node.plan().self()),
          config.folder());
      if (console != null) {
        LOG.info("The store's page is served at port {}", console.port());
      }
      ServiceManager.ready();
      failed.get();
      return 0;
    } catch (ExecutionException e) {
      LOG.error("The node has failed", e.getCause());
      throw new CommandFailure("The node has stopped: " + e.getCause().getMessage(), e);
    } finally {
      stop.disarm();
      pidFile.delete();
    }
  }

  private static GeoConsole console(GeoConfig config, GeoNode node) throws CommandFailure {
    try {
      return config.console() == null ? null : GeoConsole.start(config, node);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage() + " See geo.console.port.", e);
    }
  }

  private static GeoNode start(GeoConfig config, CompletableFuture<Void> failed)
      throws CommandFailure {
    try {
      return GeoNode.start(config, new LinkLog(), failed::completeExceptionally);
    } catch (IOException e) {
      throw new CommandFailure("The node cannot start: " + e.getMessage(), e);
    }
  }
}
