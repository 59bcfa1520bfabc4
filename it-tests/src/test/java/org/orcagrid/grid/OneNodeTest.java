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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.transport.tcp.HostPort;

/** Kite's keys and durable maps at the same nodes, in the same views, behind one port. */
@Timeout(240)
class OneNodeTest {
  private static final int SIZE = 3;
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");
  private static final SegmentLimits LOG = new SegmentLimits(1 << 20, 1 << 18, 1 << 20, 1L << 26);
  private static final KeySettings KEYS = new KeySettings(16, 1024, 16 << 20);

  @TempDir private Path dir;

  private final List<MemberGrid> members = new ArrayList<>();
  private final List<HostPort> addresses = new ArrayList<>();
  private OrcaServer server;

  @BeforeEach
  void start() throws Exception {
    server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("server")));
    for (int node = 0; node < SIZE; node++) {
      addresses.add(new HostPort("127.0.0.1", Ports.base()));
      members.add(join(node));
    }
    awaitServing();
  }

  @AfterEach
  void end() throws Exception {
    members.forEach(MemberGrid::close);
    server.close();
  }

  private MemberGrid join(int node) {
    return Grid.join(settings(node, KEYS));
  }

  private NodeSettings settings(int node, KeySettings keys) {
    return NodeSettings.of("shop", SIZE, addresses.get(node), dir.resolve("node" + node))
        .withMedium(LogMedium.kind(LOG))
        .withLease(Ports.LEASE)
        .withKeys(keys)
        .withEnsemble(server.connectString());
  }

  private void awaitServing() throws InterruptedException {
    for (MemberGrid each : members) {
      assertTrue(each.awaitServing(Ports.PATIENCE), () -> "serves: " + each.failure());
    }
  }

  private GridMap<String, Long> carts(int node) {
    return members.get(node).map("carts", Codec.STRING, Codec.LONG, SAFE).timeout(Ports.PATIENCE);
  }

  private RemoteGrid remote() {
    return Grid.connect(
        new RemoteGrid.Settings(
            addresses, "shop", null, RemoteGrid.Settings.of("127.0.0.1:1").connectTimeout(), null));
  }

  @Test
  void aNodeThatComesBackHasKeysAndMapsAgainAndClientsUseTheSamePort() throws Exception {
    try (RemoteGrid remote = remote();
        GridSession session = remote.openSession()) {
      session.view(Codec.STRING, Codec.LONG).setRelease("key", 1L);
    }
    carts(0).set("ann", 1L);
    for (int node = 0; node < SIZE; node++) {
      members.get(node).close();
      int other = (node + 1) % SIZE;
      carts(other).set("ann", 10L + node);
      try (GridSession session = members.get(other).openSession()) {
        session.view(Codec.STRING, Codec.LONG).setRelease("key", 10L + node);
      }
      members.set(node, join(node));
      awaitServing();
      assertEquals(10L + node, carts(node).get("ann"));
      try (GridSession session = members.get(node).openSession()) {
        assertEquals(10L + node, session.view(Codec.STRING, Codec.LONG).getAcquire("key"));
      }
    }
  }

  @Test
  void afterThePowerIsBackMapsAreThereAndWhatWasInMemoryIsNot() throws Exception {
    carts(0).set("ann", 7L);
    try (GridSession session = members.get(0).openSession()) {
      session.view(Codec.STRING, Codec.LONG).setRelease("key", 7L);
    }
    members.forEach(MemberGrid::close);
    for (int node = 0; node < SIZE; node++) {
      members.set(node, join(node));
    }
    awaitServing();
    assertEquals(7L, carts(2).get("ann"));
    try (GridSession session = members.get(2).openSession()) {
      View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
      assertNull(view.getAcquire("key"));
      view.setRelease("key", 8L);
    }
    try (GridSession session = members.get(1).openSession()) {
      assertEquals(8L, session.view(Codec.STRING, Codec.LONG).getAcquire("key"));
    }
  }

  @Test
  void aNodeOfOtherKeysIsRefusedAndTheOthersGoOn() throws Exception {
    carts(0).set("ann", 1L);
    members.get(2).close();
    KeySettings more = new KeySettings(KEYS.sessions() + 1, KEYS.valueBytesMax(), KEYS.bytesMax());
    try (MemberGrid other = Grid.join(settings(2, more))) {
      long end = System.nanoTime() + Ports.PATIENCE.toNanos();
      while (other.lastRefusal() == null || !other.lastRefusal().contains("17 sessions each")) {
        assertTrue(System.nanoTime() - end < 0, other::lastRefusal);
        LockSupport.parkNanos(1_000_000);
      }
      carts(0).set("ann", 2L);
      assertEquals(2L, carts(1).get("ann"));
      try (GridSession session = members.get(0).openSession()) {
        session.view(Codec.STRING, Codec.LONG).setRelease("key", 2L);
      }
      assertFalse(other.awaitServing(Duration.ZERO));
    }
    members.set(2, join(2));
    awaitServing();
    assertEquals(2L, carts(2).get("ann"));
  }
}
