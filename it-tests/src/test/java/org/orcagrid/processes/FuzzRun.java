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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Fuzzed connections to all servers of an ensemble, and what has to hold all the same: no server
 * ends or leaves the quorum, sound clients beside them get right answers, all servers have the same
 * tree, and have it again after a restart.
 */
final class FuzzRun {
  private static final int CONNECTIONS_AT_ONCE = 4;
  private static final int FAILURES_MAX = 50;
  private static final Duration AGREEMENT_LIMIT = Duration.ofSeconds(40);

  /** How much is done: until either is reached. */
  record Limits(Duration time, long connections) {}

  /** Starts servers that do not run, and returns when all of them serve. */
  @FunctionalInterface
  interface Starter {
    void start(TestEnsemble ensemble) throws Exception;
  }

  private final TestEnsemble ensemble;
  private final Starter starter;
  private final long seed;
  private final Limits limits;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private long endNanos;

  /** A run against servers that are not started. */
  FuzzRun(TestEnsemble ensemble, Starter starter, long seed, Limits limits) {
    this.ensemble = ensemble;
    this.starter = starter;
    this.seed = seed;
    this.limits = limits;
  }

  /** Fails with what did not hold; returns a line that says what was done. */
  String run() throws Exception {
    starter.start(ensemble);
    int leader = ensemble.awaitServing();
    long epoch = prepare();
    List<SoundClient> sound = new ArrayList<>();
    for (int id : ensemble.all()) {
      SoundClient client = new SoundClient(ensemble.connect(id), "/sound-" + id);
      client.start();
      sound.add(client);
    }
    fuzz();
    for (SoundClient client : sound) {
      client.end();
    }
    for (int id : ensemble.all()) {
      assertTrue(!ensemble.role(id).equals("-"), () -> "server " + id + ": " + ensemble.logs());
    }
    assertEquals(leader, ensemble.awaitServing(), () -> "the leader stays; " + ensemble.logs());
    assertEquals(epoch, create("/end"), () -> "nobody was elected; " + ensemble.logs());
    Map<String, String> before = agreement();
    for (int id : ensemble.all()) {
      assertEquals(0, ensemble.monitor(id, "zk_digest_mismatches_count"), "mismatches at " + id);
    }
    ensemble.stopTogether(ensemble.all());
    starter.start(ensemble);
    Map<String, String> after = agreement();
    long operations = sound.stream().mapToLong(SoundClient::operations).sum();
    return "seed %d: %d connections, %d sound operations, %d nodes, %d after the restart"
        .formatted(seed, next.get(), operations, before.size(), after.size());
  }

  private long prepare() throws Exception {
    create(FuzzedBytes.ROOT);
    create(FuzzedBytes.ROOT + "/a");
    create(FuzzedBytes.ROOT + "/b");
    return create("/begin");
  }

  /** Creates a node; returns the epoch in which that was done. */
  private long create(String path) throws Exception {
    try (ZooKeeper client = ensemble.connect(ensemble.all())) {
      client.create(path, "1".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      return client.exists(path, false).getCzxid() >>> 32;
    }
  }

  private void fuzz() throws InterruptedException {
    endNanos = System.nanoTime() + limits.time().toNanos();
    List<Thread> threads = new ArrayList<>();
    Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < CONNECTIONS_AT_ONCE; i++) {
      Thread thread = new Thread(this::connectAgainAndAgain, "Fuzzer-" + i);
      thread.setUncaughtExceptionHandler((died, reason) -> unexpected.add(reason));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (!unexpected.isEmpty()) {
      throw new AssertionError("a fuzzer has failed itself", unexpected.peek());
    }
    assertTrue(
        refused.get() <= FAILURES_MAX,
        () -> refused.get() + " connections were refused: " + ensemble.logs());
  }

  private void connectAgainAndAgain() {
    while (System.nanoTime() - endNanos < 0 && refused.get() <= FAILURES_MAX) {
      long number = next.getAndIncrement();
      if (number >= limits.connections()) {
        return;
      }
      int server = ensemble.all()[(int) (number % ensemble.size())];
      String address = ensemble.connectString(server);
      int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
      try {
        FuzzedConnection.send(port, new FuzzedBytes(seed + number).connection());
      } catch (IOException e) {
        refused.incrementAndGet();
      }
    }
  }

  /** What all servers show, once the sessions of the fuzzed connections have ended. */
  private Map<String, String> agreement() throws Exception {
    List<Map<String, String>> trees = new ArrayList<>();
    Eventually.await(
        AGREEMENT_LIMIT,
        () -> {
          trees.clear();
          for (int id : ensemble.all()) {
            try (ZooKeeper client = ensemble.connect(id)) {
              trees.add(WholeTree.read(client));
            } catch (NoNodeException e) {
              return false; // Nodes still go with their sessions.
            }
          }
          return trees.stream().distinct().count() == 1;
        },
        () -> "servers differ: " + differences(trees));
    return trees.get(0);
  }

  private static String differences(List<Map<String, String>> trees) {
    StringBuilder text = new StringBuilder();
    for (Map<String, String> tree : trees) {
      tree.forEach(
          (path, node) -> {
            if (trees.stream().anyMatch(each -> !node.equals(each.get(path)))) {
              text.append('\n').append(path).append(": ").append(node);
            }
          });
      text.append("\n--");
    }
    return text.toString();
  }
}
