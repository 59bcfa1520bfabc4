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
package org.orcagrid.jcache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.client.Grid;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;

/** Nodes of a grid in this process, which talk over TCP and serve clients. */
final class MemberNodes implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<HostPort> addresses;
  private final LocalViews views;
  private final List<MemberGrid> members = new ArrayList<>();

  MemberNodes(int count, Path folder) throws Exception {
    this(count, folder, PortSecurity.NONE);
  }

  MemberNodes(int count, Path folder, PortSecurity security) throws Exception {
    addresses = freeAddresses(count);
    views =
        LocalViews.open(
            count,
            KiteSettings.NODES_MAX,
            folder.resolve("views"),
            System::nanoTime,
            MemberNodes::daemon);
    for (int node = 0; node < count; node++) {
      HostPort at = addresses.get(node);
      members.add(
          Grid.join(
              NodeSettings.of("grid", count, at, folder.resolve("node" + node))
                  .withKeys(new KeySettings(8, 1024, 1 << 20))
                  .withSecurity(security),
              views.membership(node, at.toString())));
    }
    for (MemberGrid each : members) {
      assertTrue(each.awaitServing(PATIENCE), () -> "serves: " + each.failure());
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "views");
    thread.setDaemon(true);
    return thread;
  }

  private static List<HostPort> freeAddresses(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<HostPort> free = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ServerSocket socket = new ServerSocket(0);
      sockets.add(socket);
      free.add(new HostPort("localhost", socket.getLocalPort()));
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return free;
  }

  List<MemberGrid> members() {
    return members;
  }

  String address(int node) {
    return addresses.get(node).toString();
  }

  @Override
  public void close() throws Exception {
    views.close();
    for (int node = members.size() - 1; node >= 0; node--) {
      members.get(node).close();
    }
  }
}
