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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Ddp;

/** What asynchronous forms promise, each way in: deadlines, no waiting, and where callbacks run. */
@Timeout(120)
class AsynchronousFormsTest extends TcpGridFixture {
  private static final Ddp MODEL = Ddp.parse("linearizable/none");
  private static final Duration SHORT = Duration.ofMillis(100);

  /** More than a node or a client takes of a map. */
  private static final int MANY = 70_000;

  private Grid grid;
  private GridSession session;
  private KeyView<String, Long> keys;
  private AtomicGridMap<String, Long> map;

  /** The thread that does the work, held up by a listener that waits, as none may. */
  private static final class HeldUp implements AutoCloseable {
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicReference<Thread> worker = new AtomicReference<>();

    HeldUp(KeyView<String, Long> by) throws InterruptedException {
      CountDownLatch held = new CountDownLatch(1);
      by.getAcquireAsync(
          "any",
          answer -> {
            worker.set(Thread.currentThread());
            held.countDown();
            awaitQuietly(goOn);
          });
      assertTrue(held.await(60, TimeUnit.SECONDS));
    }

    @Override
    public void close() {
      goOn.countDown();
    }
  }

  private enum Way {
    EMBEDDED,
    MEMBER,
    REMOTE
  }

  private void enter(Way way) throws Exception {
    if (way == Way.EMBEDDED) {
      grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT);
      opened.add(grid);
    } else {
      choosePlaces(1);
      join(0, settings(0));
      awaitServing();
      grid = way == Way.MEMBER ? members.get(0) : connect(nodes, null);
    }
    session = grid.openSession();
    opened.add(session);
    session.timeout(PATIENCE);
    keys = session.view(Codec.STRING, Codec.LONG);
    map = grid.atomicMap("map", Codec.STRING, Codec.LONG, MODEL).timeout(PATIENCE);
    map.set("there", 1L);
    keys.setRelease("there", 1L);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Throwable reason(CompletionStage<?> stage) {
    CompletableFuture<?> future = stage.toCompletableFuture();
    return assertThrows(CompletionException.class, future::join).getCause();
  }

