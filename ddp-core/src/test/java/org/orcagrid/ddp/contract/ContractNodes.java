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
package org.orcagrid.ddp.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Workers;

/** Three nodes in this JVM that host keys and maps, and that can be stopped, killed and started. */
final class ContractNodes implements AutoCloseable {
  static final int NODES = 3;
  static final int WORKERS = 2;
  static final int SESSIONS = 8;
  static final int PACKET_BYTES_MAX = 16 << 10;
  static final int VALUE_BYTES_MAX = 1024;
  static final long PATIENCE_NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("orca.lab.patience", 60));

  /** Small ones: what is more than a record holds is soon written. */
  private static final SegmentLimits LOG = new SegmentLimits(1 << 20, 1 << 17, 1 << 20, 1L << 26);

  private final Path folder;
  private final ContractLinks links;
  private final ContractClient.Ways ways;
  private final int keysMax;
  private final List<Node> nodes = new ArrayList<>();
  private final List<ContractClient> clients = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private LocalViews views;

  /** What has killed a node. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;

    Killed() {
      super("a test kills this node");
    }
  }

  /** Starts nodes with room for so many keys of Kite's. */
  ContractNodes(Path folder, ContractLinks links, ContractClient.Ways ways, int keysMax)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.links = links;
    this.ways = ways;
    this.keysMax = keysMax;
    startAll();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "contract");
    thread.setDaemon(true);
    return thread;
  }

  private void startAll() throws IOException, InterruptedException {
    views =
        LocalViews.open(NODES, folder.resolve("views"), System::nanoTime, ContractNodes::daemon);
    nodes.clear();
    clients.clear();
    for (int node = 0; node < NODES; node++) {
      nodes.add(open(node));
    }
    for (int node = 0; node < NODES; node++) {
      awaitServing(node);
      clients.add(ways.to(nodes.get(node)));
    }
  }

  private Node open(int node) throws IOException, InterruptedException {
    MapSizes usual = MapSizes.of(NODES, node);
    return Node.start(
        new Node.Sizes(
            new MapSizes(
                NODES,
                node,
                WORKERS,
                usual.backlogMax(),
                usual.resendNanos(),
                usual.progressNanos()),
            KiteSettings.of(NODES, node, WORKERS, SESSIONS),
            new ReplicaStore.Limits(keysMax, VALUE_BYTES_MAX, 16 << 20),
            0),
        new HostedMaps.Providers(
            views.membership(node),
            new FolderMedia(
                folder.resolve("node" + node), LogMedium.kind(LOG), ContractNodes::daemon),
            WallClock.NONE,
            null),
        new Workers.Environment(
            links.transport(node), System::nanoTime, ContractNodes::daemon, failures::add));
  }

  /** Starts a node that has ended; it serves when this returns. */
  void start(int node) throws IOException, InterruptedException {
    nodes.set(node, open(node));
    awaitServing(node);
    clients.set(node, ways.to(nodes.get(node)));
  }

  private void awaitServing(int node) throws InterruptedException {
    assertTrue(nodes.get(node).awaitServing(PATIENCE_NANOS), () -> "serves: " + failures);
  }

  /** The node leaves in good order. */
  void stop(int node) {
    close(node);
  }

  private void close(int node) {
    clients.get(node).close();
    nodes.get(node).close();
  }

  private void closeAll() {
    views.close();
    for (int node = 0; node < clients.size(); node++) {
      close(node);
    }
    nodes.forEach(Node::close);
  }

  /** The node's first worker dies, and with it all of the node, in whatever it is doing. */
  void kill(int node, MapDefinition any) {
    CompletableFuture<?> asked =
        nodes
            .get(node)
            .maps()
            .ask(
                any,
                replica -> {
                  throw new Killed();
                });
    assertThrows(CompletionException.class, asked::join);
    await("it is dead", () -> nodes.get(node).failure() instanceof Killed);
    close(node);
  }

  /** All nodes end in good order, and start again. */
  void restart() throws IOException, InterruptedException {
    closeAll();
    startAll();
  }

  /** Adds a map, or finds it; all nodes have it when this returns. */
  MapDefinition define(String name, Ddp model) throws IOException, InterruptedException {
    MapDefinition map = null;
    for (Node each : nodes) {
      map = each.maps().define(name, model, Conflicts.ABORT, PATIENCE_NANOS);
    }
    return map;
  }

  HostedMaps maps(int node) {
    return nodes.get(node).maps();
  }

  /** The maps of a node as its clients have them. */
  Maps client(int node) {
    return clients.get(node).maps();
  }

  /** A new session of a map. */
  MapClient map(int node, MapDefinition map) {
    return new MapClient(client(node).openSession(map));
  }

  /** A new session of the keys. */
  KeyClient keys(int node) {
    return new KeyClient(clients.get(node).openSession());
  }

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, () -> "in time: " + what);
      LockSupport.parkNanos(200_000);
    }
  }

  /** Ends the nodes, none of which has failed but for those that were killed. */
  @Override
  public void close() {
    closeAll();
    failures.removeIf(each -> each instanceof Killed);
    assertEquals(List.of(), List.copyOf(failures));
  }

  static boolean awaitLatch(CountDownLatch latch) {
    try {
      return latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      return false;
    }
  }
}
