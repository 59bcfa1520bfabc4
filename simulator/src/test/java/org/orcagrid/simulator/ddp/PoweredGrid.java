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
package org.orcagrid.simulator.ddp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.orcagrid.ddp.durable.log.PoweredMedia;
import org.orcagrid.ddp.durable.segment.PoweredDevice;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapNodes;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.ddp.zone.ZoneDevice;

/**
 * Nodes of maps with real threads, each on a device of its own whose power can be cut. Who agrees
 * on the views keeps them in a real file.
 */
final class PoweredGrid implements AutoCloseable {
  private static final int PACKET_BYTES_MAX = 16 * 1024;
  private static final int ZONES_BYTES = 4096 * 7;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final int size;
  private final Path folder;
  private final LoopbackNetwork network;
  private final List<PoweredDevice> devices = new ArrayList<>();
  private final List<HostedMaps> nodes = new ArrayList<>();
  private final boolean hasZones;
  private LocalViews views;

  PoweredGrid(int size, Path folder, SplittableRandom random, PoweredDevice.Honesty honesty)
      throws IOException, InterruptedException {
    this.size = size;
    // A device that lies about its logs would be hidden by zones that keep what it loses.
    this.hasZones = honesty == PoweredDevice.Honesty.HONEST && random.nextBoolean();
    this.folder = folder;
    this.network = new LoopbackNetwork(size, 1, PACKET_BYTES_MAX);
    openViews();
    for (int node = 0; node < size; node++) {
      devices.add(new PoweredDevice(random.nextLong(), honesty));
      nodes.add(null);
      start(node);
    }
  }

  private void openViews() throws IOException {
    views = LocalViews.open(size, folder, System::nanoTime, threads("views"));
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private void start(int node) throws IOException, InterruptedException {
    MapSizes usual = MapSizes.of(size(), node);
    nodes.set(
        node,
        MapNodes.start(
            new MapSizes(size(), node, 1, usual.backlogMax(), 20_000_000, usual.progressNanos()),
            new HostedMaps.Providers(
                views.membership(node),
                new PoweredMedia(devices.get(node), threads("log" + node)),
                WallClock.NONE,
                hasZones
                    ? ZoneDevice.open(devices.get(node).memory(ZONES_BYTES), size(), 1, 99)
                    : null),
            new Workers.Environment(
                network.transport(node), System::nanoTime, threads("node" + node), failure -> {})));
  }

  int size() {
    return size;
  }

  synchronized HostedMaps node(int node) {
    return nodes.get(node);
  }

  /** How many records the nodes have put into each other's zones in their present lives. */
  long recordsInZones() {
    return nodes.stream().mapToLong(HostedMaps::recordsInZones).sum();
  }

  PoweredDevice device(int node) {
    return devices.get(node);
  }

  /** From now on nobody is left out: what comes next happens to all at once. */
  void stopAgreeing() {
    views.close();
  }

  /** A node without power has failed by itself, or is given up now. */
  void abandon(int node) {
    node(node).close();
  }

  /** Starts those again whose power was cut, on what has survived. */
  synchronized void restart(List<Integer> which, boolean withViews)
      throws IOException, InterruptedException {
    if (withViews) {
      openViews();
    }
    for (int node : which) {
      devices.get(node).restart();
      start(node);
    }
  }

  /** Who has failed says so at once, also if others wait for it. */
  void awaitServing() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    List<HostedMaps> away = new ArrayList<>(nodes);
    while (!away.isEmpty()) {
      for (HostedMaps each : List.copyOf(away)) {
        if (each.awaitServing(ASK_NANOS)) {
          away.remove(each);
        }
      }
      if (!away.isEmpty() && System.nanoTime() - end > 0) {
        throw new AssertionError(
            "Nodes do not serve: " + away.stream().map(HostedMaps::view).toList());
      }
    }
  }

  static void await(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("It has not come true that " + what);
      }
      LockSupport.parkNanos(500_000);
    }
  }

  @Override
  public void close() {
    views.close();
    nodes.forEach(HostedMaps::close);
  }
}
