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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.worker.Workers;

/** Nodes of maps in this JVM, which can be stopped and started. */
final class LocalMaps implements AutoCloseable {
  private static final int PACKET_BYTES_MAX = 16 * 1024;
  private static final SegmentLimits LIMITS =
      new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28);

  /** For how many nodes there is room. */
  private final int count;

  private final Path folder;
  private final MediumKind medium;
  private final LoopbackNetwork network;
  private final LocalViews views;
  private final List<HostedMaps> nodes = new ArrayList<>();
  private final Map<Integer, LeavingMembership> memberships = new HashMap<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private LocalMaps(int nodes, Path folder, MediumKind medium, LocalViews views) {
    this.count = nodes;
    this.medium = medium;
    this.folder = folder;
    this.network = new LoopbackNetwork(nodes, 1, PACKET_BYTES_MAX);
    this.views = views;
  }

  /** Nodes whose maps are all in memory only. */
  static LocalMaps inMemory(int nodes) throws IOException, InterruptedException {
    return start(
        new LocalMaps(
            nodes, null, null, LocalViews.inMemory(nodes, System::nanoTime, threads("views"))));
  }

  static LocalMaps start(int nodes, Path folder) throws IOException, InterruptedException {
    return start(nodes, folder, LogMedium.kind(LIMITS));
  }

  static LocalMaps start(int nodes, Path folder, MediumKind medium)
      throws IOException, InterruptedException {
    LocalViews views = LocalViews.open(nodes, folder, System::nanoTime, threads("views"));
    return start(new LocalMaps(nodes, folder, medium, views));
  }

  /** So many nodes; those that are started behind them are added to the grid. */
  static LocalMaps start(int nodes, int room, Path folder)
      throws IOException, InterruptedException {
    LocalViews views = LocalViews.open(nodes, room, folder, System::nanoTime, threads("views"));
    return start(new LocalMaps(room, folder, LogMedium.kind(LIMITS), views), nodes);
  }

  private static LocalMaps start(LocalMaps maps) throws IOException, InterruptedException {
    return start(maps, maps.count);
  }

  private static LocalMaps start(LocalMaps maps, int nodes)
      throws IOException, InterruptedException {
    for (int node = 0; node < nodes; node++) {
      maps.start(node);
    }
    return maps;
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  static FolderMedia media(Path folder, int node) {
    return media(folder, node, LogMedium.kind(LIMITS));
  }

  private static FolderMedia media(Path folder, int node, MediumKind medium) {
    return new FolderMedia(folder.resolve("node" + node), medium, threads("medium" + node));
  }

  void start(int node) throws IOException, InterruptedException {
    if (node == nodes.size()) {
      nodes.add(null);
    }
    memberships.put(node, new LeavingMembership(views.membership(node)));
    nodes.set(
        node,
        MapNodes.start(
            MapSizes.of(count, node),
            new HostedMaps.Providers(
                memberships.get(node),
                folder == null ? MapMedia.NONE : media(folder, node, medium),
                WallClock.NONE,
                null),
            new Workers.Environment(
                network.transport(node), System::nanoTime, threads("node" + node), failure::set)));
  }

  /** The node is left out, and begins another life. */
  void leaveOut(int node) {
    memberships.get(node).leaveOut();
  }

  /** Whether the node may not tell anybody anything at present. */
  void leaseIsOver(int node, boolean over) {
    memberships.get(node).leaseIsOver(over);
  }

  void stop(int node) {
    nodes.get(node).close();
  }

  HostedMaps node(int node) {
    return nodes.get(node);
  }

  /** What has ended a node, which a test has wanted. */
  Throwable takeFailure() {
    return failure.getAndSet(null);
  }

  int size() {
    return nodes.size();
  }

  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("It has not come true", failure.get());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    views.close();
    nodes.forEach(HostedMaps::close);
    if (failure.get() != null) {
      throw new AssertionError("A node has failed", failure.get());
    }
  }
}
