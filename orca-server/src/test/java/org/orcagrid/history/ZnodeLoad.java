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
package org.orcagrid.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.RecordingClient;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.orcagrid.simulator.checker.znode.ZnodeCall;
import org.orcagrid.simulator.checker.znode.ZnodeStep;
import org.orcagrid.simulator.checker.znode.ZnodeStep.Kind;

/**
 * Sessions that do everything that a client can do to a few znodes, until they are stopped: plain,
 * sequential, ephemeral, container and TTL nodes, versioned and unversioned writes, transactions,
 * reads one by one and together, watches, barriers. What they do follows from a seed; what is
 * answered does not.
 */
public final class ZnodeLoad implements AutoCloseable {
  /** What {@code orca.immediatePaths} is to be. */
  public static final String IMMEDIATE = "/h/now";

  private static final String ROOT = "/h";
  private static final String NUMBERED = "/h/numbered";
  private static final String PASSING = "/h/passing";
  private static final List<String> NODES = List.of("/h/a", "/h/b", "/h/c");
  private static final List<String> BELOW = List.of("/h/a/x", "/h/a/y", "/h/b/x");
  private static final List<String> DURABLE = List.of("/h/now/k", "/h/now/l");
  private static final List<CreateMode> PASSING_MODES =
      List.of(CreateMode.EPHEMERAL, CreateMode.CONTAINER, CreateMode.PERSISTENT_WITH_TTL);

  private static final int SESSION_TIMEOUT_MS = 10_000;
  private static final int CONNECT_SECONDS = 60;
  private static final int WRONG_VERSION = 1_000_000;

  private final HistoryRecorder recorder;
  private final Random seeds;
  private final int writePercent;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, AtomicLong> answers = new TreeMap<>();
  private final List<String> failures = java.util.Collections.synchronizedList(new ArrayList<>());
  private volatile boolean stopping;

  /** A load whose sessions choose by {@code seed}. */
  public ZnodeLoad(HistoryRecorder recorder, long seed, int writePercent) {
    this.recorder = recorder;
    this.seeds = new Random(seed);
    this.writePercent = writePercent;
  }

  /** What a session of a load is like. */
  public enum Sort {
    /** As every client. */
    PLAIN(ZnodeCall.Promise.DEFAULT, null),
    /** Without barriers: one has all that was written before it flushed, whoever wrote it. */
    UNSYNCED(ZnodeCall.Promise.DEFAULT, null),
    /** Its reads are linearizable. */
    LINEARIZABLE(ZnodeCall.Promise.LINEARIZABLE_READ, "read=linearizable"),
    /** Its writes are durable when they are acknowledged. */
    DURABLE(ZnodeCall.Promise.IMMEDIATE_DURABILITY, "durability=sync");

    private final ZnodeCall.Promise promise;
    private final String asked;

    Sort(ZnodeCall.Promise promise, String asked) {
      this.promise = promise;
      this.asked = asked;
    }
  }

  /** Makes the nodes that are always there. */
  public void prepare(String connectString) throws IOException, InterruptedException {
    try (RecordingClient client = connect(connectString, "setup", Sort.PLAIN)) {
      for (String path : List.of(ROOT, NUMBERED, PASSING, IMMEDIATE)) {
        client.create(path, CreateMode.PERSISTENT, 0);
      }
      for (String path : DURABLE) {
        client.create(path, CreateMode.PERSISTENT, 0);
      }
      client.barrier("/");
    }
  }

  /** Starts a session; {@code name} is told in messages. */
  public void start(String name, String connectString, Sort sort) {
    Random random = new Random(seeds.nextLong());
    AtomicLong count = new AtomicLong();
    answers.put(name, count);
    Thread thread = new Thread(() -> use(name, connectString, sort, random, count), name);
    threads.add(thread);
    thread.start();
  }

  /** How many calls each session had answered. */
  public Map<String, Long> answers() {
    Map<String, Long> counts = new TreeMap<>();
    answers.forEach((name, count) -> counts.put(name, count.get()));
    return counts;
  }

  /** What must not happen to a client at all. */
  public List<String> failures() {
    return List.copyOf(failures);
  }

