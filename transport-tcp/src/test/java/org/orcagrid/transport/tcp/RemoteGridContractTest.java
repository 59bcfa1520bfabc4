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

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.orcagrid.ddp.contract.ContractClient;
import org.orcagrid.ddp.contract.ContractLinks;
import org.orcagrid.ddp.contract.GridContract;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.transport.tcp.remote.ClientGateway;
import org.orcagrid.transport.tcp.remote.RemoteMaps;
import org.orcagrid.transport.tcp.remote.RemoteNode;

/** The grid's contract for clients at the other end of a connection. */
class RemoteGridContractTest extends GridContract {
  private static final String GRID = "contract";

  private final EventLoopGroup loops = RemoteNode.newLoops("contract-client");

  @AfterAll
  void stopLoops() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Override
  protected ContractLinks links() {
    LoopbackNetwork network = new LoopbackNetwork(3, WORKERS, PACKET_BYTES_MAX);
    return network::transport;
  }

  @Override
  protected ContractClient.Ways ways() {
    return Connected::new;
  }

  /** A client with one connection to one node. */
  private final class Connected implements ContractClient, RemoteMaps.Nodes {
    private final ClientGateway gateway;
    private final RemoteNode node;
    private final RemoteMaps maps = new RemoteMaps(this);

    Connected(Node host) throws IOException {
      HostPort address = TcpTransportTest.freeAddresses(1).get(0);
      gateway =
          new ClientGateway(
                  GRID,
                  NodePort.of(address, PortSecurity.NONE, IoKind.best(), LinkListener.NONE),
                  new ClientGateway.Served(host, host.maps(), clients -> "clients=" + clients),
                  new DefaultThreadFactory("contract-gateway", true),
                  LinkListener.NONE)
              .admitClients();
      node =
          RemoteNode.connect(address, GRID, RemoteNode.Credentials.NONE, loops)
              .toCompletableFuture()
              .join();
    }

    @Override
    public RemoteNode node() {
      return node;
    }

    @Override
    public RemoteNode nodeNow() {
      return node;
    }

    @Override
    public boolean isClientThread() {
      for (EventExecutor each : loops) {
        if (each.inEventLoop()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public Throwable failure() {
      return null;
    }

    @Override
    public Maps maps() {
      return maps;
    }

    @Override
    public NodeSession openSession() {
      return node.openSession().toCompletableFuture().join();
    }

    @Override
    public void close() {
      node.close();
      gateway.close();
    }
  }
}
