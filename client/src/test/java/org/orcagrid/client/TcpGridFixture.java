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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TlsSettings;

/** Nodes of a grid over TCP, and clients of them, all in this process. */
abstract class TcpGridFixture {
  static final int NODES = 3;
  static final int SESSIONS = 16;
  static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path dir;

  final ExecutorService threads = Executors.newCachedThreadPool();
  final List<AutoCloseable> opened = new ArrayList<>();
  final List<MemberGrid> members = new ArrayList<>();
  List<HostPort> nodes;
  LocalViews views;

  @AfterEach
  void close() throws Exception {
    threads.shutdownNow();
    if (views != null) {
      views.close();
    }
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  static List<HostPort> freeAddresses(int count) throws IOException {
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

  NodeSettings settings(int node) {
    return settings("test", node);
  }

  NodeSettings settings(String grid, int node) {
    return NodeSettings.of(grid, nodes.size(), nodes.get(node), dir.resolve("node" + node))
        .withKeys(keys(SESSIONS));
  }

  static KeySettings keys(int sessions) {
    return new KeySettings(sessions, 4096, 16 << 20);
  }

  void choosePlaces(int count) throws IOException {
    nodes = freeAddresses(count);
    views =
        LocalViews.open(
            count,
            KiteSettings.NODES_MAX,
            dir.resolve("views"),
            System::nanoTime,
            TcpGridFixture::daemon);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "views");
    thread.setDaemon(true);
    return thread;
  }

  void start() throws Exception {
    start(PortSecurity.NONE);
  }

  void start(PortSecurity security) throws Exception {
    choosePlaces(NODES);
    for (int node = 0; node < NODES; node++) {
      join(node, settings(node).withSecurity(security));
    }
    awaitServing();
  }

  MemberGrid join(int node, NodeSettings settings) {
    MemberGrid member =
        Grid.join(settings, views.membership(node, settings.home().address().toString()));
    opened.add(member);
    members.add(member);
    return member;
  }

  void awaitServing() throws InterruptedException {
    for (MemberGrid each : members) {
      assertTrue(each.awaitServing(PATIENCE), () -> "serves: " + each.failure());
    }
  }

  RemoteGrid connect(List<HostPort> to, TlsSettings tls) {
    RemoteGrid remote =
        Grid.connect(new RemoteGrid.Settings(to, "test", tls, Duration.ofSeconds(30)));
    opened.add(remote);
    return remote;
  }

  GridSession session(boolean remote) {
    GridSession session =
        remote ? connect(nodes, null).openSession() : members.get(0).openSession();
    opened.add(session);
    return session.timeout(PATIENCE);
  }

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, () -> "in time: " + what);
      LockSupport.parkNanos(200_000);
    }
  }
}
