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
package org.orcagrid.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a follower has acknowledged, a linearizable read at a busy leader shows. */
@Timeout(90)
class LinearizableReadsTest {
  private static final int FOLLOWER = 0;

  // The one with the highest number leads.
  private static final int LEADER = 2;

  private static final int CHILDREN = 1_500;
  private static final int BUSY_AT_ONCE = 8;
  private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("seconds", 1));

  @TempDir Path dir;

  private volatile int acknowledged;
  private volatile boolean over;
  private volatile Exception failure;

  @ParameterizedTest
  @ValueSource(strings = {"read=linearizable", "sync", "active-set"})
  void theyShowWhatWasAcknowledgedAtAFollower(String how) throws Exception {
    boolean awaitsMembers = how.equals("active-set");
    Map<String, String> settings =
        awaitsMembers ? Map.of("orca.replication", "active-set") : Map.of();
    try (EmbeddedEnsemble ensemble = new EmbeddedEnsemble(dir, 3, settings).start();
        ZooKeeper writer = EmbeddedEnsemble.connect(ensemble.connectString(FOLLOWER));
        ZooKeeper reader = EmbeddedEnsemble.connect(ensemble.connectString(LEADER));
        ZooKeeper busy = EmbeddedEnsemble.connect(ensemble.connectString(LEADER))) {
      create(writer, "/value", "0");
      createManyChildren(writer);
      boolean syncs = how.equals("sync");
      if (!syncs && !awaitsMembers) {
        reader.addAuthInfo("orca", how.getBytes(UTF_8));
      }
      Thread writing = new Thread(() -> write(writer));
      Thread listing = new Thread(() -> list(busy));
      writing.start();
      listing.start();
      List<String> stale = new ArrayList<>();
      long end = System.nanoTime() + RUN_NANOS;
      while (System.nanoTime() - end < 0 && failure == null) {
        int atLeast = acknowledged;
        if (syncs) {
          reader.sync("/value");
        }
        int seen = Integer.parseInt(new String(reader.getData("/value", false, null), UTF_8));
        if (seen < atLeast) {
          stale.add(seen + " after " + atLeast);
        }
      }
      over = true;
      writing.join();
      listing.join();
      assertEquals(null, failure);
      assertEquals(List.of(), stale);
      assertTrue(acknowledged > 0, "something was written");
    }
  }

  private static void create(ZooKeeper client, String path, String value)
      throws KeeperException, InterruptedException {
    client.create(path, value.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  private static void createManyChildren(ZooKeeper client) throws Exception {
    create(client, "/many", "");
    Semaphore created = new Semaphore(0);
    for (int i = 0; i < CHILDREN; i++) {
      client.create(
          "/many/a-child-with-a-name-that-takes-its-time-" + i,
          new byte[0],
          Ids.OPEN_ACL_UNSAFE,
          CreateMode.PERSISTENT,
          (code, path, context, name) -> created.release(),
          null);
    }
    created.acquire(CHILDREN);
  }

  private void write(ZooKeeper client) {
    try {
      for (int value = 1; !over; value++) {
        client.setData("/value", Integer.toString(value).getBytes(UTF_8), -1);
        acknowledged = value;
      }
    } catch (KeeperException | InterruptedException e) {
      failure = e;
    }
  }

  /** Keeps the leader's threads for reads busy. */
  private void list(ZooKeeper client) {
    Semaphore free = new Semaphore(BUSY_AT_ONCE);
    try {
      while (!over) {
        free.acquire();
        client.getChildren("/many", false, (code, path, context, names) -> free.release(), null);
      }
      free.acquire(BUSY_AT_ONCE);
    } catch (InterruptedException e) {
      failure = e;
    }
  }
}