  private RecordingClient connect(String connectString, String name, Sort sort)
      throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    RecordingClient client =
        new RecordingClient(
            connectString,
            SESSION_TIMEOUT_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            },
            recorder,
            new RecordedSession(recorder.nextSession(), name, sort.promise, IMMEDIATE));
    if (sort.asked != null) {
      client.addAuthInfo("orca", sort.asked.getBytes(UTF_8));
    }
    boolean done = false;
    try {
      done = connected.await(CONNECT_SECONDS, TimeUnit.SECONDS);
    } finally {
      if (!done) {
        client.close();
      }
    }
    if (!done) {
      throw new IOException("No connection to " + connectString);
    }
    return client;
  }

  private void use(String name, String connectString, Sort sort, Random random, AtomicLong count) {
    while (!stopping) {
      try (RecordingClient client = connect(connectString, name, sort)) {
        Code code = Code.OK;
        while (!stopping && code != Code.SESSIONEXPIRED) {
          code = step(client, sort, random);
          if (code != Code.CONNECTIONLOSS) {
            count.incrementAndGet();
          }
        }
      } catch (IOException | RuntimeException e) {
        failures.add(name + ": " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  // ---- what is done

  private Code step(RecordingClient client, Sort sort, Random random) throws InterruptedException {
    return random.nextInt(100) < writePercent ? write(client, sort, random) : read(client, random);
  }

  private static <T> T one(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  private static String anyNode(Random random) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> one(NODES, random);
      case 4, 5 -> one(BELOW, random);
      case 6 -> one(DURABLE, random);
      default -> PASSING + "/p" + random.nextInt(3);
    };
  }

  /** None, or one that is right now and then. */
  private static int version(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> WRONG_VERSION;
      case 1, 2 -> random.nextInt(4);
      default -> ZnodeStep.ANY;
    };
  }

  private static Code write(RecordingClient client, Sort sort, Random random)
      throws InterruptedException {
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> client.create(one(NODES, random), CreateMode.PERSISTENT, 0);
      case 3 -> client.create(one(BELOW, random), CreateMode.PERSISTENT, 0);
      case 4 -> numbered(client, random);
      case 5 ->
          client.create(PASSING + "/p" + random.nextInt(3), one(PASSING_MODES, random), 1_000);
      case 6 -> client.remove(one(NODES, random), version(random));
      case 7 -> client.remove(anyNode(random), version(random));
      case 8 -> client.setAcl(anyNode(random), random.nextInt(4) == 0 ? 0 : ZnodeStep.ANY);
      case 9, 10 -> transaction(client, random);
      case 11 -> client.set(one(DURABLE, random), ZnodeStep.ANY);
      case 12 ->
          sort == Sort.UNSYNCED
              ? client.set(one(NODES, random), ZnodeStep.ANY)
              : client.barrier(one(NODES, random));
      default -> client.set(anyNode(random), version(random));
    };
  }

  private static Code numbered(RecordingClient client, Random random) throws InterruptedException {
    CreateMode mode =
        random.nextBoolean() ? CreateMode.PERSISTENT_SEQUENTIAL : CreateMode.EPHEMERAL_SEQUENTIAL;
    return client.create(NUMBERED + "/n-", mode, 0);
  }

  private static Code transaction(RecordingClient client, Random random)
      throws InterruptedException {
    List<ZnodeStep> steps = new ArrayList<>();
    for (String path : NODES) {
      Kind kind =
          switch (random.nextInt(8)) {
            case 0 -> Kind.CREATE;
            case 1 -> Kind.DELETE;
            case 2 -> Kind.CHECK;
            default -> Kind.SET;
          };
      int version = kind == Kind.CREATE ? ZnodeStep.ANY : version(random);
      steps.add(
          ZnodeStep.asked(kind, path, null, kind == Kind.CHECK ? Math.max(0, version) : version));
    }
    return client.transaction(steps.subList(random.nextInt(2), steps.size()));
  }

  private static Code read(RecordingClient client, Random random) throws InterruptedException {
    boolean watching = random.nextInt(4) == 0;
    return switch (random.nextInt(12)) {
      case 0, 1 -> client.look(anyNode(random), watching);
      case 2, 3 -> client.list(one(List.of(ROOT, "/h/a", "/h/b", PASSING), random), watching);
      case 4 -> client.readAcl(anyNode(random));
      case 5 -> client.readAll(NODES);
      default -> client.read(anyNode(random), watching);
    };
  }

  /** Ends all sessions. */
  @Override
  public void close() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  /** What a session at this server sees of everything; asked when all others have ended. */
  public void lookAtEverything(String name, String connectString)
      throws IOException, InterruptedException {
    try (RecordingClient client = connect(connectString, name, Sort.PLAIN)) {
      Code code = client.barrier(ROOT);
      for (String path : List.of(ROOT, NUMBERED, PASSING, IMMEDIATE, "/h/a", "/h/b")) {
        code = code == Code.CONNECTIONLOSS ? code : client.list(path, false);
      }
      for (List<String> paths : List.of(NODES, BELOW, DURABLE)) {
        for (String path : paths) {
          code = code == Code.CONNECTIONLOSS ? code : client.read(path, false);
        }
      }
      if (code == Code.CONNECTIONLOSS) {
        failures.add(name + ": connection lost at the end");
      }
    }
  }
}
