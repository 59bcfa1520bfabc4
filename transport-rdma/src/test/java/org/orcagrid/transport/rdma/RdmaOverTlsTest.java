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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.TestCertificates;
import org.orcagrid.transport.tcp.TlsSettings;

/**
 * The contract where peers find each other over TLS, and those who have no certificate of the grid.
 * Needs a device: {@code build/lab.sh} has one.
 */
class RdmaOverTlsTest extends RdmaTransportTest {
  private static final PacketHandler NOBODY = (from, packet, length) -> {};
  private static final long LONG_NANOS = 60_000_000_000L;
  private static final int TIMES = 3;

  private static TlsSettings ofGrid;
  private static TlsSettings ofStranger;

  @BeforeAll
  static void makeCertificates(@TempDir Path folder) throws Exception {
    ofGrid = TestCertificates.make(folder.resolve("grid"));
    ofStranger = TestCertificates.make(folder.resolve("stranger"));
  }

  @Override
  protected TlsSettings tls() {
    return ofGrid;
  }

  @Test
  void whoHasAnotherCertificateIsNotToldOfTheQueuePair() throws IOException {
    nothingIsTold(ofGrid, ofStranger);
    nothingIsTold(ofStranger, ofGrid);
  }

  /** Certificates are no secret: a key of the grid's is what it takes. */
  @Test
  void whoHasTheCertificateAndNoKeyIsNotToldOfTheQueuePair() throws IOException {
    TlsSettings knowing =
        new TlsSettings(
            ofStranger.keyStore(),
            ofStranger.keyStorePassword(),
            ofGrid.trustStore(),
            ofGrid.trustStorePassword(),
            true);
    nothingIsTold(ofGrid, knowing);
    nothingIsTold(knowing, ofGrid);
  }

  @Test
  void whoHasNoCertificateIsNotToldOfTheQueuePair() throws IOException {
    nothingIsTold(ofGrid, null);
    nothingIsTold(null, ofGrid);
  }

  /** The first one connects to the second one, again and again. */
  private static void nothingIsTold(TlsSettings first, TlsSettings second) throws IOException {
    List<HostPort> addresses = freeAddresses(2);
    Refusals here = new Refusals();
    Refusals there = new Refusals();
    try (RdmaEndpoint one = open(addresses, 0, first, here);
        RdmaEndpoint other = open(addresses, 1, second, there)) {
      long begun = System.nanoTime();
      while (here.told.size() < TIMES || there.told.size() < TIMES) {
        one.poll(NOBODY, 100);
        other.poll(NOBODY, 100);
        assertFalse(one.knows(1), "who connects knows a queue pair");
        assertFalse(other.knows(0), "who listens knows a queue pair");
        assertNull(one.claim(1));
        assertNull(other.claim(0));
        assertTrue(
            System.nanoTime() - begun < LONG_NANOS, () -> "refused: " + here + " and " + there);
      }
      assertEquals(0, here.ups + there.ups, "links that were told of");
    }
  }

  private static RdmaEndpoint open(
      List<HostPort> addresses, int node, TlsSettings tls, LinkListener listener)
      throws IOException {
    return (RdmaEndpoint) transport(addresses, node, PACKET_BYTES_MAX, tls, listener).open(0);
  }

  /** Who was refused, and why. */
  private static final class Refusals implements LinkListener {
    private final List<String> told = new ArrayList<>();
    private int ups;

    @Override
    public void onUp(int peer, int worker) {
      ups++;
    }

    @Override
    public void onRefused(String address, String reason) {
      told.add(reason);
    }

    @Override
    public String toString() {
      return told.toString();
    }
  }
}
