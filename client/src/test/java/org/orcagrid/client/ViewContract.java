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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What every {@link View} is held to, whatever it is of, and whichever way a program has come to
 * the grid.
 */
final class ViewContract {
  private static final int THREADS = 4;
  private static final int ADDITIONS = 100;
  private static final int MESSAGES = 50;

  /** Opens views of the same keys and values, each for another actor. */
  interface Opening {
    <V> View<String, V> open(Codec<V> values);
  }

  private final Opening here;
  private final Opening there;
  private final View<String, Long> numbers;
  private final View<String, String> texts;

  /**
   * Views of the same.
   *
   * @param here at one place of the grid
   * @param there at another one, or the same if there is one only
   */
  ViewContract(Opening here, Opening there) {
    this.here = here;
    this.there = there;
    this.numbers = here.open(Codec.LONG);
    this.texts = here.open(Codec.STRING);
  }

  void all() throws Exception {
    nullIsNoValue();
    aNullKeyIsNone();
    absentIsNotZero();
    whatIsNoNumberIsSaidSo();
    aCompareAndSetSaysWhatItHasFound();
    manyAtOnce();
    theAsynchronousFormsAreTheSame();
    failuresAreInTheStage();
    theExecutorCompletesStages();
    whatWasWrittenBeforeAReleaseIsThereAfterTheAcquire();
    nothingIsAddedTwiceOrLost();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static void assertFails(Class<? extends Throwable> with, CompletionStage<?> stage) {
    CompletionException failure = assertThrows(CompletionException.class, () -> join(stage));
    assertInstanceOf(with, failure.getCause());
  }

  private void nullIsNoValue() {
    assertNull(numbers.get("null"));
    assertNull(numbers.getAcquire("null"));
    numbers.set("null", 1L);
    assertEquals(1L, numbers.get("null"));
    numbers.set("null", null);
    assertNull(numbers.get("null"));
    numbers.set("null", 2L);
    numbers.delete("null");
    assertNull(numbers.get("null"));
    numbers.setRelease("null", 3L);
    assertEquals(3L, numbers.getAcquire("null"));
    numbers.setRelease("null", null);
    assertNull(numbers.getAcquire("null"));
    numbers.setRelease("null", 4L);
    numbers.deleteRelease("null");
    assertNull(numbers.getAcquire("null"));
    assertNull(numbers.getAndSet("null", 5L));
    assertEquals(5L, numbers.getAndSet("null", null));
    assertNull(numbers.getAndSet("null", null));
    assertTrue(numbers.compareAndSet("null", null, 6L));
    assertFalse(numbers.compareAndSet("null", null, 7L));
    assertTrue(numbers.compareAndSet("null", 6L, null));
    assertNull(numbers.getAcquire("null"));
  }

  private void aNullKeyIsNone() {
    assertThrows(NullPointerException.class, () -> numbers.get(null));
    assertThrows(NullPointerException.class, () -> numbers.set(null, 1L));
    assertThrows(NullPointerException.class, () -> numbers.getAndAdd(null, 1));
    assertThrows(NullPointerException.class, () -> numbers.getAll(Arrays.asList("a", null)));
  }

  private void absentIsNotZero() {
    assertEquals(-1, numbers.getLong("zero", -1));
    assertEquals(-2L, join(numbers.getLongAsync("zero", -2)));
    numbers.setRelease("zero", 0L);
    assertEquals(0, numbers.getLong("zero", -1));
    assertEquals(0L, join(numbers.getLongAsync("zero", -2)));
    assertEquals(0, numbers.getAndAdd("sum", 5), "no value counts as 0");
    assertEquals(5, numbers.getAndAdd("sum", -7));
    assertEquals(-2L, numbers.getAcquire("sum"));
    numbers.deleteRelease("sum");
    assertEquals(0, numbers.getAndAdd("sum", 1));
  }

  private void whatIsNoNumberIsSaidSo() {
    texts.setRelease("text", "not eight");
    assertThrows(NotANumberException.class, () -> texts.getAndAdd("text", 1));
    assertFails(NotANumberException.class, texts.getAndAddAsync("text", 1));
    assertThrows(NotANumberException.class, () -> texts.getLong("text", 1));
    assertFails(NotANumberException.class, texts.getLongAsync("text", 1));
    assertEquals("not eight", texts.getAcquire("text"), "nothing was written");
  }

  private void aCompareAndSetSaysWhatItHasFound() {
    assertNull(texts.compareAndExchange("swap", null, "a"));
    assertEquals("a", texts.compareAndExchange("swap", null, "b"));
    assertEquals("a", texts.compareAndExchange("swap", "b", "c"));
    assertEquals("a", texts.compareAndExchange("swap", "a", "d"), "what was there");
    assertEquals("d", texts.getAcquire("swap"));
    assertFalse(texts.compareAndSet("swap", "a", "e"));
    assertTrue(texts.compareAndSet("swap", "d", "e"));
    assertFalse(texts.weakCompareAndSet("swap", "d", "f"));
    // It may fail for no reason.
    while (!texts.weakCompareAndSet("swap", "e", "f")) {
      assertEquals("e", texts.getAcquire("swap"));
    }
    assertEquals("f", texts.compareAndExchange("swap", "f", null));
    assertNull(texts.getAcquire("swap"));
    assertNull(texts.compareAndExchange("swap", "f", "g"));
    assertNull(texts.getAcquire("swap"));
  }

  private void manyAtOnce() {
    Map<String, Long> entries = new LinkedHashMap<>();
    for (long i = 0; i < 20; i++) {
      entries.put("many" + i, i);
    }
    numbers.setAll(entries);
    assertEquals(entries, numbers.getAll(entries.keySet()));
    entries.put("many3", null);
    join(numbers.setAllAsync(entries));
    entries.remove("many3");
    List<String> asked = List.of("many3", "many5", "many4", "many5");
    Map<String, Long> found = Map.of("many5", 5L, "many4", 4L);
    assertEquals(found, numbers.getAll(asked));
    assertEquals(found, join(numbers.getAllAsync(asked)));
    assertEquals(List.of("many5", "many4"), List.copyOf(join(numbers.getAllAsync(asked)).keySet()));
    assertEquals(entries, join(numbers.getAllAsync(entries.keySet())));
  }

  private void theAsynchronousFormsAreTheSame() {
    assertNull(join(numbers.getAsync("later")));
    join(numbers.setAsync("later", 1L));
    assertEquals(1L, join(numbers.getAsync("later")));
    join(numbers.deleteAsync("later"));
    assertNull(join(numbers.getAsync("later")));
    join(numbers.setReleaseAsync("later", 2L));
    assertEquals(2L, join(numbers.getAcquireAsync("later")));
    join(numbers.deleteReleaseAsync("later"));
    assertNull(join(numbers.getAndSetAsync("later", 3L)));
    assertEquals(3L, join(numbers.getAndAddAsync("later", 4)));
    assertFalse(join(numbers.compareAndSetAsync("later", 3L, 8L)));
    assertTrue(join(numbers.compareAndSetAsync("later", 7L, 8L)));
    assertFalse(join(numbers.weakCompareAndSetAsync("later", 7L, 9L)));
    assertEquals(8L, join(numbers.compareAndExchangeAsync("later", 7L, 9L)));
    assertEquals(8L, join(numbers.compareAndExchangeAsync("later", 8L, 9L)));
    assertEquals(9L, numbers.getAcquire("later"));
    assertTrue(join(numbers.compareAndSetAsync("later", 9L, null)));
    assertNull(join(numbers.compareAndExchangeAsync("later", null, 10L)));
  }

  private void failuresAreInTheStage() {
    assertFails(NullPointerException.class, numbers.getAsync(null));
    assertFails(NullPointerException.class, numbers.setAsync(null, 1L));
    assertFails(NullPointerException.class, numbers.getAndAddAsync(null, 1));
    assertFails(NullPointerException.class, numbers.getAllAsync(Arrays.asList("a", null)));
    Map<String, Long> entries = new HashMap<>();
    entries.put(null, 1L);
    assertFails(NullPointerException.class, numbers.setAllAsync(entries));
    for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThrows(IllegalArgumentException.class, () -> numbers.timeout(none));
    }
    assertThrows(NullPointerException.class, () -> numbers.executor(null));
  }

