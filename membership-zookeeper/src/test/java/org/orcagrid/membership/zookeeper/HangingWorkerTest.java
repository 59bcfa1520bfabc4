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
package org.orcagrid.membership.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.MembershipProvider;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.worker.Workers;

/** Nodes with real leases, one of which has a worker that hangs in its disk. */
@Timeout(120)
class HangingWorkerTest {
  private static final int NODES = 3;
  private static final int HANGS = 2;
  private static final int PACKET_BYTES_MAX = 16 << 10;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
  private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);
  private static final Key KEY = Key.of("key");
  private static final MediumKind LOG =
      LogMedium.kind(new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28));

  @TempDir private Path dir;

  private final LoopbackNetwork links = new LoopbackNetwork(NODES, 1, PACKET_BYTES_MAX);
  private final LoopbackNetwork linksOfBeats = new LoopbackNetwork(NODES, 1, PACKET_BYTES_MAX);
  private final AtomicReference<HangingMedium.Hang> next = new AtomicReference<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<HostedMaps> nodes = new ArrayList<>();
  private ZooKeeperServerEmbedded server;
  private MapDefinition map;

  @BeforeEach
  void start() throws Exception {
    server = StockServer.start(dir.resolve("server"));
    for (int place = 0; place < NODES; place++) {
      nodes.add(node(place));
    }
    for (HostedMaps node : nodes) {
      assertTrue(node.awaitServing(PATIENCE_NANOS), () -> "failures " + failures);
      map = node.define("carts", SAFE, Conflicts.ABORT, PATIENCE_NANOS);
    }
    for (HostedMaps node : nodes) {
      assertTrue(node.awaitServing(PATIENCE_NANOS));
    }
    await(write(0, "before"));
  }

  private HostedMaps node(int place) throws Exception {
    Path folder = dir.resolve("node" + place);
    Views membership =
        new ZooKeeperMembership(
            new MembershipProvider.Place(
                server.getConnectionString(),
                "test",
                NODES,
                NODES,
                "node" + place,
                folder,
                LeaseTimes.ofLease(LEASE_NANOS),
                null));
    assertEquals(place, membership.place());
    MapSizes sizes = MapSizes.of(NODES, place);
    Workers workers =
        Workers.open(
            NODES,
            sizes.workers(),
            new Workers.Environment(
                new TransportWithBeats(links.transport(place), linksOfBeats.transport(place)),
                System::nanoTime,
                HangingWorkerTest::daemon,
                failures::add));
    HostedMaps node =
        HostedMaps.on(
            workers,
            sizes,
            new HostedMaps.Providers(
                membership,
                new FolderMedia(
                    folder, place == HANGS ? hanging() : LOG, HangingWorkerTest::daemon),
                WallClock.NONE,
                null),
            Budget.UNBOUNDED);
    workers.start();
    node.join();
    return node;
  }

  private MediumKind hanging() {
    return MediumKind.of(
        LOG.name(), (folder, threads) -> new HangingMedium(LOG.open(folder, threads), next));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  /** Beats have links beside the worker's. */
  private record TransportWithBeats(Transport workers, Transport beats) implements Transport {
    @Override
    public Endpoint open(int worker) throws java.io.IOException {
      return workers.open(worker);
    }

    @Override
    public Endpoint openBeside() throws java.io.IOException {
      return beats.open(0);
    }

    @Override
    public void close() {
      workers.close();
      beats.close();
    }
  }

  @AfterEach
  void stop() throws Exception {
    nodes.forEach(HostedMaps::close);
    server.close();
  }

  private CompletableFuture<Operation> write(int node, String value) {
    MapSession session = nodes.get(node).openSession(map);
    return session.submit(Operation.write(KEY, value.getBytes(UTF_8)));
  }

  private CompletableFuture<Operation> read(int node) {
    return nodes.get(node).openSession(map).submit(Operation.read(KEY));
  }

  private static Operation await(CompletableFuture<Operation> operation) {
    return operation.orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS).join();
  }

  private static void assertReads(String expected, Operation read) {
    assertArrayEquals(expected.getBytes(UTF_8), read.read().value());
  }

  private HangingMedium.Hang hang(long nanos) {
    HangingMedium.Hang hang = new HangingMedium.Hang(nanos);
    next.set(hang);
    return hang;
  }

  @Test
  void aDiskThatHangsForTwoLeasesLeavesItsNodeIn() throws Exception {
    AgreedView before = nodes.get(0).view();
    HangingMedium.Hang hang = hang(2 * LEASE_NANOS);
    CompletableFuture<Operation> written = write(0, "slowly");
    assertTrue(hang.reached().await(PATIENCE_NANOS, TimeUnit.NANOSECONDS));
    await(written);
    assertEquals(0, hang.over().getCount(), "it waits for the node, which is a member");
    assertReads("slowly", await(read(HANGS)));
    assertEquals(before, nodes.get(0).view());
    assertEquals(before, nodes.get(HANGS).view());
  }

  @Test
  void aWorkerThatHangsForEverIsLeftOutAndTellsNobodyWhatItHasReadThen() throws Exception {
    HangingMedium.Hang hang = hang(Long.MAX_VALUE);
    CompletableFuture<Operation> written = write(0, "without it");
    assertTrue(hang.reached().await(PATIENCE_NANOS, TimeUnit.NANOSECONDS));
    CompletableFuture<Operation> late = read(HANGS);
    await(written);
    assertFalse(nodes.get(0).view().nodes().serves(HANGS));
    assertFalse(late.isDone());
    hang.over().countDown();
    CompletionException ended = assertThrows(CompletionException.class, () -> await(late));
    assertEquals(SessionEndedException.class, ended.getCause().getClass());
    assertTrue(nodes.get(HANGS).awaitServing(PATIENCE_NANOS));
    assertReads("without it", await(read(HANGS)));
    assertTrue(failures.isEmpty(), failures::toString);
  }
}
