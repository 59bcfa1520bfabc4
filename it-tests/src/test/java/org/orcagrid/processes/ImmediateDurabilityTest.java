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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The four ways of asking for immediate durability, on the leader and through a follower: when the
 * answer is there, the durable-index of the server that gave it has reached the write, and a
 * majority has it on disk. A plain write is answered before.
 *
 * <p>The servers flush in the background once a minute, which is longer than the test, so that
 * nothing becomes durable unless somebody asks.
 */
@Timeout(120)
class ImmediateDurabilityTest {
  private static final String FLUSH_ONCE_A_MINUTE = "60000";
  private static final int MAJORITY = 2;
  private static final String PLAIN = "/plain";
  private static final String IMMEDIATE = "/locks";

  @TempDir static Path dir;

  private static TestEnsemble ensemble;
  private static int leader;

  /** The way to ask. */
  private enum Way {
    PATH,
    SYNC,
    SESSION,
    MULTI
  }

  @BeforeAll
  static void startServers() throws Exception {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.put("flushIntervalMs", FLUSH_ONCE_A_MINUTE);
    settings.put("immediatePaths", IMMEDIATE);
    // A write that is shown late is durable when it is answered.
    settings.put("visibility", "early");
    ensemble = TestEnsemble.prepare(dir, 3, Programs.orca(settings), Map.of()).startAll();
    leader = ensemble.awaitServing();
    try (ZooKeeper client = ensemble.connect(leader)) {
      for (String path : List.of(PLAIN, IMMEDIATE)) {
        client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      }
    }
  }

  @AfterAll
  static void endServers() {
    ensemble.close();
  }

  private static int server(String role) {
    return role.equals("leader") ? leader : leader % 3 + 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"leader", "follower"})
  void aPlainWriteIsAnsweredBeforeItIsDurable(String role) throws Exception {
    int server = server(role);
    try (ZooKeeper client = ensemble.connect(server)) {
      // What other sessions wrote there is durable from here on.
      client.sync(PLAIN);
      for (int i = 0; i < 5; i++) {
        assertNotDurable(server, client.setData(PLAIN, new byte[1], -1).getMzxid());
      }
      assertNotDurable(server, create(client, PLAIN + "/" + role, CreateMode.PERSISTENT));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leader", "follower"})
  void aSequentialNameIsAnsweredOnceItIsDurable(String role) throws Exception {
    int server = server(role);
    try (ZooKeeper client = ensemble.connect(server)) {
      assertDurable(server, create(client, PLAIN + "/n", CreateMode.PERSISTENT_SEQUENTIAL));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leader", "follower"})
  void aPlainWriteIsAnsweredOnceWhatOthersWroteThereIsDurable(String role) throws Exception {
    int server = server(role);
    try (ZooKeeper one = ensemble.connect(server);
        ZooKeeper other = ensemble.connect(server)) {
      one.sync(PLAIN);
      long shown = one.setData(PLAIN, new byte[1], -1).getMzxid();
      assertNotDurable(server, shown);
      other.setData(PLAIN, new byte[1], -1);
      assertDurable(server, shown);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PATH,leader", "PATH,follower",
    "SYNC,leader", "SYNC,follower",
    "SESSION,leader", "SESSION,follower",
    "MULTI,leader", "MULTI,follower"
  })
  void whoAsksGetsItsAnswerOnceTheWriteIsDurable(Way way, String role) throws Exception {
    int server = server(role);
    try (ZooKeeper client = ensemble.connect(server)) {
      client.sync(PLAIN);
      assertNotDurable(server, client.setData(PLAIN, new byte[1], -1).getMzxid());
      assertDurable(server, write(client, way, role));
      // The way asked for one write, or was taken back: what follows is plain again.
      assertNotDurable(server, client.setData(PLAIN, new byte[1], -1).getMzxid());
    }
  }

  /** Writes and returns the write's index, when it has been answered as durable. */
  private static long write(ZooKeeper client, Way way, String role) throws Exception {
    switch (way) {
      case PATH -> {
        return create(client, IMMEDIATE + "/" + role, CreateMode.PERSISTENT);
      }
      case SYNC -> {
        long zxid = client.setData(PLAIN, new byte[2], -1).getMzxid();
        client.sync(PLAIN);
        return zxid;
      }
      case SESSION -> {
        client.addAuthInfo("orca", "durability=sync".getBytes(UTF_8));
        long zxid = client.setData(PLAIN, new byte[2], -1).getMzxid();
        client.addAuthInfo("orca", "durability=default".getBytes(UTF_8));
        return zxid;
      }
      case MULTI -> {
        List<OpResult> results =
            client.multi(List.of(Op.check("/zookeeper", -1), Op.setData(PLAIN, new byte[2], -1)));
        return ((OpResult.SetDataResult) results.get(1)).getStat().getMzxid();
      }
    }
    throw new IllegalStateException(way.name());
  }

  private static long create(ZooKeeper client, String path, CreateMode mode) throws Exception {
    Stat stat = new Stat();
    client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode, stat);
    return stat.getCzxid();
  }

  private static void assertDurable(int server, long zxid) throws IOException {
    long durable = ensemble.monitor(server, "zk_orca_durable_index");
    assertTrue(durable >= zxid, () -> "answered with 0x" + Long.toHexString(durable));
    assertTrue(serversWithItOnDisk(zxid) >= MAJORITY, "on the disks of a majority");
  }

  private static void assertNotDurable(int server, long zxid) throws IOException {
    long durable = ensemble.monitor(server, "zk_orca_durable_index");
    assertTrue(
        durable < zxid,
        () ->
            "0x%x was answered with the durable-index at 0x%x; %s"
                .formatted(zxid, durable, ensemble.logs()));
    // The last of the flushes that were asked for before may come late and take more along.
    assertTrue(serversWithItOnDisk(zxid) < MAJORITY, "not on the disks of a majority");
  }

  private static long serversWithItOnDisk(long zxid) throws IOException {
    long count = 0;
    for (int id : ensemble.all()) {
      count += ensemble.monitor(id, "zk_orca_persisted_index") >= zxid ? 1 : 0;
    }
    return count;
  }
}
