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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.landing.ZoneDevice;
import org.orcagrid.ddp.landing.ZoneMemory;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Key;
import org.orcagrid.ddp.replica.Operation;
import org.orcagrid.ddp.replica.ReplicaSettings.Conflicts;

/**
 * Maps whose nodes write into each other's memory: logs of others are not waited for, nor missed.
 */
@Timeout(60)
class LandedMapsTest {
  private static final int NODES = 3;
  private static final int ZONES_BYTES = 1 << 16;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path folder;

  private final List<GatedMedia> media = new ArrayList<>();
  private final List<ZoneMemory> memories = new ArrayList<>();
  private final List<MapNode> nodes = new ArrayList<>();
  private LoopbackNetwork network;
  private LocalViews views;

  @AfterEach
  void stop() {
    nodes.forEach(MapNode::close);
    views.close();
    nodes.clear();
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private static ZoneMemory memory() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(ZONES_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new ZoneMemory() {
      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void persist(int at, int count) {
        // It is never cut off here.
      }
    };
  }

  private void start() throws Exception {
    network = new LoopbackNetwork(NODES, 1, 16 * 1024);
    views = LocalViews.open(NODES, folder, System::nanoTime, threads("views"));
    for (int node = 0; node < NODES; node++) {
      if (media.size() == node) {
        media.add(new GatedMedia());
        memories.add(memory());
      }
      nodes.add(null);
      start(node);
    }
  }

  private void start(int node) throws Exception {
    nodes.set(
        node,
        MapNode.start(
            MapSizes.of(NODES, node),
            new MapNode.Surroundings(
                network.transport(node),
                views.membership(node),
                media.get(node),
                System::nanoTime,
                threads("node" + node),
                failure -> {},
                WallClock.NONE,
                ZoneDevice.open(memories.get(node), NODES, 1))));
  }

  private MapDefinition define(String model) throws Exception {
    MapDefinition map = null;
    for (MapNode node : nodes) {
      map = node.define("landed", Ddp.parse(model), Conflicts.ABORT, PATIENCE_NANOS);
    }
    for (MapNode node : nodes) {
      assertTrue(node.awaitServing(PATIENCE_NANOS));
    }
    return map;
  }

  private static CompletableFuture<Operation> put(MapSession session, int key, String value) {
    return session.submit(to -> Operation.write(to, Key.of("k" + key), value.getBytes(UTF_8)));
  }

  private static String get(MapSession session, int key) {
    Operation read = session.submit(to -> Operation.read(to, Key.of("k" + key))).join();
    return read.read() == null ? null : new String(read.read().value(), UTF_8);
  }

  /** Writes until something lands: zones are opened some time after a node serves. */
  private void awaitLanding(MapSession session) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    for (long before = nodes.get(0).landedRecords();
        nodes.get(0).landedRecords() < before + 2 * (NODES - 1); ) {
      assertTrue(System.nanoTime() - end < 0, "nothing lands");
      put(session, 0, "landed").join();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linearizable/synchronous",
        "linearizable/strict",
        "read-enforced/strict",
        "causal/strict"
      })
  void aWriteWaitsForNoOtherLogAndSurvivesAllTheSame(String model) throws Exception {
    start();
    MapDefinition map = define(model);
    MapSession session = nodes.get(0).openSession(map);
    awaitLanding(session);
    media.get(1).closeGate();
    media.get(2).closeGate();
    for (int key = 1; key <= 50; key++) {
      put(session, key, "value" + key).get(10, TimeUnit.SECONDS);
    }

    stop();
    // Only what has landed at the others, or was forced before, is there.
    media.set(0, new GatedMedia());
    media.get(1).openGate();
    media.get(2).openGate();
    start();
    MapDefinition again = define(model);
    assertEquals(map, again);
    MapSession reader = nodes.get(2).openSession(again);
    for (int key = 1; key <= 50; key++) {
      assertEquals("value" + key, get(reader, key));
    }
  }

  @Test
  void whereThereIsNoRoomInZonesLogsAreWaitedFor() throws Exception {
    start();
    MapDefinition map = define("linearizable/synchronous");
    MapSession session = nodes.get(0).openSession(map);
    awaitLanding(session);
    media.get(1).closeGate();
    String large = "x".repeat(ZONES_BYTES);
    CompletableFuture<Operation> waits = put(session, 1, large);
    assertThrows(TimeoutException.class, () -> waits.get(300, TimeUnit.MILLISECONDS));
    assertFalse(waits.isDone());
    media.get(1).openGate();
    // Whatever is written next has the log forced.
    MapSession other = nodes.get(1).openSession(map);
    put(other, 2, "small").get(10, TimeUnit.SECONDS);
    waits.get(10, TimeUnit.SECONDS);
    assertEquals(large, get(other, 1));
  }

  @Test
  void aNodeThatComesBackIsWrittenToAgain() throws Exception {
    start();
    MapDefinition map = define("linearizable/strict");
    MapSession session = nodes.get(0).openSession(map);
    awaitLanding(session);
    nodes.get(1).close();
    put(session, 1, "without").get(10, TimeUnit.SECONDS);
    start(1);
    assertTrue(nodes.get(1).awaitServing(PATIENCE_NANOS));
    awaitLanding(session);
    put(session, 2, "with").get(10, TimeUnit.SECONDS);
    MapSession back = nodes.get(1).openSession(map);
    assertEquals("without", get(back, 1));
    assertEquals("with", get(back, 2));
  }

  @Test
  void modelsThatGainNothingPutNothing() throws Exception {
    start();
    MapDefinition map = define("eventual/strict");
    MapSession session = nodes.get(0).openSession(map);
    for (int key = 0; key < 20; key++) {
      put(session, key, "value").join();
    }
    assertEquals(0, nodes.get(0).landedRecords());
  }

  @Test
  void zonesAreUsedRoundAndRound() throws Exception {
    start();
    MapDefinition map = define("linearizable/strict");
    MapSession session = nodes.get(0).openSession(map);
    awaitLanding(session);
    long before = nodes.get(0).landedRecords();
    int writes = 2000;
    for (int i = 0; i < writes; i++) {
      put(session, i % 100, "value" + i).join();
    }
    // A zone has room for some hundreds.
    assertTrue(nodes.get(0).landedRecords() - before > writes, "they land all the time");
    assertEquals("value1999", get(nodes.get(1).openSession(map), 99));
  }
}
