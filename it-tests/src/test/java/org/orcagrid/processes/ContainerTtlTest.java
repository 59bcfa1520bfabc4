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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ServerProgram;

/**
 * The leader removes containers that have become empty and nodes whose time to live is over; after
 * a leader change the next one does. {@code -Dstock=true} runs the same scenario against stock
 * ZooKeeper.
 *
 * <p>Ours flushes in the background once a minute, so that a removal is durable only because
 * somebody has seen it.
 */
@Timeout(120)
class ContainerTtlTest {
  private static final List<String> FLAGS =
      List.of("-Dznode.container.checkIntervalMs=100", "-Dzookeeper.extendedTypesEnabled=true");

  private static final long SHORT_TTL_MS = 300;
  private static final long LONG_TTL_MS = 3_600_000;

  @TempDir Path dir;

  private TestEnsemble ensemble;
  private Kind kind;

  private enum Kind {
    STOCK,
    ORCA
  }

  private ServerProgram program() throws Exception {
    return switch (kind) {
      case STOCK -> Programs.stock(dir);
      case ORCA -> {
        Map<String, String> settings = new HashMap<>(Programs.CAD);
        settings.put("flushIntervalMs", "60000");
        yield Programs.orca(settings);
      }
    };
  }

  @Test
  void whatIsOverIsRemovedAlsoByTheNextLeader() throws Exception {
    kind = Kind.ORCA;
    run();
  }

  /** What the scenario expects is what stock ZooKeeper does; that does not change. */
  @Test
  @EnabledIfSystemProperty(
      named = "stock",
      matches = "true",
      disabledReason = "runs stock ZooKeeper: say -Dstock=true")
  void stockZooKeeperDoesTheSame() throws Exception {
    kind = Kind.STOCK;
    run();
  }

  private void run() throws Exception {
    try (TestEnsemble servers =
        TestEnsemble.prepare(dir.resolve("ensemble"), 3, program().withJvmFlags(FLAGS), Map.of())
            .startAll()) {
      ensemble = servers;
      int leader = servers.awaitServing();
      int follower = leader % 3 + 1;
      try (ZooKeeper client = servers.connect(follower)) {
        create(client, "/kept", CreateMode.PERSISTENT, -1);
        create(client, "/kept/never-used", CreateMode.CONTAINER, -1);
        create(client, "/kept/long", CreateMode.PERSISTENT_WITH_TTL, LONG_TTL_MS);
        removesWhatIsOver(client, follower, "/first");

        ZooKeeper owner = servers.connect(follower);
        create(client, "/inherited", CreateMode.CONTAINER, -1);
        create(owner, "/inherited/ephemeral", CreateMode.EPHEMERAL, -1);
        createTimedWithChild(client, "/timed");
        client.sync("/");
        servers.kill(leader);
        int next = servers.awaitServing(follower, follower % 3 + 1);
        assertTrue(next != leader);
        awaitThere(client, "/inherited");
        awaitThere(client, "/timed");
        awaitThere(owner, "/inherited/ephemeral");
        owner.close();
        client.delete("/timed/child", -1);
        awaitRemoved(client, "/inherited");
        awaitRemoved(client, "/timed");
        removesWhatIsOver(client, follower, "/second");
      }
      servers.start(leader);
      servers.awaitServing();
      for (int id : servers.all()) {
        assertShowsWhatIsLeft(id);
      }
    }
  }

  private void removesWhatIsOver(ZooKeeper client, int server, String parent) throws Exception {
    create(client, parent, CreateMode.PERSISTENT, -1);
    CountDownLatch deleted = new CountDownLatch(1);
    create(client, parent + "/container", CreateMode.CONTAINER, -1);
    create(client, parent + "/container/child", CreateMode.PERSISTENT, -1);
    client.exists(
        parent + "/container",
        event -> {
          if (event.getType() == EventType.NodeDeleted) {
            deleted.countDown();
          }
        });
    client.delete(parent + "/container/child", -1);
    assertTrue(deleted.await(20, TimeUnit.SECONDS), ensemble::logs);
    // The event tells of the removal: it must not be taken back from now on.
    assertRemovalIsDurable(client, server, parent);
    assertNull(client.exists(parent + "/container", false));

    create(client, parent + "/timed", CreateMode.PERSISTENT_WITH_TTL, SHORT_TTL_MS);
    awaitRemoved(client, parent + "/timed");
    assertRemovalIsDurable(client, server, parent);
  }

  /** The removal is the last change of the parent's children. */
  private void assertRemovalIsDurable(ZooKeeper client, int server, String parent)
      throws Exception {
    if (kind == Kind.ORCA) {
      long durable = ensemble.monitor(server, "zk_orca_durable_index");
      long removal = client.exists(parent, false).getPzxid();
      assertTrue(durable >= removal, () -> "seen before it was durable: " + removal);
    }
  }

  private void awaitRemoved(ZooKeeper client, String path) throws Exception {
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> client.exists(path, false) == null,
        () -> path + " is not removed; " + ensemble.logs());
  }

  /** The client finds its server again, and the node there. */
  private void awaitThere(ZooKeeper client, String path) throws Exception {
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> {
          try {
            assertNotNull(client.exists(path, false), path);
            return true;
          } catch (KeeperException.ConnectionLossException e) {
            return false;
          }
        },
        () -> "no connection; " + ensemble.logs());
  }

  private void assertShowsWhatIsLeft(int server) throws Exception {
    try (ZooKeeper client = ensemble.connect(server)) {
      client.sync("/");
      assertEquals(List.of("long", "never-used"), sorted(client, "/kept"));
      assertEquals(List.of("first", "kept", "second", "zookeeper"), sorted(client, "/"));
      assertEquals(List.of(), sorted(client, "/first"));
      assertEquals(List.of(), sorted(client, "/second"));
    }
  }

  private static List<String> sorted(ZooKeeper client, String path) throws Exception {
    return client.getChildren(path, false).stream().sorted().toList();
  }

  private static void create(ZooKeeper client, String path, CreateMode mode, long ttlMs)
      throws Exception {
    client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode, null, ttlMs);
  }

  /** In one step: alone, the node might be over before it has its child. */
  private static void createTimedWithChild(ZooKeeper client, String path) throws Exception {
    client.multi(
        List.of(
            Op.create(
                path,
                new byte[0],
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT_WITH_TTL.toFlag(),
                SHORT_TTL_MS),
            Op.create(path + "/child", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)));
  }
}
