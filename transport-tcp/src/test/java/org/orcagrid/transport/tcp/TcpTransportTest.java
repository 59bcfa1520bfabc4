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
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.transport.TransportContract;

class TcpTransportTest extends TransportContract {
  private static final int ATTEMPTS = 20;

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
    return new Nodes() {
      @Override
      public Transport transport(int node) throws IOException {
        TcpTransport transport =
            new TcpTransport(
                new TcpSettings("contract", node, addresses, 1, 1, PACKET_BYTES_MAX),
                NodePort.of(
                    addresses.get(node), PortSecurity.NONE, IoKind.best(), LinkListener.NONE),
                LinkListener.NONE);
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

  /**
   * A node that comes back is in a view at once, and its peers wait for it from then on. With each
   * attempt waiting for the last one's second, this would take longer than is given.
   */
  @Test
  @Timeout(ATTEMPTS / 2)
  void whoIsToldWhereNodesAreTriesAtOnce() throws Exception {
    List<HostPort> addresses = freeAddresses(2);
    List<String> places = addresses.stream().map(HostPort::toString).toList();
    HostPort away = addresses.get(1);
    TcpTransport transport =
        new TcpTransport(
            new TcpSettings("contract", 0, addresses, 1, 1, PACKET_BYTES_MAX),
            NodePort.of(addresses.get(0), PortSecurity.NONE, IoKind.best(), LinkListener.NONE),
            LinkListener.NONE);
    try (ServerSocket nobody =
        new ServerSocket(away.port(), ATTEMPTS, InetAddress.getByName(away.host()))) {
      CountDownLatch over = new CountDownLatch(1);
      Thread worker =
          new Thread(
              () -> {
                try (Endpoint endpoint = transport.open(0)) {
                  while (over.getCount() > 0) {
                    endpoint.poll((from, packet, length) -> {}, 1);
                    endpoint.await(1_000_000);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      worker.start();
      try {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
          transport.change(places);
          nobody.accept().close();
        }
      } finally {
        over.countDown();
        worker.join();
        transport.close();
      }
    }
  }

  /** A socket is read to the end of what has come. */
  @Override
  protected int pollBound(int asked) {
    return Integer.MAX_VALUE;
  }
}
