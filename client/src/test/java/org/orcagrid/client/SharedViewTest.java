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
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The keys of a grid as many threads share them, in each way to come to it. */
class SharedViewTest extends TcpGridFixture {
  private static final int THREADS = 6;
  private static final int OPERATIONS = 300;
  private static final Duration SHORT = Duration.ofMillis(200);

  private enum Way {
    EMBEDDED,
    MEMBER,
    REMOTE
  }

  /** A view at each node. */
  private List<KeyView<String, Long>> views(Way way) throws Exception {
    return switch (way) {
      case EMBEDDED -> {
        EmbeddedGrid grid = Grid.embedded(NODES);
        opened.add(grid);
        yield IntStream.range(0, NODES)
            .mapToObj(node -> grid.view(node, Codec.STRING, Codec.LONG))
            .toList();
      }
      case MEMBER -> {
        start();
        yield members.stream().map(each -> each.view(Codec.STRING, Codec.LONG)).toList();
      }
      case REMOTE -> {
        start();
        yield nodes.stream()
            .map(each -> connect(List.of(each), null).view(Codec.STRING, Codec.LONG))
            .toList();
      }
    };
  }

  private Grid one(Way way) throws Exception {
    if (way == Way.EMBEDDED) {
      EmbeddedGrid grid = Grid.embedded();
      opened.add(grid);
      return grid;
    }
    choosePlaces(1);
    join(0, settings(0));
    awaitServing();
    return way == Way.MEMBER ? members.get(0) : connect(nodes, null);
  }

