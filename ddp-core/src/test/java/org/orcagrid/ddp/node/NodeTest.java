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
package org.orcagrid.ddp.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Workers;

/** Nodes that host Kite's keys and a durable map, and come and go. */
@Timeout(120)
class NodeTest {
  private static final int NODES = 3;
  private static final int PACKET_BYTES_MAX = 16 << 10;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
  private static final SegmentLimits LOG = new SegmentLimits(1 << 20, 1 << 18, 1 << 20, 1L << 26);

  @TempDir Path folder;

  private final List<Node> nodes = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private LoopbackNetwork network;
  private LocalViews views;
  private final Map<Integer, Views> membership = new HashMap<>();

  @BeforeEach
  void start() throws Exception {
    views = views();
    network = new LoopbackNetwork(NODES, 1, PACKET_BYTES_MAX);
    for (int node = 0; node < NODES; node++) {
      nodes.add(node(node));
    }
    for (Node each : nodes) {
      assertTrue(each.awaitServing(PATIENCE));
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
    views.close();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private LocalViews views() throws Exception {
    return LocalViews.open(NODES, folder.resolve("views"), System::nanoTime, NodeTest::daemon);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "node");
    thread.setDaemon(true);
    return thread;
  }

  private Node node(int node) throws Exception {
    membership.put(node, views.membership(node));
    return Node.start(
        new Node.Sizes(
            MapSizes.of(NODES, node),
            new KiteSettings(
                NODES, node, 1, 4, 256, new KiteSettings.Times(5_000_000, 20_000_000, 100_000)),
            new ReplicaStore.Limits(1000, 1024, 16 << 20),
            0),
        new HostedMaps.Providers(
            membership.get(node),
            new FolderMedia(folder.resolve("node" + node), LogMedium.kind(LOG), NodeTest::daemon),
            WallClock.NONE,
            null),
        new Workers.Environment(
            network.transport(node), System::nanoTime, NodeTest::daemon, failures::add));
  }

  private void again(int node) throws Exception {
    nodes.set(node, node(node));
  }

  private static Request request(LocalSession session, OperationKind kind, String key) {
    Request request = session.next();
    assertNotNull(request, "there is room");
    request.kind(kind);
    request.key().set(key.getBytes(UTF_8));
    return request;
  }

  private void release(int node, String key, String value) {
    try (LocalSession session = nodes.get(node).openSession(16)) {
      Request release = request(session, OperationKind.RELEASE, key);
      release.value().set(value.getBytes(UTF_8));
      session.submit(release);
      assertTrue(session.await(release, PATIENCE), "in time");
      assertEquals(Outcome.DONE, release.outcome());
    }
  }

  /** What is there, null for nothing. */
  private String acquire(int node, String key) {
    try (LocalSession session = nodes.get(node).openSession(16)) {
      Request acquire = request(session, OperationKind.ACQUIRE, key);
      session.submit(acquire);
      assertTrue(session.await(acquire, PATIENCE), "in time");
      assertEquals(Outcome.DONE, acquire.outcome());
      int length = acquire.result().length();
      if (length < 0) {
        return null;
      }
      byte[] value = new byte[length];
      acquire.result().buffer().get(0, value);
      return length == 0 ? null : new String(value, UTF_8);
    }
  }

  @Test
  void aReleaseThatANodeMissesIsSlowAndIsCounted() {
    assertEquals(0, nodes.get(0).slowReleases());
    // Nobody is left out from now on: the release waits for who is gone, and then tells the others.
    views.close();
    nodes.get(2).close();
    try (LocalSession session = nodes.get(0).openSession(16)) {
      Request write = request(session, OperationKind.WRITE, "before");
      write.value().set("value".getBytes(UTF_8));
      session.submit(write);
      Request release = request(session, OperationKind.RELEASE, "flag");
      release.value().set("up".getBytes(UTF_8));
      session.submit(release);
      assertTrue(session.await(release, PATIENCE), "in time");
      assertEquals(Outcome.DONE, release.outcome());
    }
    // That node misses what was released, too. If this thread stands for a while, it counts again.
    long slow = nodes.get(0).slowReleases();
    assertTrue(slow == 1 || slow == 2, slow + " slow releases");
    assertEquals(0, nodes.get(1).slowReleases());
  }

  private MapDefinition define(int node, String name, String model) throws Exception {
    return nodes.get(node).maps().define(name, Ddp.parse(model), Conflicts.ABORT, PATIENCE);
  }

  private static byte[] bytes(int number) {
    return Integer.toString(number).getBytes(UTF_8);
  }

  private static Operation done(MapSession session, Operation operation) throws Exception {
    Operation done = session.submit(operation).get(30, TimeUnit.SECONDS);
    assertEquals(Operation.Status.DONE, done.status());
    return done;
  }

  /** All nodes are in this view. */
  private AgreedView awaitView(int number) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    for (Node each : nodes) {
      while (each.maps().view().number() < number) {
        assertTrue(System.nanoTime() < end, "in time");
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
    return nodes.get(0).maps().view();
  }

  @Test
  void aViewOfTheSameMembersDisturbsNeitherKeysNorMaps() throws Exception {
    MapDefinition plainMap = define(1, "plain", "linearizable/synchronous");
    MapDefinition unitsMap = define(2, "units", "transactional/synchronous");
    MapSession plain = nodes.get(1).maps().openSession(plainMap);
    MapSession units = nodes.get(2).maps().openSession(unitsMap);
    release(0, "key", "value");
    int before = membership.get(0).newest().orElseThrow().number();
    for (int round = 1; round <= 20; round++) {
      done(units, Operation.of(Operation.Kind.BEGIN));
      done(units, Operation.write(Key.of("first"), bytes(round)));
      define(round % NODES, "another-" + round, "eventual/eventual");
      AgreedView next = awaitView(++before);
      assertEquals(Quorum.all(NODES), next.nodes().serving());
      for (Node each : nodes) {
        assertTrue(each.keysServe(), "keys go on");
        for (MapDefinition map : List.of(plainMap, unitsMap)) {
          assertTrue(
              each.maps().state(map).get(30, TimeUnit.SECONDS).serves(),
              "round " + round + " " + map);
        }
        assertEquals("value", acquire(nodes.indexOf(each), "key"));
      }
      done(plain, Operation.write(Key.of("key"), bytes(round)));
      assertArrayEquals(bytes(round), done(plain, Operation.read(Key.of("key"))).read().value());
      done(units, Operation.write(Key.of("second"), bytes(round)));
      done(units, Operation.of(Operation.Kind.END));
    }
  }

  @Test
  void sessionsOfAProcessThatGoesOnAreToldThatMemoryIsLost() throws Exception {
    release(0, "key", "old");
    LocalSession before = nodes.get(0).openSession(16);
    nodes.get(1).close();
    nodes.get(2).close();
    again(1);
    assertFalse(
        nodes.get(1).awaitServing(TimeUnit.MILLISECONDS.toNanos(300)), "one holds too little");
    again(2);
    for (Node each : nodes) {
      assertTrue(each.awaitServing(PATIENCE));
    }
    IllegalStateException lost =
        assertThrows(
            IllegalStateException.class,
            () -> before.submit(request(before, OperationKind.ACQUIRE, "key")));
    assertTrue(lost.getMessage().contains("is lost with the processes"), lost::getMessage);
    assertEquals(null, acquire(0, "key"));
    release(1, "key", "anew");
    assertEquals("anew", acquire(0, "key"));
  }
}
