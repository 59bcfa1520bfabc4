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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.orcagrid.server.grid.EnsembleMembership;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.member.GridMember;
import org.orcagrid.transport.tcp.member.MemberSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code orca grid run}: a node in this process, until a signal ends it. */
@Command(
    name = "run",
    description = {
      "Run one node of a grid in the foreground, its log on standard output.",
      "It serves as soon as a majority of the grid's nodes run. JVM flags come from the environment"
          + " variable ORCA_JVM_FLAGS."
    })
final class GridRun implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(GridRun.class);

  @Parameters(paramLabel = "GRID.CFG", description = "The node's configuration.")
  private Path file;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    MemberSettings settings = GridFolder.read(file);
    PidFile pidFile = PidFile.in(file.toAbsolutePath().getParent());
    StopOnSignal stop = StopOnSignal.arm(pidFile, () -> {});
    CompletableFuture<Void> failed = new CompletableFuture<>();
    try (GridMember member = start(settings, failed)) {
      stop.stopFirst(member);
      pidFile.write(ProcessHandle.current());
      LOG.info(
          "Node {} of the grid \"{}\" at {}; clients connect to {}",
          member.settings().self(),
          settings.cluster(),
          member.settings().nodes().get(member.settings().self()),
          settings.clients());
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

  private static GridMember start(MemberSettings settings, CompletableFuture<Void> failed)
      throws IOException, InterruptedException {
    MemberSettings.Joining joining = settings.joining();
    return joining == null
        ? GridMember.start(settings, new Log(), failed::completeExceptionally)
        : GridMember.join(
            settings,
            new EnsembleMembership(joining.ensemble(), settings.cluster(), joining.size()),
            new Log(),
            failed::completeExceptionally,
            waitsFor -> LOG.info("Waits for a place in the grid: {}", waitsFor));
  }

  /** Puts what happens to the links into the log. */
  private static final class Log implements LinkListener {
    @Override
    public void onTransport(String which) {
      LOG.info("The nodes of this grid talk over {}", which);
    }

    @Override
    public void onUp(int peer, int worker) {
      LOG.info("Worker {} is connected to node {}", worker, peer);
    }

    @Override
    public void onDown(int peer, int worker, String reason) {
      if (peer < 0) {
        LOG.debug("A client has gone: {}", reason);
      } else {
        LOG.warn("Worker {} has lost node {}: {}", worker, peer, reason);
      }
    }

    @Override
    public void onRefused(String address, String reason) {
      LOG.warn("{}: {}", address, reason);
    }
  }
}
