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
package org.orcagrid.client.map;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.orcagrid.client.Deadlines;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.ddp.forward.ForwardedMaps;
import org.orcagrid.ddp.forward.Ways;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapMedia;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.worker.PacketHeader;
import org.orcagrid.ddp.worker.Workers;

/** Nodes that are all in this JVM: what is behind an {@link EmbeddedGrid}. */
public final class EmbeddedNodes implements AutoCloseable {
  private static final int PACKET_BYTES_MIN = 64 << 10;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final LocalViews views;
  private final LongSupplier nowMillis;
  private final List<Node> nodes = new ArrayList<>();
  private final List<ForwardedMaps> maps = new ArrayList<>();

  /** One for each node: it knows what was written through it. */
  private final List<MapHost> hosts = new ArrayList<>();

  private final Deadlines deadlines = new Deadlines();

  private EmbeddedNodes(LocalViews views, LongSupplier nowMillis) {
    this.views = views;
    this.nowMillis = nowMillis;
  }

  /**
   * Starts nodes; returns when all serve.
   *
   * @throws IOException if the folder cannot be used, or is of another number of nodes
   */
  public static EmbeddedNodes start(EmbeddedGrid.Settings settings)
      throws IOException, InterruptedException {
    return start(settings, System::currentTimeMillis);
  }

  /** The same with another wall clock. */
  static EmbeddedNodes start(EmbeddedGrid.Settings settings, LongSupplier nowMillis)
      throws IOException, InterruptedException {
    ThreadFactory threads = threads("orca-grid-views");
    LocalViews views =
        settings.folder() == null
            ? LocalViews.inMemory(settings.nodes(), System::nanoTime, threads)
            : LocalViews.open(settings.nodes(), settings.folder(), System::nanoTime, threads);
    EmbeddedNodes started = new EmbeddedNodes(views, nowMillis);
    try {
      LoopbackNetwork network =
          new LoopbackNetwork(
              settings.nodes(),
              1,
              Math.max(
                  PACKET_BYTES_MIN,
                  PacketHeader.BYTES + KiteSettings.messageBytesMax(settings.valueBytesMax())));
      for (int node = 0; node < settings.nodes(); node++) {
        Views membership = views.membership(node);
        Node next = started.start(settings, node, membership, network);
        started.nodes.add(next);
        started.maps.add(
            new ForwardedMaps(
                next.maps(),
                () -> membership.newest().orElse(null),
                started.new Beside(),
                System::nanoTime));
        started.hosts.add(new MapHost(started.maps.get(node), started.deadlines, nowMillis));
      }
      for (Node each : started.nodes) {
        if (!each.awaitServing(PATIENCE_NANOS)) {
          throw new IOException("A node does not serve: " + each.failure(), each.failure());
        }
      }
      return started;
    } catch (IOException | InterruptedException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private Node start(
      EmbeddedGrid.Settings settings, int node, Views membership, LoopbackNetwork network)
      throws IOException, InterruptedException {
    String name = "orca-grid-" + node;
    MapMedia media =
        settings.folder() == null
            ? MapMedia.NONE
            : new FolderMedia(
                settings.folder().resolve("node-" + node),
                settings.medium(),
                threads(name + "-medium"));
    return Node.start(
        new Node.Sizes(
            MapSizes.of(settings.nodes(), node),
            KiteSettings.of(settings.nodes(), node, 1, settings.sessionsPerNode()),
            new ReplicaStore.Limits(settings.valueBytesMax(), settings.bytesMax()),
            Budget.DEFAULT_BYTES_PER_SECOND),
        new HostedMaps.Providers(membership, media, WallClock.of(nowMillis), null),
        new Workers.Environment(
            network.transport(node),
            System::nanoTime,
            threads(name),
            // Its sessions say what has ended it.
            reason -> {}));
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** The ways between nodes of one JVM: to their maps. */
  private final class Beside implements Ways {
    @Override
    public Maps to(int place, AgreedView view) {
      return nodes.get(place).maps();
    }

    @Override
    public boolean isWorker() {
      return nodes.stream().anyMatch(each -> each.maps().isWorker());
    }

    @Override
    public void later(Runnable task, long nanos) {
      CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }
  }

  /** The maps as a node has them, or finds them. */
  public GridMaps host(int node) {
    return hosts.get(node);
  }

  /** The keys of a node. */
  public SessionHost keys(int node) {
    return nodes.get(node);
  }

  /** Of all asynchronous operations. */
  public Deadlines deadlines() {
    return deadlines;
  }

  /** Takes a node away for good. */
  public void stop(int node) {
    maps.get(node).close();
    nodes.get(node).close();
  }

  @Override
  public void close() {
    // First: those that served together come back together.
    views.close();
    maps.forEach(ForwardedMaps::close);
    nodes.forEach(Node::close);
  }
}
