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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a session that has many requests under way is promised: answers in the order of its
 * requests, its own writes, nothing older than before, and a watch's event before what has changed.
 * The client library itself gives up a connection on which an answer is out of order.
 */
@Timeout(180)
class PipelinedSessionsTest {
  private static final String FACTORY = ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY;
  private static final String NETTY = "org.apache.zookeeper.server.NettyServerCnxnFactory";
  private static final String LIMIT = "zookeeper.globalOutstandingLimit";
  private static final int KEYS = 4;
  private static final int REQUESTS = 500;
  private static final int UNDER_WAY = 40;
  private static final int LARGE_BYTES = 200_000;
  private static final byte[] SMALL = new byte[100];

  @TempDir Path dir;

  /** One client: its callbacks come from one thread, in the order of the answers. */
  private static final class Session implements Watcher {
    private final ZooKeeper client;
    private final SplittableRandom random;
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private final ConcurrentLinkedQueue<String> violations;
    private final CountDownLatch answers = new CountDownLatch(REQUESTS);
    private final int[] seen = new int[KEYS];

    /** The version at which a key is watched, -1 if it is not. */
    private final int[] watched = {-1, -1, -1, -1};

    private int answered;

    Session(ZooKeeper client, long seed, ConcurrentLinkedQueue<String> violations) {
      this.client = client;
      this.random = new SplittableRandom(seed);
      this.violations = violations;
    }

    static String path(int key) {
      return "/k" + key;
    }

    void run() throws InterruptedException {
      for (int i = 0; i < REQUESTS; i++) {
        room.acquire();
        submit(i, random.nextInt(KEYS));
        if (random.nextInt(20) == 0) {
          // Nothing is under way now and then: those reads are executed as they come.
          room.acquire(UNDER_WAY);
          room.release(UNDER_WAY);
        }
      }
      answers.await();
    }

    private void submit(int number, int key) {
      String path = path(key);
      switch (random.nextInt(10)) {
        case 0, 1 ->
            client.setData(
                path,
                SMALL,
                -1,
                (rc, at, context, stat) -> onAnswer(number, key, rc, stat, false),
                null);
        case 2 ->
            client.exists(
                path, this, (rc, at, context, stat) -> onAnswer(number, key, rc, stat, true), null);
        case 3 ->
            client.getChildren(
                "/large",
                false,
                (rc, at, context, children, stat) -> onAnswer(number, -1, rc, stat, false),
                null);
        case 4 ->
            client.getData(
                "/large",
                false,
                (rc, at, context, data, stat) -> onAnswer(number, -1, rc, stat, false),
                null);
        default ->
            client.getData(
                path,
                false,
                (rc, at, context, data, stat) -> onAnswer(number, key, rc, stat, false),
                null);
      }
    }

    private void onAnswer(int number, int key, int rc, Stat stat, boolean watches) {
      check(number == answered, "answer " + number + " came as the " + answered + "th");
      answered++;
      check(rc == KeeperException.Code.OK.intValue(), "request " + number + " has failed: " + rc);
      if (key >= 0 && stat != null) {
        int version = stat.getVersion();
        check(version >= seen[key], "version " + version + " after " + seen[key]);
        check(
            watched[key] < 0 || version <= watched[key],
            "version " + version + " was seen before the event of what follows " + watched[key]);
        seen[key] = Math.max(seen[key], version);
        if (watches && watched[key] < 0) {
          watched[key] = version;
        }
      }
      room.release();
      answers.countDown();
    }

    @Override
    public void process(WatchedEvent event) {
      if (event.getPath() != null) {
        watched[event.getPath().charAt(2) - '0'] = -1;
      }
    }

    private void check(boolean holds, String otherwise) {
      if (!holds) {
        violations.add(otherwise);
      }
    }
  }

  @Test
  void ordersHoldAtAnEnsembleWhereReadersWait() throws Exception {
    run(3, Map.of());
  }

  @Test
  void ordersHoldWithSynchronousDurability() throws Exception {
    run(3, Map.of("orca.durability", "sync", "orca.readers", "all"));
  }

  @Test
  void ordersHoldWhereWritesAreShownLate() throws Exception {
    run(3, Map.of("orca.visibility", "late"));
  }

  @Test
  void ordersHoldWithNetty() throws Exception {
    with(FACTORY, NETTY, () -> run(3, Map.of()));
  }

  @Test
  void ordersHoldWithNettyAtAServerThatHasTooMuchToDo() throws Exception {
    // Each request stops the reading of its connection, until it is answered.
    with(FACTORY, NETTY, () -> with(LIMIT, "-2", () -> run(3, Map.of())));
  }

  @Test
  void ordersHoldAtAServerThatHasTooMuchToDo() throws Exception {
    with(LIMIT, "-2", () -> run(3, Map.of()));
  }

  private static void with(String property, String value, Executable what) throws Exception {
    String before = System.getProperty(property);
    System.setProperty(property, value);
    try {
      what.execute();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
    }
  }

  private void run(int servers, Map<String, String> more) throws Exception {
    Map<String, String> settings = new HashMap<>(more);
    // On a busy machine a server may miss its lease for a while: then reads wait for it.
    settings.put("orca.readHoldMs", "60000");
    settings.put("orca.slowMs", "60000");
    ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    List<ZooKeeper> clients = new ArrayList<>();
    try (EmbeddedEnsemble ensemble = new EmbeddedEnsemble(dir, servers, settings).start()) {
      for (int i = 0; i < 2 * servers; i++) {
        clients.add(EmbeddedEnsemble.connect(ensemble.connectString(i % servers)));
      }
      for (int key = 0; key < KEYS; key++) {
        create(clients.get(0), Session.path(key), SMALL);
      }
      create(clients.get(0), "/large", new byte[LARGE_BYTES]);
      for (ZooKeeper client : clients) {
        client.sync("/");
      }
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < clients.size(); i++) {
        Session session = new Session(clients.get(i), i, violations);
        running.add(
            threads.submit(
                () -> {
                  session.run();
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
      // While there are servers: else they look for one.
      for (ZooKeeper client : clients) {
        client.close(0);
      }
    } finally {
      threads.shutdownNow();
      for (ZooKeeper client : clients) {
        client.close(0);
      }
    }
    assertEquals(List.of(), violations.stream().limit(10).toList(), violations.size() + " in all");
  }

  private static void create(ZooKeeper client, String path, byte[] data) throws Exception {
    client.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }
}
