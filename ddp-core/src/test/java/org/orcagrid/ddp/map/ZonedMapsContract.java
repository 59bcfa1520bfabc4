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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.ddp.zone.TestMemory;
import org.orcagrid.ddp.zone.ZoneDevice;
import org.orcagrid.ddp.zone.ZoneMemory;

/**
 * Maps whose nodes write into each other's memory: logs of others are not waited for, nor missed.
 * Whatever extends it says what is between the nodes, and how much time there is.
 */
public abstract class ZonedMapsContract {
  /** Nodes of the grid. */
  protected static final int NODES = 3;

  /** Bytes of a node's memory for zones. */
  protected static final int ZONES_BYTES = 1 << 16;

  private static final int WRITES = 50;

  /** A zone has room for a dozen of these. */
  private static final String A_DOZENTH = "x".repeat(ZONES_BYTES / NODES / 16);

  @TempDir private Path folder;

  private final long patienceSeconds;
  private final List<GatedMedia> media = new ArrayList<>();
  private final List<ZoneMemory> memories = new ArrayList<>();
  private final List<HostedMaps> nodes = new ArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private LocalViews views;

  /** Waits so long at most for whatever should happen. */
  protected ZonedMapsContract(long patienceSeconds) {
    this.patienceSeconds = patienceSeconds;
  }

  /** A new way of a node to the others. */
  protected abstract Transport transport(int node) throws IOException;

  /** The memory of a node's zones, the same each time; before it has another life. */
  protected abstract ZoneMemory memory(int node);

  /** Memory that is never cut off. */
  protected static ZoneMemory ordinaryMemory() {
    return new TestMemory(ZONES_BYTES);
  }