  private void theExecutorCompletesStages() throws InterruptedException {
    ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    View<String, Long> elsewhere = numbers.executor(waiting::add);
    CompletableFuture<Thread> ran =
        elsewhere
            .getAndAddAsync("executor", 1)
            .thenApply(done -> Thread.currentThread())
            .toCompletableFuture();
    TcpGridFixture.await("it is to be completed", () -> !waiting.isEmpty());
    assertFalse(ran.isDone());
    waiting.remove().run();
    assertSame(Thread.currentThread(), ran.join());
  }

  private void whatWasWrittenBeforeAReleaseIsThereAfterTheAcquire() throws Exception {
    parallel(
        2,
        thread -> {
          if (thread == 0) {
            send(here.open(Codec.LONG));
          } else {
            receive(there.open(Codec.LONG));
          }
        });
  }

  private static void send(View<String, Long> view) {
    for (long i = 1; i <= MESSAGES; i++) {
      view.set("data", i);
      view.set("more data", i);
      view.setRelease("flag", i);
    }
  }

  private static void receive(View<String, Long> view) {
    for (Long flag = null; flag == null || flag < MESSAGES; ) {
      flag = view.getAcquire("flag");
      if (flag != null) {
        assertTrue(view.getLong("data", 0) >= flag);
        assertTrue(view.get("more data") >= flag);
      }
    }
  }

  private void nothingIsAddedTwiceOrLost() throws Exception {
    parallel(
        THREADS,
        thread -> {
          View<String, Long> view = (thread % 2 == 0 ? here : there).open(Codec.LONG);
          for (int i = 0; i < ADDITIONS; i++) {
            if (i % 2 == 0) {
              view.getAndAdd("added", 1);
            } else {
              join(view.getAndAddAsync("added", 1));
            }
          }
        });
    assertEquals((long) THREADS * ADDITIONS, numbers.getAcquire("added"));
  }

  private interface Work {
    void run(int thread);
  }

  private static void parallel(int count, Work work) throws InterruptedException {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads =
        java.util.stream.IntStream.range(0, count)
            .mapToObj(
                number ->
                    new Thread(
                        () -> {
                          try {
                            work.run(number);
                          } catch (RuntimeException | AssertionError e) {
                            failures.add(e);
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
    assertTrue(failures.isEmpty(), failures::toString);
  }
}
