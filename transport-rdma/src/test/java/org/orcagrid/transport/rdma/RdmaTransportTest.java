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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.transport.TransportContract;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TlsSettings;

/** Needs a device: {@code build/lab.sh} has one. */
@Needs(RdmaNeeds.Device.class)
class RdmaTransportTest extends TransportContract {
  private int handlesBefore;

  /** Ports that nobody listens at at present. */
  static List<HostPort> freeAddresses(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<HostPort> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    for (ServerSocket each : held) {
      addresses.add(new HostPort("127.0.0.1", each.getLocalPort()));
      each.close();
    }
    return addresses;
  }

  /** The nodes take turns with the devices that are named; any device if none is. */
  private static RdmaSettings settings(int node, boolean connections) {
    String devices = System.getProperty("orca.lab.devices");
    if (devices == null) {
      return connections ? RdmaSettings.DEFAULT.withConnections() : RdmaSettings.DEFAULT;
    }
    List<String> names = List.of(devices.split(",", -1));
    RdmaSettings usual = RdmaSettings.DEFAULT;
    return new RdmaSettings(
        names.get(node % names.size()),
        usual.port(),
        usual.gidIndex(),
        usual.packetsPerPeer(),
        usual.datagramsPerPeer(),
        connections);
  }

  static RdmaTransport transport(List<HostPort> addresses, int node, int packetBytesMax)
      throws IOException {
    return transport(addresses, node, packetBytesMax, LinkListener.NONE);
  }

  static RdmaTransport transport(
      List<HostPort> addresses, int node, int packetBytesMax, LinkListener listener)
      throws IOException {
    return transport(addresses, node, packetBytesMax, null, listener);
  }

  static RdmaTransport transport(
      List<HostPort> addresses,
      int node,
      int packetBytesMax,
      TlsSettings tls,
      LinkListener listener)
      throws IOException {
    return transport(addresses, node, packetBytesMax, tls, false, listener);
  }

  static RdmaTransport transport(
      List<HostPort> addresses,
      int node,
      int packetBytesMax,
      TlsSettings tls,
      boolean connections,
      LinkListener listener)
      throws IOException {
    RdmaTransport transport =
        new RdmaTransport(
            new TcpSettings("contract", node, addresses, 1, 1, packetBytesMax),
            settings(node, connections),
            NodePort.of(addresses.get(node), PortSecurity.ofTls(tls), IoKind.best(), listener),
            listener);
    return transport;
  }

  /** Whether they talk over connections rather than datagrams. */
  protected boolean hasConnections() {
    return false;
  }

  /** What peers find each other with. */
  protected TlsSettings tls() {
    return null;
  }

  /** An emulated processor takes a millisecond for a packet; {@code build/lab.sh long} has more. */
  @Override
  protected int packetsOfBusyNodes() {
    return Integer.getInteger("orca.lab.packets", 500);
  }

  @BeforeEach
  void countHandles() {
    handlesBefore = Verbs.openHandles();
  }

  /** Runs after what closes the endpoints: inherited ones come last. */
  @AfterEach
  void allIsGivenBack() {
    closeAll();
    assertEquals(handlesBefore, Verbs.openHandles(), "objects of the device that are open still");
  }

  @Override
  protected Nodes open(int count) throws IOException {
    List<HostPort> addresses = freeAddresses(count);
    return new Nodes() {
      @Override
      public Transport transport(int node) throws IOException {
        return RdmaTransportTest.transport(
            addresses, node, PACKET_BYTES_MAX, tls(), hasConnections(), LinkListener.NONE);
      }

      @Override
      public void end(int node) {
        // Closing the endpoint has given all back.
      }

      @Override
      public void close() {
        // The transports hold nothing of their own.
      }
    };
  }
}
