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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.TransportWish;

/** Maps of all thirty models on three members, over the transport that there is. */
@Timeout(240)
class MapsOverTransportTest {
  private static final int SIZE = 3;
  private static final int KEYS = 10;
  private static final SegmentLimits LOG = new SegmentLimits(1 << 20, 1 << 18, 1 << 20, 1L << 26);

  @TempDir private Path dir;

  private final List<MemberGrid> members = new ArrayList<>();
  private OrcaServer server;

  @BeforeEach
  void start() throws Exception {
    server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("server")));
    for (int node = 0; node < SIZE; node++) {
      members.add(join(node));
    }
  }

  @AfterEach
  void end() throws Exception {
    members.forEach(MemberGrid::close);
    server.close();
  }

  private MemberGrid join(int node) {
    HostPort address = new HostPort("127.0.0.1", Ports.base());
    Path folder = dir.resolve("node" + node);
    return MemberGrid.join(
        NodeSettings.of("lab", SIZE, address, folder)
            .withMedium(LogMedium.kind(LOG))
            .withTransport(TransportWish.parse(Ports.TRANSPORT))
            .withLease(Ports.LEASE)
            .withKeys(Ports.KEYS)
            .withEnsemble(server.connectString()));
  }

  private GridMap<String, Long> map(int node, Ddp model) {
    return members
        .get(node)
        .map(model.id().replace('/', '.'), Codec.STRING, Codec.LONG, model)
        .timeout(Ports.PATIENCE);
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Ports.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, what);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void whatIsWrittenAtANodeIsReadAtAllAndByTheNodeThatComesBack() {
    for (Ddp model : Ddp.all()) {
      Map<String, Long> all = new HashMap<>();
      for (int node = 0; node < SIZE; node++) {
        Map<String, Long> own = new HashMap<>();
        for (long key = 0; key < KEYS; key++) {
          own.put("node" + node + "-" + key, key);
        }
        map(node, model).setAll(own);
        all.putAll(own);
      }
      for (int node = 0; node < SIZE; node++) {
        GridMap<String, Long> map = map(node, model);
        // With some models a write has completed before all nodes show it.
        await(model + " at " + node, () -> map.snapshot().equals(all));
      }
    }
    members.get(2).close();
    for (Ddp model : Ddp.all()) {
      map(0, model).set("while it was away", 1L);
    }
    members.set(2, join(2));
    for (Ddp model : Ddp.all()) {
      GridMap<String, Long> map = map(2, model);
      await(model + " at who was away", () -> map.get("while it was away") != null);
      assertEquals(SIZE * KEYS + 1, map.size(), model.id());
      assertTrue(map.recovery().isPresent(), model.id());
    }
  }
}
