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
package org.orcagrid.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.server.EmbeddedEnsemble;
import org.orcagrid.server.role.OrcaRole;

/**
 * What the answers to successful writes show is there after a power cut of all servers. Nothing is
 * flushed in the background here, so that all that nobody waited for is lost.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class WriteAnswersPowerCutTest {
  private static final int SERVERS = 3;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final byte[] DATA = {1};
  private static final String PARENT = "/tokens";
  private static final String NODE = "/node";

  @TempDir Path dir;

  private final List<ForgetfulStorage> disks = new ArrayList<>();
  private EmbeddedEnsemble ensemble;

  /** The ways to have a sequential name. */
  enum Way {
    CREATE {
      @Override
      String create(ZooKeeper client) throws KeeperException, InterruptedException {
        return client.create(PREFIX, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
      }
    },
    CREATE_WITH_STAT {
      @Override
      String create(ZooKeeper client) throws KeeperException, InterruptedException {
        return client.create(
            PREFIX, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL, new Stat());
      }
    },
    MULTI {
      @Override
      String create(ZooKeeper client) throws KeeperException, InterruptedException {
        Op create = Op.create(PREFIX, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
        return ((OpResult.CreateResult) client.multi(List.of(create)).get(0)).getPath();
      }
    };

    private static final String PREFIX = PARENT + "/t-";

    abstract String create(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      disks.add(new ForgetfulStorage(false));
    }
    ensemble =
        new EmbeddedEnsemble(
                dir,
                SERVERS,
                Map.of(
                    "orca.flushIntervalMs",
                    "60000",
                    "orca.heartbeatMs",
                    "20",
                    "orca.markOutMs",
                    "60",
                    "orca.removalMs",
                    "300"))
            .adjusted(ForgetfulStorage.beneath(disks))
            .start();
    try (ZooKeeper client = connect()) {
      client.addAuthInfo("orca", "durability=sync".getBytes(UTF_8));
      client.create(PARENT, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      client.create(NODE, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
  }

  @AfterEach
  void stop() {
    ensemble.close();
  }

  private ZooKeeper connect() throws Exception {
    return EmbeddedEnsemble.connect(ensemble.connectString());
  }

  /** Else a flush that was asked for earlier may come late, and take later writes along. */
  private void forceAllLogs() {
    for (int i = 0; i < SERVERS; i++) {
      OrcaRole role = ensemble.role(i);
      while (role == null) {
        LockSupport.parkNanos(POLL_NANOS);
        role = ensemble.role(i);
      }
      long durable = role.durableIndex();
      role.flush(durable);
      while (role.persisted() < durable) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  /** All servers lose their power, all that they have not forced, and come back. */
  private void cutPower() throws Exception {
    disks.forEach(ForgetfulStorage::powerCut);
    for (int i = 0; i < SERVERS; i++) {
      ensemble.stop(i);
    }
    Random losingAll =
        new Random() {
          private static final long serialVersionUID = 1;

          @Override
          public int nextInt(int bound) {
            return 0;
          }
        };
    for (ForgetfulStorage disk : disks) {
      disk.lose(losingAll);
    }
    for (int i = 0; i < SERVERS; i++) {
      ensemble.start(i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void noSequentialNameIsGivenTwice(Way way) throws Exception {
    String first;
    try (ZooKeeper client = connect()) {
      first = way.create(client);
      cutPower();
    }
    try (ZooKeeper client = connect()) {
      String second = way.create(client);
      assertTrue(second.compareTo(first) > 0, () -> first + ", and after the power cut " + second);
    }
  }

  @Test
  void theStatOfASuccessfulWriteShowsNoWritesOfOthersThatAreLost() throws Exception {
    int shown;
    try (ZooKeeper one = connect();
        ZooKeeper other = connect()) {
      for (int i = 0; i < 3; i++) {
        one.setData(NODE, DATA, -1);
      }
      shown = other.setData(NODE, DATA, -1).getVersion() - 1;
      assertEquals(3, shown);
      cutPower();
    }
    try (ZooKeeper client = connect()) {
      int version = client.exists(NODE, false).getVersion();
      assertTrue(version >= shown, () -> shown + " was shown, and now it is " + version);
    }
  }

  @Test
  void aSessionWritesItsOwnNodeWithoutWaiting() throws Exception {
    try (ZooKeeper client = connect()) {
      forceAllLogs();
      for (int i = 0; i < 3; i++) {
        assertEquals(i + 1, client.setData(NODE, DATA, -1).getVersion());
      }
      cutPower();
    }
    try (ZooKeeper client = connect()) {
      assertEquals(0, client.exists(NODE, false).getVersion(), "the disks have lost nothing");
    }
  }
}
