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
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.worker.Workers;

/** A node that comes back says how far it is, and is told no more at once than it may be. */
@Timeout(120)
class NodeCatchUpTest {
  private static final int NODES = 3;
  private static final int BACK = 2;
  private static final int KEYS = 100;
  private static final int ENTRIES = 40;
  private static final int ENTRY_BYTES = 10_000;
  private static final int KEY_BYTES = 1_000;
  private static final int BYTES_PER_SECOND = 50_000;

  /** The burst of a budget, and its largest page. */
  private static final int AT_ONCE_BYTES = BYTES_PER_SECOND / 50 + (80 << 10);

  private static final int PACKET_BYTES_MAX = 16 << 10;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final SegmentLimits LOG = new SegmentLimits(1 << 20, 1 << 18, 1 << 20, 1L << 26);

  @TempDir Path folder;

  private final AdjustableClock clock = new AdjustableClock();
  private final List<Node> nodes = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private LoopbackNetwork network;
  private LocalViews views;

  /** A clock that stands still when the test wants that, or runs fast. */
  private static final class AdjustableClock implements Clock {
    private long fromNanos = System.nanoTime();
    private long shownNanos = fromNanos;
    private int speed = 1;

    @Override
    public synchronized long nanoTime() {
      return shownNanos + speed * (System.nanoTime() - fromNanos);
    }

    synchronized void speed(int times) {
      shownNanos = nanoTime();
      fromNanos = System.nanoTime();
      speed = times;
    }
  }

  @BeforeEach
  void start() throws Exception {
    views = LocalViews.open(NODES, folder.resolve("views"), clock, NodeCatchUpTest::daemon);
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

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "node");
    thread.setDaemon(true);
    return thread;
  }

  private Node node(int node) throws Exception {
    return Node.start(
        new Node.Sizes(
            MapSizes.of(NODES, node),
            KiteSettings.of(NODES, node, 1, 4),
            new ReplicaStore.Limits(1000, KEY_BYTES, 16 << 20),
            BYTES_PER_SECOND),
        new HostedMaps.Providers(
            views.membership(node),
            new FolderMedia(
                folder.resolve("node" + node), LogMedium.kind(LOG), NodeCatchUpTest::daemon),
            WallClock.NONE,
            null),
        new Workers.Environment(
            network.transport(node), clock, NodeCatchUpTest::daemon, failures::add));
  }

  private void fill() throws Exception {
    MapDefinition map = null;
    for (Node each : nodes) {
      map =
          each.maps()
              .define("map", Ddp.parse("linearizable/synchronous"), Conflicts.ABORT, PATIENCE);
    }
    MapSession session = nodes.get(0).maps().openSession(map);
    for (int entry = 0; entry < ENTRIES; entry++) {
      session.submit(Operation.write(Key.of("entry" + entry), new byte[ENTRY_BYTES])).join();
    }
    try (LocalSession keys = nodes.get(0).openSession(16)) {
      for (int key = 0; key < KEYS; key++) {
        Request release = keys.next();
        release.kind(OperationKind.RELEASE);
        release.key().set(("key" + key).getBytes(UTF_8));
        release.value().set(new byte[KEY_BYTES]);
        keys.submit(release);
        assertTrue(keys.await(release, PATIENCE), "in time");
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "It comes true in time");
      LockSupport.parkNanos(1_000_000);
    }
  }

  private Progress mapsOfNode() {
    return nodes.get(BACK).maps().progress();
  }

  /** One node tells the map, and two tell the keys. */
  private Progress requireBounded(long sinceNanos) {
    Progress maps = mapsOfNode();
    Progress all = nodes.get(BACK).progress();
    double may = AT_ONCE_BYTES + (clock.nanoTime() - sinceNanos) / 1e9 * BYTES_PER_SECOND;
    assertTrue(maps.bytes() <= may, () -> maps + " where it may be " + may);
    assertTrue(all.bytes() <= 2 * may, () -> all + " where it may be twice " + may);
    return all;
  }

  @Test
  void aNodeThatComesBackShowsItsProgressAndIsToldNoMoreThanItMayBe() throws Exception {
    fill();
    assertEquals(new Progress(0, 0, 0, 0, 0, 0), nodes.get(BACK).progress());
    nodes.get(BACK).close();
    long since = clock.nanoTime();
    nodes.set(BACK, node(BACK));
    await(() -> requireBounded(since).entries() > 0 && mapsOfNode().entriesMax() > 0);
    // Nothing is told now, so that it stays as it is.
    clock.speed(0);
    Progress half = requireBounded(since);
    assertEquals(2, half.parts());
    assertTrue(half.isUnderWay(), half::toString);
    assertTrue(half.entries() < half.entriesMax(), half::toString);
    clock.speed(10);
    await(() -> !requireBounded(since).isUnderWay());
    assertTrue(nodes.get(BACK).awaitServing(10 * PATIENCE));
    Progress maps = mapsOfNode();
    assertEquals(List.of(ENTRIES, ENTRIES), List.of((int) maps.entries(), (int) maps.entriesMax()));
    assertTrue(maps.bytes() >= ENTRIES * ENTRY_BYTES && maps.pages() > 4, maps::toString);
    assertEquals(2, nodes.get(BACK).progress().whole());
  }
}
