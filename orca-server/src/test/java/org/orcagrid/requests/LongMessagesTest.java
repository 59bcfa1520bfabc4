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
package org.orcagrid.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.jute.BinaryInputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.EmbeddedEnsemble;

/** What is longer than {@code jute.maxbuffer}, with stock clients. */
@Timeout(240)
class LongMessagesTest {
  private static final int SERVERS = 3;
  private static final int FOLLOWER = 0;

  // The one with the highest number leads.
  private static final int LEADER = SERVERS - 1;

  private static final int TOO_LONG = BinaryInputArchive.maxBuffer + 1;
  private static final byte[] SMALL = new byte[100];
  private static final int WAIT_SECONDS_MAX = 60;

  @TempDir Path dir;

  private EmbeddedEnsemble ensemble;
  private String before;

  /** States of the clients' connections that are not the usual ones. */
  private final Queue<KeeperState> lost = new ConcurrentLinkedQueue<>();

  void start(String factory) throws Exception {
    before = System.getProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY);
    System.setProperty(
        ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY,
        "org.apache.zookeeper.server." + factory + "ServerCnxnFactory");
    // On a busy machine a server may miss its lease for a while: then reads wait for it.
    ensemble = new EmbeddedEnsemble(dir, SERVERS, Map.of("orca.readHoldMs", "60000")).start();
    EmbeddedEnsemble.connect(ensemble.connectString(LEADER)).close();
  }

  @AfterEach
  void stop() {
    ensemble.close();
    if (before == null) {
      System.clearProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY);
    } else {
      System.setProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, before);
    }
  }

  private ZooKeeper connect(int server, int replyBytesMax) throws Exception {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.JUTE_MAXBUFFER, Integer.toString(replyBytesMax));
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            ensemble.connectString(server),
            30_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              } else if (event.getState() != KeeperState.Closed) {
                lost.add(event.getState());
              }
            },
            config);
    assertTrue(connected.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
    return client;
  }

  private static void create(ZooKeeper client, String path, CreateMode mode)
      throws KeeperException, InterruptedException {
    client.create(path, SMALL, Ids.OPEN_ACL_UNSAFE, mode);
  }

  private void refusesInOrder(int server) throws Exception {
    String path = Burst.newName();
    long counted = ensemble.role(server).sizes().requests();
    try (ZooKeeper client = connect(server, TOO_LONG)) {
      create(client, path, CreateMode.PERSISTENT);
      byte[] large = new byte[TOO_LONG];
      List<String> answers = new ArrayList<>();
      CompletableFuture<Void> last = new CompletableFuture<>();
      client.setData(path, SMALL, -1, (rc, at, context, stat) -> answers.add("1:" + rc), null);
      client.setData(path, large, -1, (rc, at, context, stat) -> answers.add("2:" + rc), null);
      client.multi(
          List.of(Op.check(path, 1), Op.setData(path, large, -1)),
          (rc, at, context, results) -> answers.add("3:" + rc),
          null);
      client.getData(
          path,
          false,
          (rc, at, context, data, stat) -> answers.add("4:" + rc + " v" + stat.getVersion()),
          null);
      client.create(
          path + "/c",
          large,
          Ids.OPEN_ACL_UNSAFE,
          CreateMode.PERSISTENT,
          (rc, at, context, name) -> answers.add("5:" + rc),
          null);
      client.setData(
          path,
          SMALL,
          -1,
          (rc, at, context, stat) -> {
            answers.add("6:" + rc + " v" + stat.getVersion());
            last.complete(null);
          },
          null);
      last.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
      assertEquals(List.of("1:0", "2:-8", "3:-8", "4:0 v1", "5:-8", "6:0 v2"), answers);
      KeeperException refusal =
          assertThrows(KeeperException.class, () -> client.setData(path, large, -1));
      assertEquals(Code.BADARGUMENTS, refusal.code());
      assertTrue(refusal.getMessage().contains(path), refusal.getMessage());
      // The longest that there is.
      client.setData(path, new byte[BinaryInputArchive.maxBuffer - path.length() - 20], -1);
    }
    assertEquals(List.of(), List.copyOf(lost));
    assertEquals(counted + 4, ensemble.role(server).sizes().requests());
  }

  private void closesWhatIsMuchTooLongAfter(int counted) throws IOException {
    try (RawClient client = new RawClient(Burst.port(ensemble.connectString(FOLLOWER)))) {
      client.send(OpCode.create, Bodies.create(Burst.newName(), 0));
      client.flush();
      assertEquals(List.of(0), Burst.answers(client, 1));
      client.begin(OpCode.create, Bodies.create(Burst.newName(), 0), Integer.MAX_VALUE);
      client.flush();
      assertThrowsAny(client);
    }
    assertEquals(counted + 1, ensemble.role(FOLLOWER).sizes().requests());
  }

  private static void assertThrowsAny(RawClient client) {
    IOException end = assertThrows(IOException.class, client::answer);
    assertTrue(end instanceof EOFException || end instanceof SocketException, end.toString());
  }

  /** Of the answers, those are counted that a client with the servers' limit could not read. */
  private void countsLongAnswers() throws Exception {
    String path = Burst.newName();
    try (ZooKeeper client = connect(FOLLOWER, 4 * TOO_LONG)) {
      create(client, path, CreateMode.PERSISTENT);
      fill(client, path, 600, CreateMode.PERSISTENT);
      assertEquals(600, client.getChildren(path, false).size());
      assertEquals(600, client.getChildren(path, false, new Stat()).size());
      client.getData(path, false, new Stat());
    }
    assertEquals(2, ensemble.role(FOLLOWER).sizes().replies());
  }

  private static void fill(ZooKeeper client, String path, int count, CreateMode mode)
      throws Exception {
    CountDownLatch created = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      client.create(
          path + "/" + "x".repeat(2000) + i,
          new byte[0],
          Ids.OPEN_ACL_UNSAFE,
          mode,
          (rc, at, context, name) -> created.countDown(),
          null);
    }
    assertTrue(created.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
  }

  @Nested
  class WithNio {
    @BeforeEach
    void begin() throws Exception {
      start("NIO");
    }

    @Test
    void aRequestThatIsTooLongIsRefusedInItsPlace() throws Exception {
      refusesInOrder(FOLLOWER);
      refusesInOrder(LEADER);
      closesWhatIsMuchTooLongAfter(4);
    }

    @Test
    void anAnswerThatIsTooLongIsCounted() throws Exception {
      countsLongAnswers();
    }

    /** Stock's leader proposes what no follower can read, again and again. */
    @Test
    void aSessionEndsWhoseNodesHaveNoRoomInATransaction() throws Exception {
      String path = Burst.newName();
      try (ZooKeeper client = connect(FOLLOWER, 4 * TOO_LONG)) {
        create(client, path, CreateMode.PERSISTENT);
        ZooKeeper owner = connect(FOLLOWER, TOO_LONG);
        try (owner) {
          fill(owner, path, 1100, CreateMode.EPHEMERAL);
        }
        for (int server = 0; server < SERVERS; server++) {
          try (ZooKeeper other = connect(server, TOO_LONG)) {
            other.sync(path);
            assertEquals(List.of(), other.getChildren(path, false), "server " + server);
          }
        }
        create(client, path + "/after", CreateMode.PERSISTENT);
      }
      long refused = 0;
      for (int server = 0; server < SERVERS; server++) {
        // Only the leader counts it.
        refused += ensemble.role(server).sizes().transactions();
      }
      assertEquals(1, refused);
      assertEquals(List.of(), List.copyOf(lost));
    }
  }

  @Nested
  class WithNetty {
    @BeforeEach
    void begin() throws Exception {
      start("Netty");
    }

    @Test
    void aRequestThatIsTooLongIsRefusedInItsPlace() throws Exception {
      refusesInOrder(FOLLOWER);
      refusesInOrder(LEADER);
      closesWhatIsMuchTooLongAfter(4);
    }

    @Test
    void anAnswerThatIsTooLongIsCounted() throws Exception {
      countsLongAnswers();
    }
  }
}
