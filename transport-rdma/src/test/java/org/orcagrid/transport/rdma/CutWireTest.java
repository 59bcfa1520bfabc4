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
package org.orcagrid.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;

/**
 * A wire that is cut while the processes still reach each other. {@code build/lab.sh long} has one.
 */
@Needs({RdmaNeeds.Device.class, RdmaNeeds.Wire.class})
@Timeout(120)
class CutWireTest {
  private static final PacketHandler NOBODY = (from, packet, length) -> {};
  private static final long LONG_NANOS = 60_000_000_000L;
  private static final List<String> WIRE = List.of("lab1", "lab2");

  private final List<String> told = new ArrayList<>();
  private Endpoint here;
  private Endpoint there;
  private long next;
  private long newest = -1;

  private final PacketHandler inOrder =
      (from, packet, length) -> {
        long number = packet.getLong(0);
        assertTrue(number > newest, "no packet comes twice");
        newest = number;
      };

  private final LinkListener tells =
      new LinkListener() {
        @Override
        public void onUp(int peer, int worker) {
          told.add("up");
        }

        @Override
        public void onDown(int peer, int worker, String reason) {
          told.add("down: " + reason);
        }
      };

  @BeforeEach
  void open() throws IOException, InterruptedException {
    lose("0%");
    List<HostPort> addresses = RdmaTransportTest.freeAddresses(2);
    here = open(addresses, 0, tells);
    there = open(addresses, 1, LinkListener.NONE);
  }

  private Endpoint open(List<HostPort> addresses, int node, LinkListener listener)
      throws IOException {
    return RdmaTransportTest.transport(addresses, node, 4096, null, hasConnections(), listener)
        .open(0);
  }

  /** Whether they talk over connections rather than datagrams. */
  protected boolean hasConnections() {
    return false;
  }

  /** What is told when nothing comes back for a while. */
  protected List<String> reasons() {
    return List.of("down: nothing comes back over RDMA");
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    if (there != null) {
      here.close();
      there.close();
      lose("0%");
    }
  }

  private static void lose(String share) throws IOException, InterruptedException {
    for (String end : WIRE) {
      Process tc =
          new ProcessBuilder("tc", "qdisc", "replace", "dev", end, "root", "netem", "loss", share)
              .inheritIO()
              .start();
      assertEquals(0, tc.waitFor(), "tc");
    }
  }

  /** Sends as much as it can until something is so. */
  private void sendUntil(String what, BooleanSupplier done) {
    long begun = System.nanoTime();
    while (!done.getAsBoolean()) {
      ByteBuffer packet = here.claim(1);
      if (packet != null) {
        packet.putLong(0, next++);
        here.send(1, 100);
      }
      here.poll(NOBODY, 100);
      there.poll(inOrder, 100);
      assertTrue(System.nanoTime() - begun < LONG_NANOS, what);
    }
  }

  @Test
  void aCutWireIsNoticedAndCostsNothingButPackets() throws Exception {
    sendUntil("packets", () -> newest > 1000);
    assertEquals(List.of("up"), told);
    lose("100%");
    sendUntil("the cut is noticed", () -> told.size() > 1);
    assertTrue(reasons().stream().anyMatch(told.get(1)::startsWith), told::toString);
    assertEquals(null, here.claim(1), "there is no room");
    long lost = next;
    lose("0%");
    sendUntil("packets again", () -> newest >= lost + 1000);
    assertEquals("up", told.get(2), told::toString);
  }
}
