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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.zookeeper.metrics.MetricsContext;
import org.apache.zookeeper.server.ServerMetrics;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.LinkLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the grid in a server's process, with that server as its way to the ensemble. It does
 * not keep the server from starting, and not from going on when the node fails: then it joins
 * again, ever more seldom while it does not stay. One that the grid has removed does not.
 */
public final class HostedGridNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedGridNode.class);
  private static final long RETRY_SECONDS_MIN = 1;
  private static final long RETRY_SECONDS_MAX = 60;
  private static final long SERVES_LONG_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What the metrics provider is shown of a node that catches up. */
  private static final Map<String, ToLongFunction<Progress>> GAUGES =
      Map.of(
          "orca_grid_catch_up_parts_left",
          progress -> progress.parts() - progress.whole(),
          "orca_grid_catch_up_pages",
          Progress::pages,
          "orca_grid_catch_up_entries",
          Progress::entries,
          "orca_grid_catch_up_entries_max",
          Progress::entriesMax,
          "orca_grid_catch_up_bytes",
          Progress::bytes);

  private final NodeSettings settings;
  private final Thread thread = new Thread(this::run, "orca-grid-host");

  /** The life that there is, null between two. */
  private volatile GridMember member;

  private HostedGridNode(NodeSettings settings) {
    this.settings = settings;
    thread.setDaemon(true);
  }

  /** Starts to join. */
  public static HostedGridNode start(NodeSettings settings) {
    HostedGridNode node = new HostedGridNode(settings);
    node.thread.start();
    return node;
  }

  private void run() {
    try {
      long pause = RETRY_SECONDS_MIN;
      while (true) {
        long began = System.nanoTime();
        if (!host()) {
          return;
        }
        // Each process that joins and fails holds the others up, and uses one of its place's
        // numbers.
        boolean lived = System.nanoTime() - began > SERVES_LONG_NANOS;
        pause = lived ? RETRY_SECONDS_MIN : Math.min(RETRY_SECONDS_MAX, 2 * pause);
        TimeUnit.SECONDS.sleep(pause);
      }
    } catch (InterruptedException e) {
      // close() wants this thread to end.
      LOG.debug("The node of the grid ends");
    } catch (Error e) {
      LOG.error("The node of the grid has ended, and does not join again; restart the server", e);
      throw e;
    }
  }

  /** One life of a node; whether there may be another one. */
  private boolean host() throws InterruptedException {
    CompletableFuture<Void> failed = new CompletableFuture<>();
    try (GridMember life =
        GridMember.start(
            settings, settings.hostedMembership(), new LinkLog(), failed::completeExceptionally)) {
      member = life;
      LOG.info(
          "Hosts node {} of the grid \"{}\" at {}, its maps in {}",
          life.node().maps().self(),
          settings.home().grid(),
          settings.home().address(),
          settings.home().folder());
      GAUGES.forEach(
          (name, value) ->
              metrics().registerGauge(name, () -> value.applyAsLong(life.node().progress())));
      failed.get();
    } catch (IOException e) {
      if (isRemoved(e)) {
        return false;
      }
      LOG.warn("The node of the grid cannot be started; tries again: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("The node of the grid cannot be started; tries again", e);
    } catch (ExecutionException e) {
      if (isRemoved(e)) {
        return false;
      }
      LOG.error("The node of the grid has ended; it joins again", e.getCause());
    } finally {
      member = null;
      GAUGES.keySet().forEach(metrics()::unregisterGauge);
    }
    return true;
  }

  private static boolean isRemoved(Exception failure) {
    boolean isRemoval = GridMember.isRemoval(failure);
    if (isRemoval) {
      LOG.warn(
          "The node was removed from the grid and ends; this server hosts none any more: {}",
          failure.getMessage());
    }
    return isRemoval;
  }

  /** The node as it is now; null while there is none. */
  public GridMember member() {
    return member;
  }

  private static MetricsContext metrics() {
    return ServerMetrics.getMetrics().getMetricsProvider().getRootContext();
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