  /** Ends the nodes, none of which has failed; a second call does nothing. */
  @AfterEach
  protected void stop() {
    nodes.forEach(HostedMaps::close);
    nodes.clear();
    if (views != null) {
      views.close();
    }
    assertEquals(List.of(), failures);
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private void start() throws Exception {
    views = LocalViews.open(NODES, folder, System::nanoTime, threads("views"));
    for (int node = 0; node < NODES; node++) {
      if (media.size() == node) {
        media.add(new GatedMedia());
        memories.add(memory(node));
      }
      nodes.add(null);
      start(node);
    }
  }

  private void start(int node) throws Exception {
    nodes.set(
        node,
        MapNodes.start(
            MapSizes.of(NODES, node),
            new HostedMaps.Providers(
                views.membership(node),
                media.get(node),
                WallClock.NONE,
                ZoneDevice.open(memories.get(node), NODES, 1, 99)),
            new Workers.Environment(
                transport(node), System::nanoTime, threads("node" + node), failures::add)));
  }

  private MapDefinition define(String model) throws Exception {
    MapDefinition map = null;
    for (HostedMaps node : nodes) {
      map = node.define("landed", Ddp.parse(model), Conflicts.ABORT, patienceNanos());
    }
    for (HostedMaps node : nodes) {
      assertTrue(node.awaitServing(patienceNanos()));
    }
    return map;
  }

  /** A map of nodes that serve, and write into each other's memory. */
  private MapDefinition startWithZones(String model) throws Exception {
    start();
    MapDefinition map = define(model);
    awaitPut(nodes.get(0).openSession(map));
    return map;
  }

  private long patienceNanos() {
    return TimeUnit.SECONDS.toNanos(patienceSeconds);
  }

  private static CompletableFuture<Operation> put(MapSession session, int key, String value) {
    return session.submit(Operation.write(Key.of("k" + key), value.getBytes(UTF_8)));
  }

  private void await(CompletableFuture<Operation> put) throws Exception {
    put.get(patienceSeconds, TimeUnit.SECONDS);
  }

  private String get(MapSession session, int key) throws Exception {
    Operation read =
        session.submit(Operation.read(Key.of("k" + key))).get(patienceSeconds, TimeUnit.SECONDS);
    return read.read() == null ? null : new String(read.read().value(), UTF_8);
  }

  /** Writes until records land at both peers: zones are opened some time after a node serves. */
  private void awaitPut(MapSession session) throws Exception {
    awaitPuts(session, "landed", 3);
  }

  /** Writes a value until it has landed at both peers so often. */
  private void awaitPuts(MapSession session, String value, int times) throws Exception {
    long end = System.nanoTime() + patienceNanos();
    for (int landed = 0; landed < times; ) {
      assertTrue(System.nanoTime() - end < 0, "it lands at both " + landed + " times only");
      long before = nodes.get(0).recordsInZones();
      await(put(session, 0, value));
      landed += nodes.get(0).recordsInZones() - before == NODES - 1 ? 1 : 0;
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "linearizable/synchronous",
        "linearizable/strict",
        "read-enforced/strict",
        "causal/strict"
      })
  void aWriteWaitsForNoOtherLogAndSurvivesAllTheSame(String model) throws Exception {
    MapDefinition map = startWithZones(model);
    MapSession session = nodes.get(0).openSession(map);
    media.get(1).closeGate();
    media.get(2).closeGate();
    for (int key = 1; key <= WRITES; key++) {
      await(put(session, key, "value" + key));
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
    for (int key = 1; key <= WRITES; key++) {
      assertEquals("value" + key, get(reader, key));
    }
  }

  @Tag("long")
  @Test
  void whereThereIsNoRoomInZonesLogsAreWaitedFor() throws Exception {
    MapDefinition map = startWithZones("linearizable/synchronous");
    MapSession session = nodes.get(0).openSession(map);
    media.get(1).closeGate();
    String large = "x".repeat(ZONES_BYTES);
    CompletableFuture<Operation> waits = put(session, 1, large);
    assertThrows(TimeoutException.class, () -> waits.get(300, TimeUnit.MILLISECONDS));
    assertFalse(waits.isDone());
    media.get(1).openGate();
    // Whatever is written next has the log forced.
    MapSession other = nodes.get(1).openSession(map);
    await(put(other, 2, "small"));
    await(waits);
    assertEquals(large, get(other, 1));
  }

  @Tag("long")
  @Test
  void aNodeThatComesBackIsWrittenToAgain() throws Exception {
    MapDefinition map = startWithZones("linearizable/strict");
    MapSession session = nodes.get(0).openSession(map);
    nodes.get(1).close();
    await(put(session, 1, "without"));
    start(1);
    assertTrue(nodes.get(1).awaitServing(patienceNanos()));
    awaitPut(session);
    await(put(session, 2, "with"));
    MapSession back = nodes.get(1).openSession(map);
    assertEquals("without", get(back, 1));
    assertEquals("with", get(back, 2));
  }

  @Test
  void nodesThatEndInOrderLeaveNothingInTheirZones() throws Exception {
    MapDefinition map = startWithZones("linearizable/synchronous");
    MapSession session = nodes.get(0).openSession(map);
    media.get(1).closeGate();
    await(put(session, 1, "landed"));
    // What was asked for meanwhile is forced when the log is closed.
    media.get(1).openGate();
    stop();
    for (ZoneMemory each : memories) {
      assertTrue(ZoneDevice.open(each, NODES, 1, 99).isEmpty());
    }
  }

  @Tag("long")
  @Test
  void aMapThatIsRemovedHoldsUpNoOther() throws Exception {
    MapDefinition map = startWithZones("linearizable/synchronous");
    MapDefinition gone = null;
    for (HostedMaps node : nodes) {
      gone = node.define("gone", map.model(), Conflicts.ABORT, patienceNanos());
    }
    MapSession session = nodes.get(0).openSession(map);
    MapSession ofGone = nodes.get(0).openSession(gone);
    media.get(1).closeGate();
    for (int key = 0; key < 10; key++) {
      await(put(ofGone, key, "landed"));
    }
    // What was asked for meanwhile is forced when it is asked for again: that is, for this map,
    // never.
    media.get(1).openGate();
    nodes.get(0).remove("gone", patienceNanos());
    awaitPut(session);
    awaitPuts(session, A_DOZENTH, 40);
    assertEquals(A_DOZENTH, get(nodes.get(1).openSession(map), 0));
  }

  @Test
  void modelsThatGainNothingPutNothing() throws Exception {
    start();
    MapDefinition map = define("eventual/strict");
    MapSession session = nodes.get(0).openSession(map);
    for (int key = 0; key < 20; key++) {
      await(put(session, key, "value"));
    }
    assertEquals(0, nodes.get(0).recordsInZones());
  }

  @Test
  void zonesAreUsedRoundAndRound() throws Exception {
    MapDefinition map = startWithZones("linearizable/strict");
    MapSession session = nodes.get(0).openSession(map);
    awaitPuts(session, A_DOZENTH, 100);
    assertEquals(A_DOZENTH, get(nodes.get(1).openSession(map), 0));
  }
}
