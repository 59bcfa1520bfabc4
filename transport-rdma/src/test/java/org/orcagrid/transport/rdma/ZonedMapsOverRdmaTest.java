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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.map.ZonedMapsContract;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.MappedZones;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TransportChoice;
import org.orcagrid.transport.tcp.ZoneSettings;

/**
 * With RDMA writes that reads flush. With {@code -Dorca.lab.zone=/dev/dax0.0} the memory is
 * persistent; it is ordinary memory otherwise.
 */
@Needs(RdmaNeeds.Device.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SAME_THREAD)
class ZonedMapsOverRdmaTest extends ZonedMapsContract {
  private static final int PACKET_BYTES_MAX = 16 * 1024;

  private List<HostPort> addresses;
  private int handlesBefore;
  private MappedZones mapped;

  ZonedMapsOverRdmaTest() {
    super(100);
  }

  @BeforeEach
  void find() throws IOException {
    handlesBefore = Verbs.openHandles();
    String device = System.getProperty("orca.lab.zone");
    if (device != null) {
      mapped = TransportChoice.map(new ZoneSettings(Path.of(device), false));
    }
    addresses = RdmaTransportTest.freeAddresses(NODES);
  }

  /**
   * After the nodes have ended: what a class adds to its parent's is called first, so it stops
   * them.
   */
  @AfterEach
  void giveBack() throws IOException {
    stop();
    if (mapped != null) {
      mapped.close();
    }
    assertEquals(handlesBefore, Verbs.openHandles(), "objects of the device that are left");
  }

  @Override
  protected ZoneMemory memory(int node) {
    if (mapped == null) {
      return ordinaryMemory();
    }
    int at = node * ZONES_BYTES;
    ByteBuffer bytes = mapped.bytes().slice(at, ZONES_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    // Whatever an earlier test has left is of another grid.
    bytes.put(0, new byte[ZONES_BYTES]);
    mapped.persist(at, ZONES_BYTES);
    return new ZoneMemory() {
      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void persist(int from, int count) {
        mapped.persist(at + from, count);
      }
    };
  }

  /** What messages go over. */
  protected RdmaSettings rdma() {
    return RdmaSettings.DEFAULT;
  }

  @Override
  protected Transport transport(int node) throws IOException {
    TcpSettings settings = new TcpSettings("landed", node, addresses, 1, 1, PACKET_BYTES_MAX);
    NodePort port =
        NodePort.of(addresses.get(node), PortSecurity.NONE, IoKind.best(), LinkListener.NONE);
    RdmaTransport transport = new RdmaTransport(settings, rdma(), port, LinkListener.NONE);
    return transport;
  }
}
