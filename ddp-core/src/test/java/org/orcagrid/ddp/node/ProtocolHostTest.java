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
package org.orcagrid.ddp.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Workers;

/** Three nodes with real threads in one JVM. */
@Timeout(60)
class ProtocolHostTest {
  private static final int NODES = 3;
  private static final int WORKERS = 2;
  private static final int SESSIONS = 4;
  private static final long WAIT = TimeUnit.SECONDS.toNanos(30);

  private final List<ProtocolHost> nodes = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void start() throws IOException {
    LoopbackNetwork network = new LoopbackNetwork(NODES, WORKERS, 4096);
    for (int node = 0; node < NODES; node++) {
      KiteSettings settings =
          new KiteSettings(
              NODES,
              node,
              WORKERS,
              SESSIONS,
              256,
              new KiteSettings.Times(5_000_000, 20_000_000, 100_000));
      nodes.add(
          KiteNodes.start(
              settings,
              new ReplicaStore.Limits(1000, 1024, 16 << 20),
              new Workers.Environment(
                  network.transport(node), System::nanoTime, Thread::new, failures::add)));
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(ProtocolHost::close);
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private static Request request(NodeSession session, OperationKind kind, String key) {
    Request request = session.next();
    assertNotNull(request, "there is room");
    request.kind(kind);
    request.key().set(key.getBytes(StandardCharsets.UTF_8));
    return request;
  }

  private static Bytes number(Bytes bytes, long value) {
    bytes.room(Long.BYTES).putLong(0, value);
    bytes.length(Long.BYTES);
    return bytes;
  }

  private static long run(NodeSession session, Request request) {
    session.submit(request);
    assertTrue(session.await(request, WAIT), "in time");
    assertEquals(Outcome.DONE, request.outcome());
    return request.result().length() < 0 ? -1 : request.result().buffer().getLong(0);
  }

  private static void write(NodeSession session, String key, long value) {
    Bytes name = new Bytes(16);
    name.set(key.getBytes(StandardCharsets.UTF_8));
    Outcome outcome = session.write(name, number(new Bytes(8), value));
    if (outcome == null) {
      Request request = request(session, OperationKind.WRITE, key);
      number(request.value(), value);
      run(session, request);
    }
  }

  private static long read(NodeSession session, String key) {
    Bytes name = new Bytes(16);
    name.set(key.getBytes(StandardCharsets.UTF_8));
    Bytes into = new Bytes(8);
    return session.read(name, into)
        ? into.length() < 0 ? -1 : into.buffer().getLong(0)
        : run(session, request(session, OperationKind.READ, key));
  }

  @Test
  void whatWasReleasedIsThereForWhoeverAcquires() throws InterruptedException {
    int rounds = 2_000;
    Thread producer =
        new Thread(
            () -> {
              try (NodeSession session = nodes.get(0).openSession()) {
                for (int round = 1; round <= rounds; round++) {
                  for (int field = 0; field < 4; field++) {
                    write(session, "field" + field, round);
                  }
                  Request release = request(session, OperationKind.RELEASE, "flag");
                  number(release.value(), round);
                  run(session, release);
                }
              }
            });
    producer.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
    producer.start();
    try (NodeSession session = nodes.get(2).openSession()) {
      long flag = 0;
      while (flag < rounds) {
        flag = run(session, request(session, OperationKind.ACQUIRE, "flag"));
        for (int field = 0; field < 4; field++) {
          long seen = read(session, "field" + field);
          assertTrue(seen >= flag, "field " + field + " is " + seen + " after flag " + flag);
        }
      }
    }
    producer.join();
  }

  @Test
  void addsFromAllNodesAreCountedOnce() throws InterruptedException {
    int each = 500;
    List<Thread> threads = new ArrayList<>();
    for (ProtocolHost node : nodes) {
      for (int i = 0; i < 2; i++) {
        Thread thread =
            new Thread(
                () -> {
                  try (NodeSession session = node.openSession()) {
                    for (int n = 0; n < each; n++) {
                      Request add = request(session, OperationKind.GET_AND_ADD, "count");
                      add.delta(1);
                      run(session, add);
                    }
                  }
                });
        thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
        threads.add(thread);
        thread.start();
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    try (NodeSession session = nodes.get(1).openSession()) {
      assertEquals(
          2L * NODES * each, run(session, request(session, OperationKind.ACQUIRE, "count")));
    }
  }

  @Test
  void aSessionSeesItsOwnWritesAndManyMayBeUnderWay() {
    try (NodeSession session = nodes.get(0).openSession()) {
      for (int n = 0; n < 10_000; n++) {
        if (session.room() == 0) {
          assertTrue(session.awaitRoom(WAIT));
        }
        write(session, "key" + n % 7, n);
        assertEquals(n, read(session, "key" + n % 7));
      }
    }
  }

  @Test
  void aListenerGoesOnAtOnce() throws InterruptedException {
    int rounds = 1_000;
    CountDownLatch done = new CountDownLatch(1);
    NodeSession session = nodes.get(0).openSession();
    Bytes name = new Bytes(16);
    name.set("flag".getBytes(StandardCharsets.UTF_8));
    Bytes into = new Bytes(8);
    RequestListener listener =
        new RequestListener() {
          private long round = 1;

          @Override
          public void onCompleted(Request ended) {
            if (!session.read(name, into) || into.buffer().getLong(0) != round) {
              failures.add(new AssertionError("A listener does not see what its request did"));
              done.countDown();
            } else if (++round > rounds) {
              done.countDown();
            } else {
              assertEquals(Outcome.DONE, session.write(name, number(new Bytes(8), 0)));
              release(session, round, this);
            }
          }
        };
    release(session, 1, listener);
    assertTrue(done.await(30, TimeUnit.SECONDS));
    session.close();
  }

  private static void release(NodeSession session, long value, RequestListener listener) {
    Request request = request(session, OperationKind.RELEASE, "flag");
    number(request.value(), value);
    request.listener(listener);
    session.submit(request);
  }

  @Test
  void sessionsAreGivenBackAndRefusedWhenAllAreInUse() throws InterruptedException {
    List<NodeSession> all = new ArrayList<>();
    for (int i = 0; i < WORKERS * SESSIONS; i++) {
      all.add(nodes.get(0).openSession());
    }
    assertThrows(IllegalStateException.class, () -> nodes.get(0).openSession());
    all.forEach(NodeSession::close);
    assertThrows(
        IllegalStateException.class, () -> all.get(0).submit(all.get(0).next()), "it is closed");
    long deadline = System.nanoTime() + WAIT;
    boolean opened = false;
    while (!opened && System.nanoTime() < deadline) {
      try (NodeSession again = nodes.get(0).openSession()) {
        opened = true;
      } catch (IllegalStateException notYet) {
        Thread.onSpinWait();
      }
    }
    assertTrue(opened);
  }

  @Test
  void withoutAMajorityAReleaseTakesForEverAndSaysSo() {
    nodes.get(1).close();
    nodes.get(2).close();
    try (NodeSession session = nodes.get(0).openSession()) {
      Request release = request(session, OperationKind.RELEASE, "flag");
      number(release.value(), 1);
      session.submit(release);
      assertFalse(session.await(release, TimeUnit.MILLISECONDS.toNanos(200)));
    }
  }
}
