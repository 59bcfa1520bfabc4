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
package org.orcagrid.bench.kite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TransportChoice;

/**
 * The transports of a measured grid's nodes, which are all in this JVM and have one worker each.
 */
final class BenchTransports {
  private static final int MESSAGE_BYTES_MAX = 4096;

  private BenchTransports() {}

  /**
   * One for each node.
   *
   * @param wish null for the loopback transport
   */
  static List<Transport> open(TransportChoice wish, int nodes, int sessions) throws IOException {
    List<Transport> transports = new ArrayList<>();
    if (wish == null) {
      LoopbackNetwork network = new LoopbackNetwork(nodes, 1, MESSAGE_BYTES_MAX);
      for (int node = 0; node < nodes; node++) {
        transports.add(network.transport(node));
      }
      return transports;
    }
    List<HostPort> addresses = new ArrayList<>();
    try {
      for (int port : FreePorts.find(nodes, new Random())) {
        addresses.add(new HostPort("127.0.0.1", port));
      }
    } catch (CommandFailure e) {
      throw new IOException(e.getMessage(), e);
    }
    NodeTransports found = wish.open(LinkListener.NONE);
    try {
      for (int node = 0; node < nodes; node++) {
        TcpSettings links =
            new TcpSettings("bench", node, addresses, 1, sessions, MESSAGE_BYTES_MAX);
        NodePort port =
            NodePort.of(addresses.get(node), PortSecurity.NONE, IoKind.best(), LinkListener.NONE);
        transports.add(found.open(links, port, LinkListener.NONE));
      }
    } catch (IOException | RuntimeException e) {
      transports.forEach(Transport::close);
      throw e;
    }
    return transports;
  }
}
