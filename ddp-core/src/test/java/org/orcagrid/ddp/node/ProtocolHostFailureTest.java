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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Workers;

/** A worker that dies ends its node: none of the others answers for a part of the sessions. */
@Timeout(60)
class ProtocolHostFailureTest {
  private static final int WORKERS = 2;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private ProtocolHost node;

  @BeforeEach
  void start() throws IOException {
    node =
        KiteNodes.start(
            new KiteSettings(
                1, 0, WORKERS, 4, 256, new KiteSettings.Times(5_000_000, 20_000_000, 100_000)),
            new ReplicaStore.Limits(1000, 1024, 16 << 20),
            new Workers.Environment(
                new LoopbackNetwork(1, WORKERS, 4096).transport(0),
                System::nanoTime,
                Thread::new,
                failures::add));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static Request request(NodeSession session) {
    Request request = session.next();
    request.kind(OperationKind.ACQUIRE);
    request.key().set("key".getBytes(StandardCharsets.UTF_8));
    return request;
  }

  @Test
  void anErrorInOneWorkerIsTheReasonThatAllSessionsAreGiven() {
    // One at each worker: a session is opened where most are free.
    NodeSession first = node.openSession();
    NodeSession second = node.openSession();
    Error reason = new OutOfMemoryError("a test's end of memory");
    Request fatal = request(first);
    fatal.listener(
        unused -> {
          throw reason;
        });
    first.submit(fatal);
    Request behind = request(first);
    try {
      first.submit(behind);
      assertTrue(first.await(behind, WAIT_NANOS), "It is told at once");
      assertEquals(Outcome.UNKNOWN, behind.outcome());
    } catch (IllegalStateException e) {
      // The node was faster.
      assertSame(reason, e.getCause());
    }
    awaitTold();
    assertSame(reason, node.failure());
    assertSame(reason, failures.peek());
    assertEquals(1, failures.size());
    for (NodeSession each : new NodeSession[] {first, second}) {
      awaitRefused(each, reason);
    }
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> node.openSession());
    assertSame(reason, refused.getCause());
  }

  /** Who is told of the end may wait for others who use the node. */
  @Test
  void listenersAreCalledUnderNoLock() throws Exception {
    NodeSession session = node.openSession();
    Field engine = LocalSession.class.getDeclaredField("worker");
    engine.setAccessible(true);
    Object lock = engine.get(session);
    CompletableFuture<Boolean> locked = new CompletableFuture<>();
    AtomicInteger times = new AtomicInteger();
    Request fatal = request(session);
    fatal.listener(
        unused -> {
          if (times.incrementAndGet() == 1) {
            throw new OutOfMemoryError("a test's end of memory");
          }
          locked.complete(Thread.holdsLock(lock));
        });
    session.submit(fatal);
    assertFalse(locked.get(WAIT_NANOS, TimeUnit.NANOSECONDS));
  }

  private void awaitTold() {
    long end = System.nanoTime() + WAIT_NANOS;
    while (failures.isEmpty() && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  /** Its worker may be about to end. */
  private static void awaitRefused(NodeSession session, Error reason) {
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> {
              long end = System.nanoTime() + WAIT_NANOS;
              while (System.nanoTime() - end < 0) {
                Request request = request(session);
                session.submit(request);
                assertTrue(session.await(request, WAIT_NANOS), "It is told at once");
              }
            });
    assertSame(reason, refused.getCause());
  }
}