  /** Virtual threads where there are any. */
  private static ThreadFactory threads() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return (ThreadFactory)
          Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      // An older JDK.
      return Thread::new;
    }
  }

  private static SharedHistory history(
      List<? extends KeyView<String, Long>> views, String name, boolean waits)
      throws InterruptedException {
    SharedHistory history = new SharedHistory(views, name);
    return history.run(
        IntStream.range(0, THREADS)
            .mapToObj(thread -> new Thread(history.work(thread, OPERATIONS, waits)))
            .toList());
  }

  // --- what it promises --------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void itIsLinearizable(Way way) throws Exception {
    List<KeyView<String, Long>> views = views(way);
    for (boolean waits : new boolean[] {false, true}) {
      SharedHistory history = history(views, "waits " + waits, waits);
      assertEquals(List.of(), history.violations());
      assertEquals(SharedHistory.keys(), history.decided());
    }
  }

  /** A view that answers acquires by its node's copy. */
  @SuppressWarnings("unchecked")
  private static KeyView<String, Long> broken(KeyView<String, Long> view) {
    return (KeyView<String, Long>)
        Proxy.newProxyInstance(
            KeyView.class.getClassLoader(),
            new Class<?>[] {KeyView.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getAcquireAsync") && arguments.length == 2) {
                view.getAsync((String) arguments[0], (AnswerListener<Long>) arguments[1]);
                return null;
              }
              return method.invoke(view, arguments);
            });
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "REMOTE"})
  void acquiresByTheOwnCopyAreFoundOut(Way way) throws Exception {
    List<KeyView<String, Long>> views = views(way).stream().map(SharedViewTest::broken).toList();
    AtomicInteger rounds = new AtomicInteger();
    await(
        "a violation",
        () -> {
          try {
            return !history(views, "round " + rounds.incrementAndGet(), false)
                .violations()
                .isEmpty();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void manyThreadsWaitAtOnce(Way way) throws Exception {
    KeyView<String, Long> view = one(way).view(Codec.STRING, Codec.LONG).timeout(PATIENCE);
    ThreadFactory made = threads();
    int count = 300;
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> running = new ArrayList<>();
    AtomicInteger right = new AtomicInteger();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < count; i++) {
      String own = "own" + i;
      Thread thread =
          made.newThread(
              () -> {
                try {
                  begin.await();
                  for (long round = 1; round <= 5; round++) {
                    view.set(own, round);
                    view.getAndAdd("all", 1);
                    view.setRelease(own + "-released", round);
                    assertEquals(round, view.getLong(own, 0));
                    assertEquals(round, view.getAcquire(own + "-released"));
                    right.incrementAndGet();
                  }
                } catch (InterruptedException | RuntimeException | AssertionError e) {
                  failures.add(e);
                }
              });
      running.add(thread);
      thread.start();
    }
    begin.countDown();
    for (Thread each : running) {
      each.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
    assertEquals(5 * count, right.get());
    assertEquals(5L * count, view.getAcquire("all"));
  }

  // --- bounds ------------------------------------------------------------------------------------

  /** The thread that does the work, held up; a test that fails lets it go on, too. */
  private static final class HeldUp implements AutoCloseable {
    private final CountDownLatch goOn = new CountDownLatch(1);

    HeldUp(KeyView<String, Long> by) throws InterruptedException {
      CountDownLatch held = new CountDownLatch(1);
      by.getAcquireAsync(
          "any",
          answer -> {
            held.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      held.await();
    }

    boolean isHeld() {
      return goOn.getCount() > 0;
    }

    @Override
    public void close() {
      goOn.countDown();
    }
  }

  private static Throwable reason(CompletableFuture<?> future) {
    return assertThrows(CompletionException.class, future::join).getCause();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsTooMuchIsRefusedAtOnce(Way way) throws Exception {
    Grid grid = one(way).sharedSessions(6);
    KeyView<String, Long> view = grid.view(Codec.STRING, Codec.LONG).timeout(PATIENCE);
    view.setRelease("k", 1L);
    List<CompletableFuture<Long>> begun = new ArrayList<>();
    CompletableFuture<Long> waits;
    try (HeldUp held = new HeldUp(view)) {
      CompletableFuture<Long> last = view.getAndAddAsync("sum", 1).toCompletableFuture();
      while (!last.isDone()) {
        begun.add(last);
        last = view.getAndAddAsync("sum", 1).toCompletableFuture();
      }
      assertInstanceOf(OverloadException.class, reason(last));
      assertThrows(OverloadException.class, () -> view.getAcquireAsync("k", fill(view)));
      assertThrows(
          OverloadException.class, () -> view.timeout(SHORT).getAcquire("k"), "it has waited");
      waits = CompletableFuture.supplyAsync(() -> view.getAcquire("k"), threads);
      assertTrue(held.isHeld());
    }
    begun.forEach(CompletableFuture::join);
    assertEquals(1L, waits.get(), "there is room again");
    assertTrue(view.getAcquire("sum") >= begun.size());
  }

  /** Begins operations until no session takes any: one may be full before the others are. */
  private static AnswerListener<Long> fill(KeyView<String, Long> view) {
    AnswerListener<Long> listener = answer -> {};
    for (int refused = 0; refused < 100; ) {
      try {
        view.getAcquireAsync("k", listener);
        refused = 0;
      } catch (OverloadException e) {
        refused++;
      }
    }
    return listener;
  }

  @ParameterizedTest
  @EnumSource
  void whatDoesNotEndInTimeSaysSoAndTheViewGoesOn(Way way) throws Exception {
    Grid grid = one(way);
    KeyView<String, Long> view = grid.view(Codec.STRING, Codec.LONG).timeout(PATIENCE);
    KeyView<String, Long> hurried = view.timeout(SHORT);
    view.setRelease("k", 1L);
    List<Throwable> overdue = new ArrayList<>();
    try (HeldUp held = new HeldUp(view)) {
      overdue.add(assertThrows(GridException.class, () -> hurried.getAcquire("k")));
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        writes.add(hurried.setReleaseAsync("k", 2L).toCompletableFuture());
      }
      Throwable read = reason(hurried.getAcquireAsync("k").toCompletableFuture());
      Class<?> expected =
          way == Way.REMOTE ? NotDoneException.class : OutcomeUnknownException.class;
      assertInstanceOf(expected, read);
      overdue.add(read);
      writes.forEach(write -> overdue.add(reason(write)));
      await("all are counted", () -> grid.deadlines().passed() == overdue.size());
      Thread.currentThread().interrupt();
      assertThrows(OutcomeUnknownException.class, () -> view.getAcquire("k"));
      assertTrue(Thread.interrupted());
      assertTrue(held.isHeld());
    }
    // Until then a write that is overdue may still take effect, after later ones of other sessions.
    await("all have ended", () -> grid.deadlines().late() == overdue.size());
    view.setRelease("k", 3L);
    assertEquals(3L, view.getAcquire("k"));
  }

  @Test
  void aCallbackCannotWait() throws Exception {
    KeyView<String, Long> view = one(Way.EMBEDDED).view(Codec.STRING, Codec.LONG);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    view.getAcquireAsync(
        "k",
        answer -> {
          try {
            view.getAcquire("k");
            thrown.complete(null);
          } catch (RuntimeException e) {
            thrown.complete(e);
          }
        });
    assertInstanceOf(IllegalStateException.class, thrown.get());
  }

  // --- its sessions ------------------------------------------------------------------------------

  @Test
  void oneSessionIsEnough() {
    EmbeddedGrid grid = Grid.embedded(new EmbeddedGrid.Settings(1, 1, 1 << 10, 1 << 24));
    opened.add(grid);
    KeyView<String, Long> view = grid.view(Codec.STRING, Codec.LONG);
    view.set("a", 1L);
    view.setRelease("b", 2L);
    assertEquals(1L, view.getAcquire("a"));
    assertEquals(2L, view.getAndAdd("b", 1));
    assertThrows(IllegalStateException.class, grid::openSession, "it is in use");
  }

  @Test
  void withoutASessionThereIsNoView() {
    EmbeddedGrid grid = Grid.embedded(new EmbeddedGrid.Settings(1, 1, 1 << 10, 1 << 24));
    opened.add(grid);
    opened.add(grid.openSession());
    assertThrows(IllegalStateException.class, () -> grid.view(Codec.STRING, Codec.LONG));
  }

  @Test
  void noMoreSessionsThanItWasTold() throws Exception {
    EmbeddedGrid grid = Grid.embedded(new EmbeddedGrid.Settings(1, 12, 1 << 10, 1 << 24));
    opened.add(grid);
    assertThrows(IllegalArgumentException.class, () -> grid.sharedSessions(0));
    assertThrows(IllegalArgumentException.class, () -> grid.sharedSessions(65));
    KeyView<String, Long> view = grid.sharedSessions(8).view(Codec.STRING, Codec.LONG);
    history(List.of(view), "", false);
    for (int i = 0; i < 4; i++) {
      opened.add(grid.openSession());
    }
    assertThrows(IllegalStateException.class, grid::openSession);
  }

  @Test
  void aViewOfALostNodeEndsAndThereIsAnother() throws Exception {
    start();
    RemoteGrid remote = connect(nodes, null);
    KeyView<String, Long> view = remote.view(Codec.STRING, Codec.LONG);
    view.setRelease("k", 1L);
    int at =
        IntStream.range(0, NODES)
            .filter(node -> view.toString().endsWith(nodes.get(node).toString()))
            .findFirst()
            .orElseThrow();
    members.get(at).close();
    await("it has ended", () -> hasEnded(view));
    assertThrows(IllegalStateException.class, () -> view.get("k"));
    KeyView<String, Long> another = remote.view(Codec.STRING, Codec.LONG).timeout(PATIENCE);
    assertEquals(1L, another.getAcquire("k"));
  }

  private static boolean hasEnded(KeyView<String, Long> view) {
    try {
      view.timeout(SHORT).getAcquire("k");
      return false;
    } catch (GridException e) {
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
