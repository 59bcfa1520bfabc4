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
package org.orcagrid.transport.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.landing.ZoneDevice;
import org.orcagrid.ddp.landing.ZoneMemory;
import org.orcagrid.ddp.map.GatedMedia;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapNode;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Key;
import org.orcagrid.ddp.replica.Operation;
import org.orcagrid.ddp.replica.ReplicaSettings.Conflicts;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LandingSettings;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.MappedZones;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TransportWish;

/**
 * Maps whose nodes write into each other's memory with RDMA writes, and flush them with reads. With
 * {@code -Dorca.lab.landing=/dev/dax0.0} the memory is persistent; it is ordinary memory otherwise.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SAME_THREAD)
class LandedMapsOverRdmaTest {
  private static final int NODES = 3;
  private static final int PACKET_BYTES_MAX = 16 * 1024;
  private static final int ZONES_BYTES = 1 << 18;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  @TempDir Path folder;

  private final List<GatedMedia> media = new ArrayList<>();
  private final List<ZoneMemory> memories = new ArrayList<>();
  private final List<MapNode> nodes = new ArrayList<>();
  private final List<HostPort> addresses = new ArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private int handlesBefore;
  private MappedZones mapped;
  private LocalViews views;

  @BeforeEach
  void start() throws Exception {
    RdmaTransportTest.assumeDevice();
    handlesBefore = Verbs.openHandles();
    String device = System.getProperty("orca.lab.landing");
    if (device != null) {
      mapped = TransportWish.map(new LandingSettings(Path.of(device), false));
    }
    addresses.addAll(RdmaTransportTest.freeAddresses(NODES));
    views = LocalViews.open(NODES, folder, System::nanoTime, threads("views"));
    for (int node = 0; node < NODES; node++) {
      media.add(new GatedMedia());
      memories.add(memory(node));
      nodes.add(null);
      start(node);
    }
  }

  @AfterEach
  void stop() throws IOException {
    if (views != null) {
      nodes.forEach(MapNode::close);
      views.close();
      assertEquals(List.of(), failures);
      assertEquals(handlesBefore, Verbs.openHandles(), "objects of the device that are left");
    }
    if (mapped != null) {
      mapped.close();
    }
  }

  private ZoneMemory memory(int node) {
    int at = node * ZONES_BYTES;
    ByteBuffer bytes =
        mapped == null
            ? ByteBuffer.allocateDirect(ZONES_BYTES).order(ByteOrder.LITTLE_ENDIAN)
            : mapped.bytes().slice(at, ZONES_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new ZoneMemory() {
      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void persist(int from, int count) {
        if (mapped != null) {
          mapped.persist(at + from, count);
        }
      }
    };
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private void start(int node) throws IOException, InterruptedException {
    TcpSettings settings = new TcpSettings("landed", node, addresses, 1, 1, PACKET_BYTES_MAX, null);
    RdmaTransport transport =
        RdmaTransport.ofPlaces(settings, RdmaSettings.DEFAULT, IoKind.best(), LinkListener.NONE);
    transport.changePlaces(addresses.stream().map(HostPort::toString).toList());
    nodes.set(
        node,
        MapNode.start(
            MapSizes.of(NODES, node),
            new MapNode.Surroundings(
                transport,
                views.membership(node),
                media.get(node),
                System::nanoTime,
                threads("node" + node),
                failures::add,
                WallClock.NONE,
                ZoneDevice.open(memories.get(node), NODES, 1))));
  }

  private MapDefinition define(String name, String model) throws Exception {
    MapDefinition map = null;
    for (MapNode node : nodes) {
      map = node.define(name, Ddp.parse(model), Conflicts.ABORT, PATIENCE_NANOS);
    }
    for (MapNode node : nodes) {
      assertTrue(node.awaitServing(PATIENCE_NANOS));
    }
    return map;
  }

  private static CompletableFuture<Operation> put(MapSession session, int key, String value) {
    return session.submit(to -> Operation.write(to, Key.of("k" + key), value.getBytes(UTF_8)));
  }

  private static String get(MapSession session, int key) throws Exception {
    Operation read =
        session.submit(to -> Operation.read(to, Key.of("k" + key))).get(60, TimeUnit.SECONDS);
    return read.read() == null ? null : new String(read.read().value(), UTF_8);
  }

  /** Writes until records land at both peers. */
  private void awaitLanding(MapSession session) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    int landed = 0;
    while (landed < 3) {
      assertTrue(System.nanoTime() - end < 0, "nothing lands at both");
      long before = nodes.get(0).landedRecords();
      put(session, 0, "landed").get(60, TimeUnit.SECONDS);
      landed = nodes.get(0).landedRecords() - before == NODES - 1 ? landed + 1 : 0;
    }
  }

  @Test
  void aWriteWaitsForNoOtherLogAndSurvivesAllTheSame() throws Exception {
    MapDefinition strict = define("strict", "causal/strict");
    MapDefinition map = define("landed", "linearizable/synchronous");
    MapSession session = nodes.get(0).openSession(map);
    MapSession causal = nodes.get(0).openSession(strict);
    awaitLanding(session);
    media.get(1).closeGate();
    media.get(2).closeGate();
    for (int key = 1; key <= 50; key++) {
      put(session, key, "value" + key).get(60, TimeUnit.SECONDS);
      put(causal, key, "cause" + key).get(60, TimeUnit.SECONDS);
    }

    nodes.forEach(MapNode::close);
    // Only what has landed at the others, or was forced before, is there.
    media.set(0, new GatedMedia());
    media.get(1).openGate();
    media.get(2).openGate();
    for (int node = 0; node < NODES; node++) {
      start(node);
    }
    MapSession reader = nodes.get(2).openSession(define("landed", "linearizable/synchronous"));
    MapSession ofStrict = nodes.get(2).openSession(define("strict", "causal/strict"));
    for (int key = 1; key <= 50; key++) {
      assertEquals("value" + key, get(reader, key));
      assertEquals("cause" + key, get(ofStrict, key));
    }
  }

  @Test
  void aNodeThatComesBackIsWrittenToAgain() throws Exception {
    MapDefinition map = define("landed", "linearizable/strict");
    MapSession session = nodes.get(0).openSession(map);
    awaitLanding(session);
    nodes.get(1).close();
    put(session, 1, "without").get(60, TimeUnit.SECONDS);
    start(1);
    assertTrue(nodes.get(1).awaitServing(PATIENCE_NANOS), failures::toString);
    awaitLanding(session);
    put(session, 2, "with").get(60, TimeUnit.SECONDS);
    MapSession back = nodes.get(1).openSession(map);
    assertEquals("without", get(back, 1));
    assertEquals("with", get(back, 2));
  }

  @Test
  void zonesAreUsedRoundAndRound() throws Exception {
    MapDefinition map = define("landed", "linearizable/synchronous");
    MapSession session = nodes.get(0).openSession(map);
    awaitLanding(session);
    long before = nodes.get(0).landedRecords();
    String value = "x".repeat(3000);
    for (int i = 0; i < 100; i++) {
      put(session, i, value + i).get(60, TimeUnit.SECONDS);
    }
    // A zone has room for a dozen.
    assertTrue(nodes.get(0).landedRecords() - before >= 100, "they land most of the time");
    assertEquals(value + 99, get(nodes.get(2).openSession(map), 99));
  }
}
