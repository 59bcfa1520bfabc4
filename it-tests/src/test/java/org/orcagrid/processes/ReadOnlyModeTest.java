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
package org.orcagrid.processes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.proto.ConnectRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ServerProgram;

/**
 * A server without a quorum answers clients that ask for read-only sessions, from what its own log
 * has forced, and nobody else; when the others are back all goes on.
 */
@Timeout(120)
class ReadOnlyModeTest {
  private static final int SESSION_TIMEOUT_MS = 10_000;
  private static final String WARNING = "readonlymode.enabled=true: without a quorum";

  @TempDir Path dir;

  /** One of three has no quorum. What it shows then does not depend on how it was switched on. */
  @Test
  void asAPropertyOfTheJvm() throws Exception {
    ServerProgram program =
        Programs.orca(lazy()).withJvmFlags(List.of("-Dreadonlymode.enabled=true"));
    Map<String, String> keys = Map.of("localSessionsEnabled", "true");
    try (TestEnsemble ensemble = TestEnsemble.prepare(dir, 3, program, keys)) {
      ensemble.start(1);
      awaitReadOnly(ensemble, 1);
      try (ZooKeeper client = connectReadOnly(ensemble, 1)) {
        assertEquals(List.of("zookeeper"), client.getChildren("/", false));
      }
      assertFalse(anOrdinaryClientConnects(ensemble, 1), "an ordinary client got a session");
      assertEquals(1, ensemble.logged(1, WARNING), ensemble::logs);
    }
  }

  @Test
  void asAKeyOfZooCfg() throws Exception {
    play(
        Programs.orca(lazy()),
        Map.of("localSessionsEnabled", "true", "readonlymode.enabled", "true"));
  }

  /** Nothing is forced in time for the test unless something asks for it. */
  private static Map<String, String> lazy() {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.put("flushIntervalMs", "60000");
    // What a process has not forced is gone when it is killed, as after a power cut.
    settings.put("test.loseUnforced", "true");
    return settings;
  }

  private void play(ServerProgram program, Map<String, String> keys) throws Exception {
    try (TestEnsemble ensemble = TestEnsemble.prepare(dir, 3, program, keys).startAll()) {
      int leader = ensemble.awaitServing();
      int kept = leader % 3 + 1;
      int other = kept % 3 + 1;
      try (ZooKeeper client = ensemble.connect(kept)) {
        client.create("/seen", "a".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertEquals("a", text(client, "/seen"));
        // Logged here when it is answered here, and never read: nobody has it on disk.
        client.create("/unread", "b".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      }
      ensemble.killTogether(leader, other);
      awaitReadOnly(ensemble, kept);

      boolean shown = lookReadOnly(ensemble, kept);
      assertFalse(anOrdinaryClientConnects(ensemble, kept), "an ordinary client got a session");

      // What was shown was forced: it is there after a kill that loses all else.
      ensemble.kill(kept);
      ensemble.start(kept);
      awaitReadOnly(ensemble, kept);
      assertEquals(shown, lookReadOnly(ensemble, kept));
      assertEquals(1, ensemble.logged(leader, WARNING), ensemble::logs);

      ensemble.start(leader);
      ensemble.start(other);
      ensemble.awaitServing();
      try (ZooKeeper client = ensemble.connect(kept)) {
        assertEquals("a", text(client, "/seen"));
        client.setData("/seen", "c".getBytes(UTF_8), 0);
        assertEquals("c", text(client, "/seen"));
      }
    }
  }

  private static void awaitReadOnly(TestEnsemble ensemble, int id) throws Exception {
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> ensemble.role(id).equals("read-only"),
        () -> "server " + id + " is not read-only: " + ensemble.logs());
  }

  /** Reads and tries to write in a read-only session; returns whether the unread write is there. */
  private static boolean lookReadOnly(TestEnsemble ensemble, int id) throws Exception {
    try (ZooKeeper client = connectReadOnly(ensemble, id)) {
      assertEquals("a", text(client, "/seen"));
      assertThrows(
          KeeperException.NotReadOnlyException.class,
          () -> client.create("/refused", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
      return client.exists("/unread", false) != null;
    }
  }

  private static ZooKeeper connectReadOnly(TestEnsemble ensemble, int id) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    Set<KeeperState> states = ConcurrentHashMap.newKeySet();
    ZooKeeper client =
        new ZooKeeper(
            ensemble.connectString(id),
            SESSION_TIMEOUT_MS,
            event -> {
              states.add(event.getState());
              if (event.getState() == KeeperState.ConnectedReadOnly) {
                connected.countDown();
              }
            },
            true);
    if (!connected.await(30, TimeUnit.SECONDS)) {
      client.close();
      fail("no read-only session but " + states + ": " + ensemble.logs());
    }
    return client;
  }

  /** Whether the server answers the first message of a client that did not ask for read-only. */
  private static boolean anOrdinaryClientConnects(TestEnsemble ensemble, int id) throws Exception {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    BinaryOutputArchive archive = BinaryOutputArchive.getArchive(message);
    new ConnectRequest(0, 0, SESSION_TIMEOUT_MS, 0, new byte[16], false).serialize(archive, "");
    int port = Integer.parseInt(ensemble.connectString(id).replaceFirst(".*:", ""));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) TestEnsemble.SERVING_LIMIT.toMillis());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(message.size());
      message.writeTo(out);
      out.flush();
      return socket.getInputStream().read() >= 0;
    }
  }

  private static String text(ZooKeeper client, String path) throws Exception {
    return new String(client.getData(path, false, null), UTF_8);
  }
}
