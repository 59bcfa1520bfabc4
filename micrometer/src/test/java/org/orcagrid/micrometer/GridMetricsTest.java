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
package org.orcagrid.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;

/** The meters of three nodes in this process, and of their client. */
@Timeout(120)
class GridMetricsTest {
  private static final int NODES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Ddp MODEL = Ddp.parse("linearizable/synchronous");

  @TempDir private Path folder;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<MemberGrid> members = new ArrayList<>();
  private List<HostPort> addresses;
  private LocalViews views;

  @BeforeEach
  void start() throws Exception {
    addresses = freeAddresses(NODES);
    views =
        LocalViews.open(
            NODES,
            KiteSettings.NODES_MAX,
            folder.resolve("views"),
            System::nanoTime,
            GridMetricsTest::daemon);
    for (int node = 0; node < NODES; node++) {
      members.add(join(node));
    }
    for (MemberGrid each : members) {
      assertTrue(each.awaitServing(PATIENCE));
    }
  }

  private MemberGrid join(int node) {
    HostPort at = addresses.get(node);
    return Grid.join(
        NodeSettings.of("grid", NODES, at, folder.resolve("node" + node))
            .withKeys(new KeySettings(8, 1024, 1 << 20)),
        views.membership(node, at.toString()));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "views");
    thread.setDaemon(true);
    return thread;
  }

  private static List<HostPort> freeAddresses(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<HostPort> free = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ServerSocket socket = new ServerSocket(0);
      sockets.add(socket);
      free.add(new HostPort("localhost", socket.getLocalPort()));
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return free;
  }

  @AfterEach
  void close() throws Exception {
    views.close();
    members.forEach(MemberGrid::close);
  }

  private double value(String name) {
    Meter meter = registry.find(name).meter();
    assertNotNull(meter, name);
    return meter.measure().iterator().next().getValue();
  }

  private void await(String name, DoublePredicate condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.test(value(name))) {
      assertTrue(System.nanoTime() - end < 0, () -> name + " is " + value(name));
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aNodeIsMeasured() {
    try (GridMetrics metrics = GridMetrics.bind(registry, members.get(0))) {
      assertNotNull(metrics);
      await("orca.grid.node.serving", is -> is == 1);
      await("orca.grid.node.nodes.serving", is -> is == NODES);
      await("orca.grid.node.peers", is -> is == NODES - 1);
      assertEquals(0, value("orca.grid.node.links.lost"));
      assertEquals(0, value("orca.grid.node.maps"));
      assertEquals(0, value("orca.grid.node.clients"));
      assertEquals(0, value("orca.grid.node.packets.bad"));
      members.get(0).map("map", Codec.STRING, Codec.STRING, MODEL).set("a", "b");
      assertEquals(1, value("orca.grid.node.maps"));
      try (RemoteGrid client = Grid.connect(addresses.get(0).toString())) {
        assertEquals(1, value("orca.grid.node.clients"), client::toString);
      }
      await("orca.grid.node.clients", is -> is == 0);
      assertEquals(0, value("orca.grid.node.connections.refused"));
      RemoteGrid.Settings stranger =
          new RemoteGrid.Settings(addresses.subList(0, 1), "another", null, Duration.ofSeconds(30));
      assertThrows(IllegalStateException.class, () -> Grid.connect(stranger));
      await("orca.grid.node.connections.refused", is -> is >= 1);
      members.get(2).close();
      await("orca.grid.node.peers", is -> is == NODES - 2);
      await("orca.grid.node.links.lost", is -> is >= 1);
      await("orca.grid.node.nodes.serving", is -> is == NODES - 1);
    }
  }

  @Test
  void aNodeThatCatchesUpIsMeasured() throws Exception {
    members.get(1).atomicMap("map", Codec.STRING, Codec.STRING, MODEL).set("before", "x");
    members.get(2).close();
    for (int i = 0; i < 50; i++) {
      members.get(1).atomicMap("map", Codec.STRING, Codec.STRING, MODEL).set("key" + i, "x");
    }
    members.set(2, join(2));
    try (GridMetrics metrics = GridMetrics.bind(registry, members.get(2))) {
      assertNotNull(metrics);
      assertTrue(members.get(2).awaitServing(PATIENCE));
      await("orca.grid.node.serving", is -> is == 1);
      assertTrue(value("orca.grid.catch.up.entries") >= 50, "entries");
      assertTrue(value("orca.grid.catch.up.bytes") > 50, "bytes");
      assertTrue(value("orca.grid.catch.up.pages") >= 1, "pages");
      assertEquals(0, value("orca.grid.catch.up.parts.left"));
      assertEquals("bytes", registry.get("orca.grid.catch.up.bytes").gauge().getId().getBaseUnit());
    }
  }

  @Test
  void aClientIsMeasured() throws Exception {
    int nobody = freeAddresses(1).get(0).port();
    try (RemoteGrid client = Grid.connect(addresses.get(0) + ",localhost:" + nobody);
        GridMetrics metrics = GridMetrics.bind(registry, client, "one")) {
      assertNotNull(metrics);
      assertEquals(2, value("orca.grid.client.nodes"));
      assertEquals(1, value("orca.grid.client.nodes.connected"));
      assertEquals(1, value("orca.grid.client.connections.opened"));
      assertEquals(0, value("orca.grid.client.nodes.away"));
      assertEquals("one", registry.get("orca.grid.client.nodes").gauge().getId().getTag("client"));
      members.get(0).close();
      await("orca.grid.client.nodes.connected", is -> is == 0);
      assertThrows(IllegalStateException.class, client::openSession);
      await("orca.grid.client.connections.failed", is -> is >= 1);
      await("orca.grid.client.nodes.silent", is -> is >= 1);
    }
  }

  @Test
  void theMetersAreThereUntilTheyAreClosedAlsoAfterTheGridIs() {
    MemberGrid member = members.get(0);
    GridMetrics metrics = GridMetrics.bind(registry, member);
    GridMetrics other = GridMetrics.bind(registry, members.get(1));
    int both = registry.getMeters().size();
    member.close();
    registry
        .getMeters()
        .forEach(each -> each.measure().forEach(is -> assertFalse(Double.isNaN(is.getValue()))));
    assertEquals(
        0,
        registry
            .get("orca.grid.node.serving")
            .tags("grid", "grid", "node", addresses.get(0).toString())
            .gauge()
            .value());
    metrics.close();
    metrics.close();
    assertEquals(both, 2 * registry.getMeters().size());
    other.close();
    assertEquals(List.of(), registry.getMeters());
  }

  @Test
  void thePageNamesAllMeters() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "operations.md"));
    try (RemoteGrid client = Grid.connect(addresses.get(0).toString());
        GridMetrics ofNode = GridMetrics.bind(registry, members.get(0));
        GridMetrics ofClient = GridMetrics.bind(registry, client)) {
      assertNotNull(ofNode);
      assertNotNull(ofClient);
      Set<String> names = new HashSet<>();
      for (Meter each : registry.getMeters()) {
        String name = each.getId().getName();
        assertTrue(name.matches("orca\\.grid(\\.[a-z]+)+"), name);
        assertTrue(names.add(name), () -> "twice: " + name);
        assertTrue(page.contains("`" + name + "`"), () -> "docs/operations.md lacks " + name);
        assertFalse(each.getId().getDescription().isBlank(), name);
      }
    }
  }
}
