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
package org.orcagrid.bench.zab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.ProtocolHost;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Workers;

/** The ZAB yardstick with real threads in one JVM. */
@Timeout(60)
class ZabNodeTest {
  private static final int NODES = 3;
  private static final int KEYS_MAX = 100;
  private static final long WAIT = TimeUnit.SECONDS.toNanos(30);

  private final List<ProtocolHost> nodes = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void start() throws IOException {
    LoopbackNetwork network = new LoopbackNetwork(NODES, 1, 4096);
    for (int node = 0; node < NODES; node++) {
      nodes.add(
          ProtocolHost.start(
              new ZabProtocol(
                  new ZabSettings(NODES, node, 4, 20_000_000),
                  new ReplicaStore.Limits(KEYS_MAX, 1024, 16 << 20)),
              new Workers.Environment(
                  network.transport(node), System::nanoTime, Thread::new, failures::add)));
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(ProtocolHost::close);
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private static Bytes number(Bytes bytes, long value) {
    bytes.room(Long.BYTES).putLong(0, value);
    bytes.length(Long.BYTES);
    return bytes;
  }

  private static Outcome write(NodeSession session, long key, long value) {
    assertNull(session.write(number(new Bytes(8), key), number(new Bytes(8), value)));
    Request request = session.next();
    assertNotNull(request);
    request.kind(OperationKind.WRITE);
    number(request.key(), key);
    number(request.value(), value);
    session.submit(request);
    assertTrue(session.await(request, WAIT), "in time");
    return request.outcome();
  }

  private static long read(NodeSession session, long key) {
    Bytes into = new Bytes(8);
    if (!session.read(number(new Bytes(8), key), into)) {
      // The end of the write before it is told a moment before it counts.
      Request request = session.next();
      request.kind(OperationKind.READ);
      number(request.key(), key);
      session.submit(request);
      assertTrue(session.await(request, WAIT), "in time");
      into = request.result();
    }
    return into.length() < 0 ? 0 : into.buffer().getLong(0);
  }

  @Test
  void writesOfAllNodesAreSeenInOneOrder() throws InterruptedException {
    int rounds = 2_000;
    List<Thread> threads = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      int mine = node;
      Thread thread =
          new Thread(
              () -> {
                try (NodeSession session = nodes.get(mine).openSession()) {
                  for (int round = 1; round <= rounds; round++) {
                    assertEquals(Outcome.DONE, write(session, 2L * mine, round));
                    assertEquals(Outcome.DONE, write(session, 2L * mine + 1, round));
                    assertEquals(round, read(session, 2L * mine));
                    int other = (mine + 1) % NODES;
                    long second = read(session, 2L * other + 1);
                    long first = read(session, 2L * other);
                    assertTrue(first >= second, first + " was written before " + second);
                  }
                }
              });
      thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void manyWritesOfASessionMayBeUnderWayAndAReadWaitsForThem() {
    try (NodeSession session = nodes.get(1).openSession()) {
      Request last = null;
      for (int n = 1; n <= 200; n++) {
        last = session.next();
        assertNotNull(last);
        last.kind(OperationKind.WRITE);
        number(last.key(), 1);
        number(last.value(), n);
        session.submit(last);
      }
      Request read = session.next();
      read.kind(OperationKind.READ);
      number(read.key(), 1);
      session.submit(read);
      assertTrue(session.await(read, WAIT));
      assertEquals(200, read.result().buffer().getLong(0));
    }
  }

  @Test
  void aFullStoreRefusesNewKeysAtAllNodesAlike() {
    try (NodeSession session = nodes.get(2).openSession()) {
      for (int key = 0; key < KEYS_MAX; key++) {
        assertEquals(Outcome.DONE, write(session, key, 1));
      }
      assertEquals(Outcome.STORE_FULL, write(session, KEYS_MAX, 1));
      assertEquals(Outcome.DONE, write(session, 0, 2));
      assertEquals(2, read(session, 0));
    }
  }
}
