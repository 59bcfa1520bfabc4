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
package org.orcagrid.server.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TransportWish;
import org.orcagrid.transport.tcp.member.GridMember;
import org.orcagrid.transport.tcp.member.MemberSettings;

/** Three nodes that find each other through a server, and one that follows a lost one. */
@Timeout(120)
class EnsembleMembershipTest {
  private static final int SIZE = 3;
  private static final int KEYS = 2_000;

  /** Here all nodes leave in good order, so that nobody has to be waited for. */
  private static final long GONE_NANOS = 1;

  private static final long WAIT = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path dir;

  private final List<GridMember> members = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  // Each waits for the others, so none may wait for a thread.
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private OrcaServer server;

  @BeforeEach
  void start() throws Exception {
    server = OrcaServer.start(OrcaServerConfig.standalone(dir));
    List<CompletableFuture<GridMember>> joining = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      joining.add(CompletableFuture.supplyAsync(this::join, threads));
    }
    for (CompletableFuture<GridMember> each : joining) {
      members.add(each.get(60, TimeUnit.SECONDS));
    }
  }

  @AfterEach
  void stop() {
    members.forEach(GridMember::close);
    server.close();
    threads.shutdownNow();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private GridMember join() {
    try {
      HostPort address = new HostPort("127.0.0.1", freePort());
      MemberSettings.Joining joining =
          new MemberSettings.Joining(server.connectString(), SIZE, address);
      MemberSettings settings =
          new MemberSettings(
              "test",
              0,
              List.of(),
              1,
              16,
              10_000,
              4096,
              64 << 20,
              PortSecurity.NONE,
              joining,
              TransportWish.TCP);
      return GridMember.join(
          settings,
          new EnsembleMembership(server.connectString(), "test", SIZE, GONE_NANOS),
          LinkListener.NONE,
          failures::add,
          waitsFor -> {});
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static Request run(
      LocalSession session, OperationKind kind, String key, String value, long delta) {
    Request request = session.next();
    request.kind(kind);
    request.key().set(text(key));
    request.value().set(value == null ? null : text(value));
    request.delta(delta);
    session.submit(request);
    assertTrue(session.await(request, WAIT), "in time");
    assertEquals(Outcome.DONE, request.outcome());
    return request;
  }

  private static String acquire(LocalSession session, String key) {
    byte[] read = run(session, OperationKind.ACQUIRE, key, null, 0).result().toArray();
    return read == null ? null : new String(read, StandardCharsets.UTF_8);
  }

  private GridMember at(int place) {
    return members.stream().filter(each -> each.settings().self() == place).findAny().orElseThrow();
  }

  @Test
  void aNodeThatFollowsALostOneCarriesWhatWasWritten() {
    try (LocalSession session = at(0).openSession()) {
      for (int i = 0; i < KEYS; i++) {
        run(session, OperationKind.WRITE, "key" + i, "value" + i, 0);
      }
      run(session, OperationKind.RELEASE, "flag", "up", 0);
      run(session, OperationKind.GET_AND_ADD, "sum", null, 5);
      at(1).close();
      members.remove(at(1));
      // A majority goes on while nobody is at the place.
      run(session, OperationKind.GET_AND_ADD, "sum", null, 5);
      run(session, OperationKind.WRITE, "key0", "later", 0);
      run(session, OperationKind.RELEASE, "flag", "higher", 0);
      GridMember follower = join();
      members.add(follower);
      assertEquals(1, follower.settings().self());
      try (LocalSession there = follower.openSession()) {
        assertEquals("higher", acquire(there, "flag"), "it has caught up");
      }
    }
    // Now the one that has written is lost, too.
    at(0).close();
    members.remove(at(0));
    try (LocalSession there = at(1).openSession()) {
      assertEquals("higher", acquire(there, "flag"));
      assertEquals("later", acquire(there, "key0"));
      for (int i = 1; i < KEYS; i++) {
        assertEquals("value" + i, acquire(there, "key" + i));
      }
      Request sum = run(there, OperationKind.GET_AND_ADD, "sum", null, 1);
      assertEquals(10, sum.result().buffer().getLong(0));
    }
  }

  @Test
  void aGridWhoseNodesAreAllGoneBeginsAnew() throws Exception {
    try (LocalSession session = at(0).openSession()) {
      run(session, OperationKind.RELEASE, "flag", "up", 0);
    }
    Stat before = statOfView();
    members.forEach(GridMember::close);
    members.clear();
    List<CompletableFuture<GridMember>> joining = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      joining.add(CompletableFuture.supplyAsync(this::join, threads));
    }
    for (CompletableFuture<GridMember> each : joining) {
      members.add(each.get(60, TimeUnit.SECONDS));
    }
    try (LocalSession session = at(2).openSession()) {
      assertNull(acquire(session, "flag"), "what it held is gone with all of its nodes");
    }
    Stat after = statOfView();
    assertEquals(before.getCzxid(), after.getCzxid(), "it is the same node of the server");
    assertTrue(
        after.getVersion() > before.getVersion(), "who has met the old view cannot change it");
  }

  private Stat statOfView() throws Exception {
    try (ZooKeeper client = new ZooKeeper(server.connectString(), 10_000, event -> {})) {
      return client.exists("/orca-grid/test/view", false);
    }
  }
}
