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
package org.orcagrid.ddp.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.worker.Workers;

/** Whatever ends a thread of a node ends the node, and its callers are told why, at once. */
@Timeout(60)
class VitalThreadsTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Nobody who is told at once waits for half of what there is patience for. */
  private static final long AT_ONCE_NANOS = PATIENCE_NANOS / 2;

  private static final Ddp MODEL = Ddp.parse("linearizable/synchronous");

  @TempDir Path folder;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicReference<Error> toThrow = new AtomicReference<>();
  private LocalViews views;
  private HostedMaps node;

  @AfterEach
  void close() {
    views.close();
    node.close();
  }

  private void start(MapMedia media, Consumer<LocalViews> before) throws Exception {
    views = LocalViews.open(1, folder, System::nanoTime, VitalThreadsTest::daemon);
    before.accept(views);
    node =
        MapNodes.start(
            MapSizes.of(1, 0),
            new HostedMaps.Providers(views.membership(0), media, WallClock.NONE, null),
            new Workers.Environment(
                new LoopbackNetwork(1, 1, 16 << 10).transport(0),
                System::nanoTime,
                VitalThreadsTest::daemon,
                failure::set));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "vital");
    thread.setDaemon(true);
    return thread;
  }

  private MapDefinition define(String name) throws Exception {
    return node.define(name, MODEL, Conflicts.ABORT, PATIENCE_NANOS);
  }

  private void assertDefineFailsAtOnceWith(Throwable reason, String name) {
    long begin = System.nanoTime();
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> define(name));
    assertTrue(System.nanoTime() - begin < AT_ONCE_NANOS, "It has waited");
    assertSame(reason, refused.getCause());
    assertTrue(refused.getMessage().contains(reason.getMessage()), refused::getMessage);
  }

  private void awaitFailure(Throwable reason) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (failure.get() == null && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    assertSame(reason, failure.get());
  }

  /** Media that have no memory left when a test wants it so. */
  private MapMedia withoutMemory() {
    GatedMedia there = new GatedMedia();
    return new MapMedia() {
      @Override
      public void use(long grid, int workers) {}

      @Override
      public DurableMedium open(int worker) {
        Error thrown = toThrow.get();
        if (thrown != null) {
          throw thrown;
        }
        return there.open(worker);
      }
    };
  }

  @Test
  void memoryThatEndsWhileAJournalIsOpenedEndsTheNode() throws Exception {
    Error reason = new OutOfMemoryError("a test's end of memory");
    toThrow.set(reason);
    start(withoutMemory(), unused -> {});
    assertDefineFailsAtOnceWith(reason, "second");
    awaitFailure(reason);
    assertDefineFailsAtOnceWith(reason, "third");
    assertSame(reason, node.failure());
  }

  @Test
  void anErrorInAWorkerEndsTheNodeAndThoseWhoWaitAreToldWhy() throws Exception {
    GatedMedia media = new GatedMedia();
    start(media, unused -> {});
    MapDefinition map = define("carts");
    MapSession session = node.openSession(map);
    media.closeGate();
    CompletableFuture<Operation> under = session.submit(Operation.write(Key.of("k"), new byte[1]));
    Error reason = new OutOfMemoryError("a test's end of memory");
    CompletableFuture<?> asked =
        node.ask(
            map,
            replica -> {
              throw reason;
            });
    assertSame(reason, assertThrows(CompletionException.class, asked::join).getCause());
    CompletionException ended = assertThrows(CompletionException.class, under::join);
    assertEquals(SessionEndedException.class, ended.getCause().getClass());
    assertTrue(ended.getMessage().contains(reason.getMessage()), ended::getMessage);
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> node.openSession(map));
    assertSame(reason, refused.getCause());
    assertDefineFailsAtOnceWith(reason, "second");
    awaitFailure(reason);
  }

  @Test
  void anErrorOfWhoAgreesOnViewsEndsTheNode() throws Exception {
    start(new GatedMedia(), unused -> {});
    define("first");
    Error reason = new OutOfMemoryError("a test's end of memory");
    CountDownLatch told = new CountDownLatch(1);
    // A member is told by that thread, which does not survive what it throws.
    views
        .membership(0)
        .join(
            new Views.Member() {
              @Override
              public void onView(AgreedView view) {
                told.countDown();
                throw reason;
              }

              @Override
              public void onLeft(String why) {}

              @Override
              public void onFailed(Throwable why) {
                failure.set(why);
              }
            });
    assertTrue(told.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS));
    awaitFailure(reason);
    assertDefineFailsAtOnceWith(reason, "second");
  }
}
