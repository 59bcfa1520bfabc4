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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.util.ServiceUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.server.EmbeddedEnsemble;
import org.orcagrid.server.log.LogStorage;

/**
 * Requests that no server can make anything of, between sound ones that wait for slow disks: each
 * is refused in its session's order, and every server goes on with the same tree.
 */
@Timeout(120)
class MalformedRequestsTest {
  private static final int SERVERS = 3;
  private static final int FOLLOWER = 0;

  // The one with the highest number leads.
  private static final int LEADER = SERVERS - 1;

  private static final int PAIRS = 30;
  private static final long FORCE_DELAY_NANOS = 3_000_000;

  @TempDir static Path dir;

  private static EmbeddedEnsemble ensemble;

  /** What servers would have ended the process with. */
  private static final Queue<Integer> exits = new ConcurrentLinkedQueue<>();

  private static int ensembles;

  @BeforeAll
  static void start() throws Exception {
    ServiceUtils.setSystemExitProcedure(exits::add);
    ensembles++;
    ensemble =
        new EmbeddedEnsemble(
                dir.resolve("ensemble" + ensembles),
                SERVERS,
                Map.of(
                    "orca.durability", "sync", "orca.replication", "sync", "orca.readers", "all"))
            .adjusted(
                config ->
                    config.withStorage(LogStorage.slower(LogStorage.files(), FORCE_DELAY_NANOS)))
            .start();
    EmbeddedEnsemble.connect(ensemble.connectString()).close();
  }