  // --- deadlines ---------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void whatDoesNotEndInTimeFailsAndItsEndIsCountedOnly(Way way) throws Exception {
    enter(way);
    AtomicInteger told = new AtomicInteger();
    AtomicReference<GridException> failure = new AtomicReference<>();
    CompletionStage<Void> key;
    CompletionStage<Void> write;
    CompletionStage<Long> put;
    try (HeldUp held = new HeldUp(keys)) {
      session.timeout(SHORT);
      long begin = System.nanoTime();
      key = keys.setReleaseAsync("k", 5L);
      keys.getAndAddAsync(
          "n",
          1,
          answer -> {
            failure.set(answer.failure());
            assertFalse(answer.isPresent());
            assertNull(answer.value());
            told.incrementAndGet();
          });
      write = map.timeout(SHORT).setAsync("k", 5L);
      put = map.timeout(SHORT).putAsync("n", 1L);
      // The connection's thread sends nothing, and the worker begins nothing of a map.
      Class<?> ofKeys = way == Way.REMOTE ? NotDoneException.class : OutcomeUnknownException.class;
      assertInstanceOf(ofKeys, reason(key));
      for (CompletionStage<?> each : List.of(write, put)) {
        assertInstanceOf(NotDoneException.class, reason(each));
        assertTrue(System.nanoTime() - begin >= SHORT.toNanos(), "not before its time");
      }
      await("the listener is told", () -> told.get() == 1);
      assertInstanceOf(ofKeys, failure.get());
      assertTrue(held.worker.get().isAlive());
    }
    await("all ends", () -> grid.deadlines().equals(new DeadlineFigures(4, 4)));
    assertEquals(1, told.get(), "nothing is told twice");
    session.timeout(PATIENCE);
    assertEquals(
        way == Way.REMOTE ? null : Long.valueOf(5), keys.getAcquire("k"), "the session goes on");
    assertEquals(way == Way.REMOTE ? null : Long.valueOf(1), keys.getAcquire("n"));
    assertNull(map.get("k"), "what is not done stays so");
    assertNull(map.get("n"));
    assertEquals(1L, keys.getAcquire("there"));
  }

  @Test
  void whatIsTakenBackIsLeftOutAmongTheOthers() throws Exception {
    enter(Way.REMOTE);
    CompletionStage<Long> before;
    CompletionStage<Long> back;
    CompletionStage<Long> after;
    try (HeldUp held = new HeldUp(keys)) {
      before = keys.getAndAddAsync("sum", 1);
      session.timeout(SHORT);
      back = keys.getAndAddAsync("sum", 10);
      session.timeout(PATIENCE);
      after = keys.getAndAddAsync("sum", 100);
      assertInstanceOf(NotDoneException.class, reason(back));
      assertTrue(held.worker.get().isAlive());
    }
    assertEquals(0L, before.toCompletableFuture().join());
    assertEquals(1L, after.toCompletableFuture().join());
    assertEquals(101L, keys.getAcquire("sum"));
    for (int i = 0; i < 1_000; i++) {
      session.awaitRoom();
      keys.getAndAddAsync("sum", 1);
    }
    assertEquals(1_101L, keys.getAcquire("sum"), "its place is used again");
  }

  @Test
  void withoutAMajorityNothingIsWaitedForForEver() throws Exception {
    start();
    RemoteGrid remote = connect(nodes.subList(0, 1), null);
    List<Grid> ways = List.of(members.get(0), remote);
    List<GridMap<String, Long>> maps =
        ways.stream()
            .map(
                each ->
                    each.map("map", Codec.STRING, Codec.LONG, MODEL).timeout(Duration.ofSeconds(1)))
            .toList();
    List<GridSession> sessions =
        ways.stream().map(each -> each.openSession().timeout(Duration.ofSeconds(1))).toList();
    opened.addAll(sessions);
    // Nobody agrees that they are gone.
    views.close();
    members.get(1).close();
    members.get(2).close();
    List<CompletionStage<?>> all =
        Stream.concat(
                sessions.stream()
                    .map(each -> each.view(Codec.STRING, Codec.LONG).getAndAddAsync("key", 1)),
                maps.stream().map(each -> each.setAsync("key", 1L)))
            .<CompletionStage<?>>map(each -> each)
            .toList();
    all.forEach(each -> assertInstanceOf(OutcomeUnknownException.class, reason(each)));
  }

  @ParameterizedTest
  @EnumSource
  void whatEndsInTimeHasNoDeadlineThatPasses(Way way) throws Exception {
    enter(way);
    for (int i = 0; i < 2_000; i++) {
      session.awaitRoom();
      keys.getAndAddAsync("sum", 1);
      map.setAsync("key" + i % 10, (long) i).toCompletableFuture().join();
    }
    assertEquals(2_000L, keys.getAcquire("sum"));
    assertEquals(new DeadlineFigures(0, 0), grid.deadlines());
  }

  // --- no waiting --------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void aSessionThatIsFullSaysSoAtOnce(Way way) throws Exception {
    enter(way);
    AtomicInteger told = new AtomicInteger();
    CompletionStage<Long> last = null;
    try (HeldUp held = new HeldUp(keys)) {
      while (session.room() > 0) {
        last = keys.getAndAddAsync("sum", 1);
      }
      CompletionStage<Long> refused = keys.getAndAddAsync("sum", 1);
      assertTrue(refused.toCompletableFuture().isCompletedExceptionally(), "at once");
      assertInstanceOf(OverloadException.class, reason(refused));
      assertThrows(
          OverloadException.class,
          () -> keys.getAndAddAsync("sum", 1, answer -> told.incrementAndGet()));
      session.timeout(SHORT);
      assertThrows(OverloadException.class, session::awaitRoom);
      session.timeout(PATIENCE);
      assertTrue(held.worker.get().isAlive());
    }
    session.awaitRoom();
    long before = keys.getAndAddAsync("sum", 0).toCompletableFuture().join();
    assertEquals(last.toCompletableFuture().join() + 1, before, "what was refused was not done");
    assertEquals(0, told.get());
  }

  @ParameterizedTest
  @EnumSource
  void aMapThatIsFullSaysSoAtOnce(Way way) throws Exception {
    enter(way);
    CompletableFuture<Void> last = null;
    int begun = 0;
    try (HeldUp held = new HeldUp(keys)) {
      do {
        last = map.setAsync("key" + begun % 100, 1L).toCompletableFuture();
      } while (!last.isDone() && begun++ < MANY);
      assertInstanceOf(OverloadException.class, reason(last));
      assertTrue(held.worker.get().isAlive());
    }
    await("there is room again", () -> !isRefused(map.getAsync("there")));
  }

  private static boolean isRefused(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().join();
      return false;
    } catch (CompletionException e) {
      assertInstanceOf(OverloadException.class, e.getCause());
      return true;
    }
  }

  @Test
  void aClientWithoutANodeDoesNotWaitForOne() throws Exception {
    enter(Way.REMOTE);
    members.get(0).close();
    await("the loss is noticed", () -> reason(map.getAsync("there")) instanceof NotDoneException);
    // Another thread has no session yet, and would have to connect for one.
    Throwable reason =
        CompletableFuture.supplyAsync(() -> reason(map.getAsync("there")), threads).get();
    assertInstanceOf(NotDoneException.class, reason);
    grid.close();
    assertInstanceOf(IllegalStateException.class, reason(map.getAsync("there")));
  }

  // --- callbacks ---------------------------------------------------------------------------------

  /** The thread in which a dependent of a stage runs that is there before the stage is complete. */
  private Thread threadOf(Supplier<CompletionStage<?>> form) throws Exception {
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    try (HeldUp held = new HeldUp(keys)) {
      form.get().thenRun(() -> ran.complete(Thread.currentThread()));
      assertFalse(ran.isDone());
      assertTrue(held.worker.get().isAlive());
    }
    return ran.get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void callbacksRunWhereTheCallerSays(Way way) throws Exception {
    enter(way);
    Thread worker;
    try (HeldUp held = new HeldUp(keys)) {
      worker = held.worker.get();
    }
    assertNotSame(worker, threadOf(() -> keys.getAcquireAsync("there")));
    assertNotSame(worker, threadOf(() -> map.setAsync("there", 1L)));
    CompletableFuture<Thread> own = new CompletableFuture<>();
    ExecutorService one = Executors.newSingleThreadExecutor();
    try {
      one.execute(() -> own.complete(Thread.currentThread()));
      session.executor(one);
      assertSame(own.join(), threadOf(() -> keys.getAcquireAsync("there")));
      assertSame(
          own.join(), threadOf(() -> map.executor(one).timeout(PATIENCE).setAsync("there", 1L)));
      session.executor(Runnable::run);
      assertSame(worker, threadOf(() -> keys.getAcquireAsync("there")));
      assertSame(worker, threadOf(() -> map.executor(Runnable::run).setAsync("there", 1L)));
    } finally {
      one.shutdown();
    }
    session.executor(one);
    assertNotSame(
        worker, threadOf(() -> keys.getAcquireAsync("there")), "refused by an ended executor");
    assertNotSame(worker, threadOf(() -> map.executor(one).setAsync("there", 1L)));
    assertThrows(NullPointerException.class, () -> session.executor(null));
    assertThrows(NullPointerException.class, () -> map.executor(null));
  }

  @ParameterizedTest
  @EnumSource
  void aCallbackThatWaitsOrThrowsHoldsUpNobody(Way way) throws Exception {
    enter(way);
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(1);
    CompletableFuture<Void> end;
    try (HeldUp held = new HeldUp(keys)) {
      CompletionStage<Long> first = keys.getAsync("there");
      end =
          first
              .thenAccept(
                  each -> {
                    waiting.countDown();
                    awaitQuietly(goOn);
                  })
              .toCompletableFuture();
      assertTrue(held.worker.get().isAlive());
    }
    assertTrue(waiting.await(60, TimeUnit.SECONDS));
    for (long i = 0; i < 100; i++) {
      keys.setRelease("k", i);
      assertEquals(i, keys.getAcquire("k"));
      map.set("k", i);
      assertEquals(i, map.get("k"));
    }
    assertFalse(end.isDone());
    goOn.countDown();
    end.get(60, TimeUnit.SECONDS);
    CompletionStage<Object> thrown =
        map.executor(Runnable::run)
            .getAsync("there")
            .thenApply(
                each -> {
                  throw new AssertionError("the caller's fault");
                });
    assertInstanceOf(AssertionError.class, reason(thrown));
    assertEquals(1L, map.get("there"));
  }

  @ParameterizedTest
  @EnumSource
  void aCodecThatThrowsAnErrorIsInTheStage(Way way) throws Exception {
    enter(way);
    Codec<Long> bad =
        Codec.of(
            (value, out) -> {
              throw new AssertionError("cannot write");
            },
            in -> {
              throw new AssertionError("cannot read");
            });
    View<String, Long> view = session.view(Codec.STRING, bad);
    assertInstanceOf(AssertionError.class, reason(view.getAsync("there")));
    assertInstanceOf(AssertionError.class, reason(view.setAsync("there", 2L)));
    GridMap<String, Long> badMap = grid.map("map", Codec.STRING, bad, MODEL);
    assertInstanceOf(AssertionError.class, reason(badMap.getAsync("there")));
    assertInstanceOf(AssertionError.class, reason(badMap.setAsync("there", 2L)));
    assertEquals(1L, keys.getAcquire("there"), "the session and its node go on");
    assertEquals(1L, map.get("there"));
  }
}
