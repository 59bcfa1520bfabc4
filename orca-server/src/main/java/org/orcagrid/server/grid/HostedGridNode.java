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
package org.orcagrid.server.grid;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.member.GridMember;
import org.orcagrid.transport.tcp.member.MemberSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the grid in a server's process, with that server as its way to the ensemble. It does
 * not keep the server from starting, and not from going on when the node fails: then it joins
 * again, as a new node.
 */
public final class HostedGridNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedGridNode.class);
  private static final long RETRY_SECONDS = 5;

  private final MemberSettings settings;
  private final Thread thread = new Thread(this::run, "orca-grid-host");

  private HostedGridNode(MemberSettings settings) {
    this.settings = settings;
    thread.setDaemon(true);
  }

  /**
   * Starts to join.
   *
   * @param grid where the node listens
   * @param ensemble host:port of a server
   * @param size how many nodes the grid has
   */
  public static HostedGridNode start(OrcaSettings.HostedGrid grid, String ensemble, int size) {
    MemberSettings.Joining joining = new MemberSettings.Joining(ensemble, size, grid.address());
    HostedGridNode node =
        new HostedGridNode(
            MemberSettings.of(joining)
                .withTransport(grid.transport())
                .withSecurity(grid.security()));
    node.thread.start();
    return node;
  }

  private void run() {
    try {
      while (true) {
        host();
        TimeUnit.SECONDS.sleep(RETRY_SECONDS);
      }
    } catch (InterruptedException e) {
      // close() wants this thread to end.
      LOG.debug("The node of the grid ends");
    }
  }

  /** One life of a node. */
  private void host() throws InterruptedException {
    CompletableFuture<Void> failed = new CompletableFuture<>();
    MemberSettings.Joining joining = settings.joining();
    EnsembleMembership membership =
        new EnsembleMembership(joining.ensemble(), settings.cluster(), joining.size());
    try (GridMember member =
        GridMember.join(
            settings,
            membership,
            new LinkListener() {
              @Override
              public void onRefused(String address, String reason) {
                LOG.warn("{}: {}", address, reason);
              }

              @Override
              public void onTransport(String which) {
                LOG.info("The node of the grid talks to the others over {}", which);
              }
            },
            failed::completeExceptionally,
            waitsFor -> LOG.info("The node of the grid waits: {}", waitsFor))) {
      LOG.info(
          "Hosts node {} of the grid \"{}\" at {}",
          member.settings().self(),
          settings.cluster(),
          joining.address());
      failed.get();
    } catch (IOException | RuntimeException e) {
      LOG.error("The node of the grid cannot be started; tries again", e);
    } catch (ExecutionException e) {
      LOG.error("The node of the grid has ended; another one takes its place", e.getCause());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
