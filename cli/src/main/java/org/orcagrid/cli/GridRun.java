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
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.orcagrid.ddp.node.Membership;
import org.orcagrid.server.grid.EnsembleMembership;
import org.orcagrid.transport.tcp.HostPort;
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
      return run(settings, own);
    }
  }

  private int run(MemberSettings settings, KernelLock lock)
      throws CommandFailure, IOException, InterruptedException {
    PidFile pidFile = PidFile.in(file.toAbsolutePath().getParent());
    StopOnSignal stop = StopOnSignal.arm(pidFile, lock);
    CompletableFuture<Void> failed = new CompletableFuture<>();
    // Before it joins, which may take long: a node that waits for a place must be seen, too.
    boolean written = isFree(pidFile);
    if (written) {
      pidFile.write(ProcessHandle.current());
    }
    try (GridMember member = start(settings, failed)) {
      stop.stopFirst(member);
      pidFile.write(ProcessHandle.current());
      written = true;
      LOG.info(
          "Node {} of the grid \"{}\" at {}",
          member.settings().self(),
          settings.cluster(),
          settings.address());
      ServiceManager.ready();
      failed.get();
      return 0;
    } catch (ExecutionException e) {
      LOG.error("The node has failed", e.getCause());
      throw new CommandFailure("The node has stopped: " + e.getCause().getMessage(), e);
    } finally {
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

  private GridMember start(MemberSettings settings, CompletableFuture<Void> failed)
      throws CommandFailure, InterruptedException {
    try {
      Optional<Membership> membership = membership(settings);
      return membership.isEmpty()
          ? GridMember.start(settings, new Log(), failed::completeExceptionally)
          : GridMember.join(
              settings,
              membership.get(),
              new Log(),
              failed::completeExceptionally,
              waitsFor -> LOG.info("Waits for a place in the grid: {}", waitsFor));
    } catch (IOException e) {
      throw new CommandFailure("The node cannot start: " + e.getMessage(), e);
    }
  }

  /** The service that agrees on views; none for nodes that are fixed and do not come back. */
  private Optional<Membership> membership(MemberSettings settings) throws IOException {
    MemberSettings.Joining joining = settings.joining();
    if (joining != null) {
      return Optional.of(
          new EnsembleMembership(joining.ensemble(), settings.cluster(), joining.size()));
    }
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      lines.load(reader);
    }
    String views = lines.getProperty(MemberSettings.VIEWS);
    return views == null
        ? Optional.empty()
        : Optional.of(
            new FolderMembership(
                Path.of(views.trim()),
                settings.nodes().stream().map(HostPort::toString).toList(),
                settings.self()));
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
