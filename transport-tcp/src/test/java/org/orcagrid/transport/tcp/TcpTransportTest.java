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
package org.orcagrid.transport.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.transport.TransportContract;

class TcpTransportTest extends TransportContract {
  /** Ports that nobody listens at at present. */
  static List<HostPort> freeAddresses(int count) {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<HostPort> addresses = new ArrayList<>();
      for (ServerSocket each : held) {
        addresses.add(new HostPort("127.0.0.1", each.getLocalPort()));
        each.close();
      }
      return addresses;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Nodes open(int count) {
    List<HostPort> addresses = freeAddresses(count);
    List<String> places = addresses.stream().map(HostPort::toString).toList();
    return new Nodes() {
      @Override
      public Transport transport(int node) throws IOException {
        TcpTransport transport =
            TcpTransport.ofPlaces(
                new TcpSettings("contract", node, addresses, 1, 1, PACKET_BYTES_MAX),
                NodePort.of(
                    addresses.get(node), PortSecurity.NONE, IoKind.best(), LinkListener.NONE),
                LinkListener.NONE);
        transport.changePlaces(places);
        return transport;
      }

      @Override
      public void end(int node) {
        // Closing the endpoint has closed its connections.
      }

      @Override
      public void close() {
        // The transports hold nothing of their own.
      }
    };
  }

  @Override
  protected boolean isOrderly() {
    return true;
  }

  /** A socket is read to the end of what has come. */
  @Override
  protected int pollBound(int asked) {
    return Integer.MAX_VALUE;
  }
}
