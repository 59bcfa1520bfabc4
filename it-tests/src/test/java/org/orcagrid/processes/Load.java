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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Clients that write and read registers until they are stopped: a writer for each register, and as
 * many readers as are asked for, each on one server. They stand a lost connection and an expired
 * session; any other error is a violation.
 */
final class Load implements AutoCloseable {
  /** A register, and the nodes that hold its value; several are written in one transaction. */
  private static final Map<String, List<String>> REGISTERS =
      Map.of(
          "plain", List.of("/plain"),
          "durable", List.of("/durable/k"),
          "pair", List.of("/pair-a", "/pair-b"));

  /** What {@code orca.immediatePaths} is to be. */
  static final String IMMEDIATE_PATHS = "/durable";

  private static final Duration PROGRESS_LIMIT = Duration.ofSeconds(40);

  /**
   * After each operation of a client, so that servers which start beside the load have a processor.
   * {@code -Dbetween.micros=0} is for clients that ask as fast as they can.
   */
  private static final long BETWEEN_NANOS =
      TimeUnit.MICROSECONDS.toNanos(Long.getLong("between.micros", 1_000));

  private final Servers ensemble;
  private final SeenState state;
  private final Random random;
  private final AtomicLong connectionsLost = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final Map<Integer, AtomicLong> reads = new TreeMap<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Beside the interrupt, which a library may swallow. */
  private volatile boolean stopping;

  Load(Servers ensemble, SeenState state, long seed) {
    this.ensemble = ensemble;
    this.state = state;
    this.random = new Random(seed);
  }

  /** Makes the registers and starts their writers, which may go to any of these servers. */
  void startWriters(int... servers) throws Exception {
    try (ZooKeeper client = ensemble.connect(servers)) {
      client.create("/durable", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      for (List<String> nodes : REGISTERS.values()) {
        for (String node : nodes) {
          client.create(node, bytes(0), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
      }
      client.sync("/");
    }
    String connectString = ensemble.connectString(servers);
    REGISTERS.forEach(
        (register, nodes) ->
            start("writer-" + register, () -> write(connectString, register, nodes)));
  }

  /** Starts a reader on that server alone. */
  void startReader(int server) {
    long seed = random.nextLong();
    AtomicLong count = reads.computeIfAbsent(server, any -> new AtomicLong());
    start("reader-" + server, () -> read(server, new Random(seed), count));
  }

  private void start(String name, Runnable client) {
    Thread thread = new Thread(client, name);
    threads.add(thread);
    thread.start();
  }

  /** Waits until so many more writes were acknowledged and each of these servers read from. */
  void awaitProgress(int operations, int... servers) throws Exception {
    long writesBefore = writes.get();
    Map<Integer, Long> readsBefore = new TreeMap<>();
    for (int server : servers) {
      readsBefore.put(server, reads.get(server).get());
    }
    Eventually.await(
        PROGRESS_LIMIT,
        () ->
            writes.get() - writesBefore >= operations
                && readsBefore.entrySet().stream()
                    .allMatch(e -> reads.get(e.getKey()).get() - e.getValue() >= operations),
        () ->
            "no progress: %d writes, reads %s; were %d, %s; violations %s; %s"
                .formatted(
                    writes.get(),
                    reads,
                    writesBefore,
                    readsBefore,
                    state.violations(),
                    ensemble.logs()));
  }

  /** How many writes were acknowledged. */
  long writes() {
    return writes.get();
  }

  /** How many reads were answered. */
  long reads() {
    return reads.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** How many operations ended with a lost connection. */
  long connectionsLost() {
    return connectionsLost.get();
  }

  /** Ends all clients, then reads every register once on each of these servers. */
  void stopAndLookAtEverything(int... servers) throws Exception {
    close();
    for (int server : servers) {
      try (ZooKeeper client = ensemble.connect(server)) {
        for (Map.Entry<String, List<String>> register : REGISTERS.entrySet()) {
          for (String node : register.getValue()) {
            readOne(client, register.getKey(), node, server, -1);
          }
        }
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  private void write(String connectString, String register, List<String> nodes) {
    long[] value = {0};
    inSessions(
        connectString,
        client -> {
          long next = ++value[0];
          if (nodes.size() == 1) {
            client.setData(nodes.get(0), bytes(next), -1);
          } else {
            client.multi(nodes.stream().map(node -> Op.setData(node, bytes(next), -1)).toList());
          }
          if (nodes.get(0).startsWith(IMMEDIATE_PATHS)) {
            state.onDurable(register, next);
          }
          writes.incrementAndGet();
        });
  }

  private void read(int server, Random choice, AtomicLong count) {
    Map<ZooKeeper, Map<String, Long>> seenBySession = new java.util.WeakHashMap<>();
    List<String> registers = List.copyOf(new TreeMap<>(REGISTERS).keySet());
    inSessions(
        ensemble.connectString(server),
        client -> {
          Map<String, Long> seen = seenBySession.computeIfAbsent(client, any -> new TreeMap<>());
          String register = registers.get(choice.nextInt(registers.size()));
          List<String> nodes = REGISTERS.get(register);
          long ofSession = seen.getOrDefault(register, -1L);
          String node = nodes.get(choice.nextInt(nodes.size()));
          seen.put(register, readOne(client, register, node, server, ofSession));
          count.incrementAndGet();
        });
  }

  private long readOne(ZooKeeper client, String register, String node, int server, long ofSession)
      throws KeeperException, InterruptedException {
    SeenState.Read read = state.begin(register, server);
    long value = Long.parseLong(new String(client.getData(node, false, null), UTF_8));
    state.end(read, value, ofSession);
    return value;
  }

  /** One operation of a client. */
  @FunctionalInterface
  private interface Operation {
    void run(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  /** Repeats the operation until the thread is interrupted, in a new session if one expires. */
  private void inSessions(String connectString, Operation operation) {
    while (!stopping) {
      try (ZooKeeper client = TestEnsemble.connect(connectString)) {
        inOneSession(client, operation);
      } catch (IOException e) {
        // The servers did not come back in time for this client; the test sees that it stands
        // still.
        state.violation(Thread.currentThread().getName() + ": " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void inOneSession(ZooKeeper client, Operation operation) throws InterruptedException {
    while (!stopping) {
      try {
        operation.run(client);
        LockSupport.parkNanos(BETWEEN_NANOS);
      } catch (KeeperException.ConnectionLossException e) {
        // What became of the operation is unknown; the next one finds out how the world is.
        connectionsLost.incrementAndGet();
      } catch (KeeperException.SessionExpiredException e) {
        return;
      } catch (KeeperException e) {
        state.violation(Thread.currentThread().getName() + ": " + e);
        return;
      }
    }
  }

  private static byte[] bytes(long value) {
    return Long.toString(value).getBytes(UTF_8);
  }
}
