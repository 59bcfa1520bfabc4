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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.system.FourLetterWords;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.cli.EnsembleProcesses;

/**
 * Each way of asking for immediate durability (docs/guarantees.md) moves the durable-index before
 * the answer comes, at the leader and through a follower; a plain write does not. Nothing is
 * flushed in the background here.
 */
@Timeout(120)
class ImmediateDurabilityTest {

  @TempDir Path folder;

  private EnsembleProcesses ensemble;
  private int leader;
  private ZooKeeper[] clients = {};

  @BeforeEach
  void start() throws Exception {
    ensemble =
        EnsembleProcesses.start(
            KillUnderLoadTest.spec(3, folder)
                .withSettings(
                    Map.of("orca.flushIntervalMs", "60000", "orca.immediatePaths", "/locks")));
    leader = ensemble.awaitServing(Clients.LIMIT);
    String follower = KillUnderLoadTest.addresses(ensemble).get(leader % 3);
    clients =
        new ZooKeeper[] {
          Clients.connect(KillUnderLoadTest.addresses(ensemble).get(leader - 1)),
          Clients.connect(follower)
        };
    create(clients[0], "/locks");
    create(clients[0], "/plain");
  }

  @AfterEach
  void stop() throws Exception {
    for (ZooKeeper client : clients) {
      client.close();
    }
    ensemble.close();
  }

  private static Stat create(ZooKeeper client, String path) throws Exception {
    Stat stat = new Stat();
    client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, stat);
    return stat;
  }

  private long durable() throws Exception {
    ServerAddress address = new ServerAddress("127.0.0.1", ensemble.member(leader).clientPort());
    return (long) Double.parseDouble(FourLetterWords.monitor(address).get("zk_orca_durable_index"));
  }

  private long lastPlainWrite(ZooKeeper client) throws Exception {
    return client.setData("/plain", "x".getBytes(UTF_8), -1).getMzxid();
  }

  @Test
  void aPlainWriteIsAnsweredBeforeItIsDurable() throws Exception {
    for (ZooKeeper client : clients) {
      long written = lastPlainWrite(client);
      assertTrue(durable() < written, "nothing has asked for it");
    }
  }

  @Test
  void writesBelowAConfiguredPath() throws Exception {
    for (ZooKeeper client : clients) {
      lastPlainWrite(client);
      long written = create(client, "/locks/" + client.getSessionId()).getCzxid();
      assertTrue(durable() >= written);
    }
  }

  @Test
  void writesOfASessionThatAskedForIt() throws Exception {
    for (ZooKeeper client : clients) {
      client.addAuthInfo("orca", "durability=sync".getBytes(UTF_8));
      long written = lastPlainWrite(client);
      assertTrue(durable() >= written);
    }
  }

  @Test
  void aMultiWithTheMarker() throws Exception {
    for (ZooKeeper client : clients) {
      lastPlainWrite(client);
      client.multi(
          List.of(Op.check("/zookeeper", -1), Op.setData("/plain", "m".getBytes(UTF_8), -1)));
      long durable = durable();
      assertTrue(durable >= client.exists("/plain", false).getMzxid());
    }
  }

  @Test
  void syncMakesAllBeforeItDurable() throws Exception {
    for (ZooKeeper client : clients) {
      long written = lastPlainWrite(client);
      CountDownLatch done = new CountDownLatch(1);
      int[] result = {-1};
      client.sync(
          "/",
          (rc, path, context) -> {
            result[0] = rc;
            done.countDown();
          },
          null);
      assertTrue(done.await(20, TimeUnit.SECONDS));
      assertEquals(0, result[0]);
      assertTrue(durable() >= written);
    }
  }

  @Test
  void aReadMakesWhatItShowsDurable() throws Exception {
    for (ZooKeeper client : clients) {
      long written = lastPlainWrite(client);
      assertEquals(written, client.exists("/plain", false).getMzxid());
      assertTrue(durable() >= written);
    }
  }
}
