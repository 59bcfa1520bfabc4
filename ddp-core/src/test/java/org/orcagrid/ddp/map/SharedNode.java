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
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.node.KiteNodes;
import org.orcagrid.ddp.node.ProtocolHost;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.Zones;

/** A node in this JVM whose workers host Kite's keys and maps. */
final class SharedNode implements AutoCloseable {
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final GatedMedia media = new GatedMedia();
  private final AtomicReference<Spoiler> spoiler = new AtomicReference<>();
  private final Workers workers;
  private final ProtocolHost keys;
  private final HostedMaps maps;

  /** Changes a packet on its way, or leaves it alone. */
  @FunctionalInterface
  interface Spoiler {
    /** Whether it has changed the packet: then it is not asked again. */
    boolean spoil(int peer, ByteBuffer packet, int length);
  }

  /** Starts a node, whose maps have not joined yet. */
  SharedNode(KiteSettings settings, Transport transport, Views membership, ThreadFactory threads)
      throws IOException {
    int workersOfNode = settings.workers();
    workers =
        Workers.open(
            settings.nodes(),
            workersOfNode,
            new Workers.Environment(
                new SpoiledTransport(transport, this::spoil),
                System::nanoTime,
                threads,
                failures::add));
    keys = KiteNodes.on(workers, settings, new ReplicaStore.Limits(1000, 1024, 16 << 20));
    MapSizes usual = MapSizes.of(settings.nodes(), settings.self());
    maps =
        HostedMaps.on(
            workers,
            new MapSizes(
                usual.nodes(),
                usual.self(),
                workersOfNode,
                usual.backlogMax(),
                usual.resendNanos(),
                usual.progressNanos()),
            new HostedMaps.Providers(membership, media, WallClock.NONE, null),
            Budget.UNBOUNDED);
    workers.start();
  }

  void join() throws IOException, InterruptedException {
    maps.join();
  }

  ProtocolHost keys() {
    return keys;
  }

  HostedMaps maps() {
    return maps;
  }

  GatedMedia media() {
    return media;
  }

  Throwable failure() {
    return workers.failure();
  }

  Queue<Throwable> failures() {
    return failures;
  }

  /** What this node sends from now on is shown to it. */
  void spoil(Spoiler next) {
    spoiler.set(next);
  }

  private void spoil(int peer, ByteBuffer packet, int length) {
    Spoiler present = spoiler.get();
    if (present != null && present.spoil(peer, packet, length)) {
      spoiler.set(null);
    }
  }

  @Override
  public void close() {
    workers.close();
  }

  private interface OnSend {
    void onSend(int peer, ByteBuffer packet, int length);
  }

  private record SpoiledTransport(Transport transport, OnSend onSend) implements Transport {
    @Override
    public Endpoint open(int worker) throws IOException {
      return new SpoiledEndpoint(transport.open(worker), onSend);
    }

    @Override
    public void close() {
      transport.close();
    }
  }

  private record SpoiledEndpoint(Endpoint endpoint, OnSend onSend) implements Endpoint {
    @Override
    public int packetBytesMax() {
      return endpoint.packetBytesMax();
    }

    @Override
    public ByteBuffer claim(int peer) {
      return endpoint.claim(peer);
    }

    @Override
    public boolean isCrowded(int peer) {
      return endpoint.isCrowded(peer);
    }

    @Override
    public void send(int peer, int length) {
      onSend.onSend(peer, endpoint.claim(peer), length);
      endpoint.send(peer, length);
    }

    @Override
    public int poll(PacketHandler handler, int packetsMax) {
      return endpoint.poll(handler, packetsMax);
    }

    @Override
    public void await(long nanosMax) {
      endpoint.await(nanosMax);
    }

    @Override
    public void wakeUp() {
      endpoint.wakeUp();
    }

    @Override
    public Zones openZones(List<ZoneMemory> zones, Zones.Listener listener) {
      return endpoint.openZones(zones, listener);
    }

    @Override
    public void close() {
      endpoint.close();
    }
  }
}