  /** What ends a server is told of the test that did it, and the next test has new ones. */
  @AfterEach
  void allServersServe() throws Exception {
    List<Integer> codes = List.copyOf(exits);
    if (!codes.isEmpty()) {
      ensemble.close();
      exits.clear();
      start();
    }
    assertEquals(List.of(), codes, "servers have ended");
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      checkThatAllAgree();
    } finally {
      ensemble.close();
      ServiceUtils.setSystemExitProcedure(ServiceUtils.SYSTEM_EXIT);
    }
  }

  private static void checkThatAllAgree() throws Exception {
    List<Map<String, List<Object>>> trees = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString(i))) {
        client.sync("/", (code, path, context) -> {}, null);
        Map<String, List<Object>> tree = new TreeMap<>();
        read(client, "/", tree);
        trees.add(tree);
      }
    }
    assertEquals(trees.get(0), trees.get(1));
    assertEquals(trees.get(0), trees.get(2));
  }

  private static void read(ZooKeeper client, String path, Map<String, List<Object>> into)
      throws KeeperException, InterruptedException {
    if (path.equals(ZooDefs.CONFIG_NODE)) {
      return; // each server writes it when it starts
    }
    Stat stat = new Stat();
    byte[] data = client.getData(path, false, stat);
    into.put(path, List.of(Arrays.toString(data), stat, client.getACL(path, new Stat())));
    for (String child : client.getChildren(path, false)) {
      read(client, path.equals("/") ? "/" + child : path + "/" + child, into);
    }
  }

  private static int port(int server) {
    return Burst.port(ensemble.connectString(server));
  }

  static Stream<Arguments> undecodable() throws IOException {
    return Bodies.undecodable().entrySet().stream()
        .flatMap(
            each ->
                Stream.of(FOLLOWER, LEADER)
                    .map(
                        server ->
                            Arguments.of(
                                each.getKey(),
                                server,
                                each.getValue().getKey(),
                                each.getValue().getValue())));
  }

  @ParameterizedTest(name = "{0} at server {1}")
  @MethodSource("undecodable")
  void whatCannotBeDecodedIsRefusedInOrder(
      String name, int server, int type, List<byte[]> malformed) throws IOException {
    Burst.expectRefusals(port(server), PAIRS, type, malformed);
  }

  @ParameterizedTest
  @ValueSource(ints = {FOLLOWER, LEADER})
  void nothingIsPlannedOnWhatAFailedMultiWouldHaveDone(int server) throws IOException {
    try (RawClient client = new RawClient(port(server))) {
      String parent = Burst.newName();
      client.send(OpCode.create, Bodies.create(parent, 0));
      client.send(OpCode.create, Bodies.create(parent + "/child", 0));
      client.send(
          OpCode.multi,
          Bodies.multi(
              new Bodies.Part(OpCode.delete, new DeleteRequest(parent + "/child", -1)),
              new Bodies.Part(
                  OpCode.create,
                  new CreateRequest(parent + "/other", new byte[0], Bodies.aclOfNobody(), 0))));
      client.send(OpCode.delete, Bodies.delete(parent));
      client.flush();
      List<Integer> errors = Burst.answers(client, 4);
      assertEquals(Code.NOTEMPTY.intValue(), errors.get(3));
    }
  }

  /** Each is well formed and asks for what the servers could not apply, or not all alike. */
  static Stream<Arguments> inapplicable() throws IOException {
    List<ACL> open = Ids.OPEN_ACL_UNSAFE;
    byte[] data = {'x'};
    return Stream.of(
        Arguments.of(
            "TTL without the mode",
            OpCode.createTTL,
            RawClient.bytes(new CreateTTLRequest("/ttl", data, open, 0, -1)),
            Code.BADARGUMENTS),
        Arguments.of(
            "container that is ephemeral",
            OpCode.createContainer,
            Bodies.create("/container", 1),
            Code.BADARGUMENTS),
        Arguments.of(
            "limit of no path",
            OpCode.create,
            Bodies.create("/zookeeper/quota/zookeeper_limits", 0),
            Code.BADARGUMENTS),
        Arguments.of(
            "limit beside the quotas",
            OpCode.create,
            Bodies.create("/zookeeper/zookeeper_limits", 0),
            Code.BADARGUMENTS),
        Arguments.of(
            "quota without numbers",
            OpCode.create,
            Bodies.create("/zookeeper/quota/q/zookeeper_stats", 0),
            Code.BADARGUMENTS),
        Arguments.of(
            "identity that transactions cannot carry",
            OpCode.create,
            Bodies.createWithIdentityBeyondThePlane("/acl"),
            Code.INVALIDACL));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("inapplicable")
  void whatNotAllServersCouldApplyAlikeIsRefused(String name, int type, byte[] body, Code expected)
      throws IOException {
    try (RawClient client = new RawClient(port(FOLLOWER))) {
      client.send(OpCode.create, Bodies.create("/zookeeper/quota/q", 0));
      client.send(type, body);
      client.send(OpCode.create, Bodies.create(Burst.newName(), 0));
      client.flush();
      List<Integer> errors = Burst.answers(client, 3);
      assertEquals(expected.intValue(), errors.get(1));
      assertEquals(Code.OK.intValue(), errors.get(2));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {FOLLOWER, LEADER})
  void whatOthersCouldNotReadIsRefused(int server) throws IOException {
    try (RawClient client = new RawClient(port(server))) {
      byte[] identity = ("x".repeat(700_000) + ":y").getBytes(UTF_8);
      client.send(OpCode.auth, RawClient.bytes(new AuthPacket(0, "digest", identity)));
      Id self = new Id("auth", "");
      List<ACL> acl = List.of(new ACL(1, self), new ACL(3, self), new ACL(7, self));
      client.send(
          OpCode.create, RawClient.bytes(new CreateRequest(Burst.newName(), new byte[0], acl, 0)));
      client.send(OpCode.create, Bodies.create(Burst.newName(), 0));
      client.flush();
      assertEquals(List.of(0, Code.BADARGUMENTS.intValue(), 0), Burst.answers(client, 3));
    }
  }

  /** As stock; what is planned is what the tree becomes. */
  @Test
  void aContainerMayBeNamedByItsOperationOrItsModeAlone() throws IOException {
    try (RawClient client = new RawClient(port(FOLLOWER))) {
      client.send(OpCode.create, Bodies.create(Burst.newName(), 4));
      client.send(OpCode.createContainer, Bodies.create(Burst.newName(), 0));
      client.send(OpCode.createContainer, Bodies.create(Burst.newName(), 4));
      client.flush();
      assertEquals(List.of(0, 0, 0), Burst.answers(client, 3));
    }
  }

  @Test
  void quotasAreSetAsEver() throws Exception {
    try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString(FOLLOWER))) {
      String path = Burst.newName();
      create(client, path, "");
      create(client, Quotas.quotaPath(path), "");
      create(client, Quotas.limitPath(path), "count=5,bytes=100");
      create(client, Quotas.statPath(path), "count=0,bytes=0");
      create(client, path + "/below", "");
      client.setData(
          Quotas.limitPath(path), "count=-1,bytes=-1=;byteHardLimit=9".getBytes(UTF_8), -1);
      client.setData(path + "/below", new byte[7], -1);
      StatsTrack used = new StatsTrack(client.getData(Quotas.statPath(path), false, null));
      assertEquals(2, used.getCount());
      assertEquals(7, used.getBytes());
      client.delete(Quotas.limitPath(path), -1);
    }
  }

  private static void create(ZooKeeper client, String path, String data)
      throws KeeperException, InterruptedException {
    client.create(path, data.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }
}
