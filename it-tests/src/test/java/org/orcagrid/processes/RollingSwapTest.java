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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ServerProgram;

/**
 * The way from stock ZooKeeper to ours and back that {@code docs/operations.md} describes, one
 * server at a time: modes off first, then the modes, then off again, then stock.
 *
 * <p>A client with one session goes through all of it. It may lose its connection; every other
 * error fails the test, the end of its session as well. What it has read stays. While all servers
 * have the modes, they are restarted one by one under clients who compare what they see.
 */
@Timeout(240)
class RollingSwapTest {
  private static final String NODE = "/counter";
  private static final int OPERATIONS_BETWEEN = 20;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  @TempDir Path dir;

  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong lastRead = new AtomicLong();
  private volatile boolean stopping;

  @Test
  void anEnsembleIsReplacedOneServerAtATimeAndBack() throws Exception {
    ServerProgram stock = Programs.stock(dir);
    try (TestEnsemble ensemble =
        TestEnsemble.prepare(dir.resolve("ensemble"), 3, stock, Map.of()).startAll()) {
      try (ZooKeeper client = ensemble.connect(ensemble.all())) {
        client.create(NODE, bytes(0), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        client.create("/ephemeral", bytes(0), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        Thread worker = new Thread(() -> work(client), "client");
        worker.start();
        try {
          replaceAll(ensemble, Programs.orca(Programs.MODES_OFF), true);
          Map<String, String> modes = new HashMap<>(Programs.CAD);
          modes.put("immediatePaths", Load.IMMEDIATE_PATHS);
          replaceAll(ensemble, Programs.orca(modes), true);
          restartAllUnderLoad(ensemble);
          replaceAll(ensemble, Programs.orca(Programs.MODES_OFF), true);
          replaceAll(ensemble, stock, false);
        } finally {
          stopping = true;
          worker.join();
        }
        assertEquals(List.of(), errors);
        assertShows(ensemble, lastRead.get());
      }
    }
  }

  private void replaceAll(TestEnsemble ensemble, ServerProgram program, boolean ours)
      throws Exception {
    ensemble.use(program);
    for (int id : ensemble.all()) {
      ensemble.stop(id);
      ensemble.start(id);
      ensemble.awaitServing();
      assertEquals(ours, ensemble.isOurs(id));
      if (ours && !ensemble.isOurs(ensemble.awaitServing())) {
        awaitThatItKnowsItsStockLeader(ensemble, id);
      }
      long before = done.get();
      Eventually.await(
          TestEnsemble.SERVING_LIMIT,
          () -> done.get() - before >= OPERATIONS_BETWEEN || !errors.isEmpty(),
          () -> "the client stands still; " + ensemble.logs());
      assertEquals(List.of(), errors, ensemble::logs);
    }
  }

  /** From the first moment at which all have the modes, no client sees less than any other has. */
  private static void restartAllUnderLoad(TestEnsemble ensemble) throws Exception {
    SeenState state = new SeenState();
    try (Load load = new Load(ensemble, state, 3)) {
      load.startWriters(ensemble.all());
      for (int id : ensemble.all()) {
        load.startReader(id);
      }
      for (int id : ensemble.all()) {
        load.awaitProgress(OPERATIONS_BETWEEN, ensemble.all());
        ensemble.stop(id);
        ensemble.start(id);
        ensemble.awaitServing();
        assertEquals(List.of(), state.violations(), ensemble::logs);
      }
      load.awaitProgress(OPERATIONS_BETWEEN, ensemble.all());
      load.stopAndLookAtEverything(ensemble.all());
    }
    assertEquals(List.of(), state.violations(), ensemble::logs);
  }

  /** It takes all that such a leader commits for durable, which it finds out from an answer. */
  private static void awaitThatItKnowsItsStockLeader(TestEnsemble ensemble, int id)
      throws Exception {
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> ensemble.monitor(id, "zk_orca_durable_index") == Long.MAX_VALUE,
        () -> "server " + id + " waits for a stock leader; " + ensemble.logs());
  }

  private void work(ZooKeeper client) {
    long value = 0;
    while (!stopping && errors.isEmpty()) {
      try {
        client.setData(NODE, bytes(++value), -1);
        readOnce(client, value);
        done.incrementAndGet();
        // The servers that start need the processors, too.
        LockSupport.parkNanos(PAUSE_NANOS);
      } catch (KeeperException.ConnectionLossException e) {
        // Its server was replaced; it goes to another.
        assertTrue(client.getState().isAlive());
      } catch (KeeperException | RuntimeException e) {
        errors.add(e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void readOnce(ZooKeeper client, long written)
      throws KeeperException, InterruptedException {
    long value = Long.parseLong(new String(client.getData(NODE, false, null), UTF_8));
    if (value < lastRead.get() || value > written) {
      errors.add("read " + value + " after " + lastRead + " was read and " + written + " written");
    }
    lastRead.set(value);
  }

  private static void assertShows(TestEnsemble ensemble, long atLeast) throws Exception {
    for (int id : ensemble.all()) {
      try (ZooKeeper client = ensemble.connect(id)) {
        client.sync("/");
        long value = Long.parseLong(new String(client.getData(NODE, false, null), UTF_8));
        assertTrue(value >= atLeast, () -> "server " + id + " shows " + value);
        assertTrue(client.exists("/ephemeral", false) != null, "the session lives");
      }
    }
  }

  private static byte[] bytes(long value) {
    return Long.toString(value).getBytes(UTF_8);
  }
}
