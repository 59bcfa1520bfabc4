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
package org.orcagrid.server.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;

/** Three nodes of maps over TCP, which agree on views through a server. */
@Timeout(120)
class MapsOverEnsembleTest {
  private static final int SIZE = 3;
  private static final HostPort NOWHERE = new HostPort("127.0.0.1", 1);
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final KeySettings KEYS = new KeySettings(16, 4096, 64 << 20);
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  @TempDir private Path dir;

  private final List<GridMember> members = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private OrcaServer server;

  @BeforeEach
  void start() throws Exception {
    server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("server")));
    for (int i = 0; i < SIZE; i++) {
      members.add(join(i));
    }
  }

  @AfterEach
  void stop() {
    members.forEach(GridMember::close);
    server.close();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  /** Below those that the kernel gives to whoever connects. */
  private static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        System.getLogger("ports").log(System.Logger.Level.DEBUG, "{0} is in use", port);
      }
    }
  }

  private Path folder(int node) {
    return dir.resolve("node" + node);
  }

  private GridMember join(int node) throws IOException, InterruptedException {
    HostPort address = new HostPort("127.0.0.1", freePort());
    NodeSettings settings = settings(SIZE, address, folder(node));
    return GridMember.start(settings, settings.membership(), LinkListener.NONE, failures::add);
  }

  private NodeSettings settings(int size, HostPort address, Path folder) {
    return NodeSettings.of("test", size, address, folder)
        .withKeys(KEYS)
        .withEnsemble(server.connectString());
  }

  private MapDefinition define() throws IOException, InterruptedException {
    return members.get(0).node().maps().define("carts", SAFE, Conflicts.ABORT, PATIENCE);
  }

  private MapSession session(int node, MapDefinition map) throws Exception {
    members.get(node).node().maps().define(map.name(), map.model(), map.conflicts(), PATIENCE);
    return members.get(node).node().maps().openSession(map);
  }

  private static void put(MapSession session, String key, String value) throws Exception {
    session.submit(Operation.write(Key.of(key), value.getBytes(UTF_8))).get(60, TimeUnit.SECONDS);
  }

  private static String get(MapSession session, String key) throws Exception {
    Operation read = session.submit(Operation.read(Key.of(key))).get(60, TimeUnit.SECONDS);
    return new String(read.read().value(), UTF_8);
  }

  @Test
  void nodesComeAndGoAndNothingIsLost() throws Exception {
    MapDefinition map = define();
    MapSession writer = session(0, map);
    put(writer, "a", "one");
    assertEquals("one", get(session(1, map), "a"));
    assertEquals("one", get(session(2, map), "a"));

    members.get(1).close();
    put(writer, "a", "two");
    members.set(1, join(1));
    assertEquals("two", get(session(1, map), "a"));

    members.forEach(GridMember::close);
    for (int node = 0; node < SIZE; node++) {
      members.set(node, join(node));
    }
    assertEquals("two", get(session(2, map), "a"));
  }

  @Test
  void aFolderKeepsItsPlaceAndThereIsNoneForAFourth() throws Exception {
    assertTrue(members.get(1).node().awaitServing(PATIENCE));
    int place = members.get(1).node().maps().self();
    IOException inUse =
        assertThrows(IOException.class, () -> settings(SIZE, NOWHERE, folder(1)).membership());
    assertTrue(inUse.getMessage().contains("is in use"), inUse::getMessage);
    members.get(1).close();
    members.set(1, join(1));
    assertEquals(place, members.get(1).node().maps().self());
    IOException refused =
        assertThrows(
            IOException.class, () -> settings(SIZE, NOWHERE, dir.resolve("fourth")).membership());
    assertTrue(refused.getMessage().contains("places/N"), refused::getMessage);
    IOException other =
        assertThrows(
            IOException.class, () -> settings(5, NOWHERE, dir.resolve("fifth")).membership());
    assertTrue(other.getMessage().contains("began with 3 places"), other::getMessage);
  }

  @Test
  void theGridServesWhileTheEnsembleIsAway() throws Exception {
    MapDefinition map = define();
    MapSession writer = session(0, map);
    MapSession reader = session(1, map);
    put(writer, "a", "before");
    server.close();
    long end = System.nanoTime() + 5 * LeaseTimes.DEFAULT.leaseNanos();
    for (int written = 0; System.nanoTime() - end < 0; written++) {
      put(writer, "a", "without " + written);
      assertEquals("without " + written, get(reader, "a"));
    }
  }

  @Test
  void aViewThatIsGoneStopsTheNodesAndIsNotMadeAnew() throws Exception {
    define();
    try (ZooKeeper anybody = new ZooKeeper(server.connectString(), 10_000, event -> {})) {
      for (String view : anybody.getChildren("/orca-grid/test/views", false)) {
        anybody.delete("/orca-grid/test/views/" + view, -1);
      }
      long end = System.nanoTime() + PATIENCE;
      while (failures.size() < SIZE && System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      assertEquals(List.of(), anybody.getChildren("/orca-grid/test/views", false));
    }
    assertEquals(SIZE, failures.size());
    for (Throwable failure : failures) {
      assertTrue(failure.getMessage().contains("this node was in view"), failure::getMessage);
    }
    failures.clear();
  }

  /** A node that has not found out yet may tell of lives that it misses meanwhile. */
  private static void wipe(ZooKeeper anybody) throws Exception {
    while (anybody.exists("/orca-grid/test", false) != null) {
      try {
        ZKUtil.deleteRecursive(anybody, "/orca-grid/test");
      } catch (KeeperException.NotEmptyException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void anEnsembleThatWasWipedStopsTheNodesAndIsNotFilledAgain() throws Exception {
    define();
    try (ZooKeeper anybody = new ZooKeeper(server.connectString(), 10_000, event -> {})) {
      wipe(anybody);
      long end = System.nanoTime() + PATIENCE;
      while (failures.size() < SIZE && System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      members.get(1).close();
      IOException refused = assertThrows(IOException.class, () -> join(1));
      assertTrue(refused.getMessage().contains("knows no such grid"), refused::getMessage);
      assertEquals(null, anybody.exists("/orca-grid/test", false));
    }
    assertEquals(SIZE, failures.size());
    failures.clear();
  }

  @Test
  void aFolderRefusesAnEnsembleThatDoesNotKnowItsGrid() throws Exception {
    define();
    members.forEach(GridMember::close);
    server.close();
    server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("other")));
    IOException refused = assertThrows(IOException.class, () -> join(1));
    assertTrue(refused.getMessage().contains("was in view"), refused::getMessage);
    assertTrue(refused.getMessage().contains("Bring back"), refused::getMessage);
  }
}
