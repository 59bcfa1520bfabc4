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
package org.orcagrid.client.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.KeyOperation;
import org.orcagrid.simulator.checker.KeyOperation.Kind;
import org.orcagrid.simulator.checker.Linearizability;

/** Reads that are answered in the calling thread: what they show, and in which models they are. */
@Timeout(120)
class ReadsInCallerTest {
  private static final int NODES = 3;
  private static final int THREADS = 6;
  private static final int KEYS = 3;
  private static final int OPERATIONS = Integer.getInteger("operations", 1_500);

  @TempDir private Path folder;

  private EmbeddedGrid grid() {
    return Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(NODES).withFolder(folder));
  }

  /** Whether a read is complete when it returns, which one that asks the worker seldom is. */
  private static boolean isAnsweredHere(GridMap<String, Long> map, String key) {
    for (int i = 0; i < 100; i++) {
      CompletableFuture<Long> read = map.getAsync(key).toCompletableFuture();
      boolean isDone = read.isDone();
      read.join();
      if (!isDone) {
        return false;
      }
    }
    return true;
  }

  @Test
  void everyModelButThoseWithTransactionsAnswersWhereTheCallerIs() {
    try (EmbeddedGrid grid = grid()) {
      for (Ddp model : Ddp.all()) {
        GridMap<String, Long> map =
            grid.maps(0).map("m-" + model.id().replace('/', '-'), Codec.STRING, Codec.LONG, model);
        map.set("there", 7L);
        // Until it is visible, valid and durable here reads ask the worker, or show nothing yet.
        while (map.get("there") == null
            || (model.consistency() != Consistency.TRANSACTIONAL
                && !isAnsweredHere(map, "there"))) {
          assertTrue(model.consistency() == Consistency.EVENTUAL || map.get("there") == 7L);
        }
        assertEquals(7L, map.get("there"), model::toString);
        assertEquals(null, map.get("absent"), model::toString);
      }
    }
  }

  @Test
  void aReadComesAfterWhatItsThreadHasBegun() {
    try (EmbeddedGrid grid = grid()) {
      for (String model : List.of("linearizable/none", "causal/synchronous", "eventual/none")) {
        GridMap<String, Long> map =
            grid.maps(1)
                .map("own-" + model.replace('/', '-'), Codec.STRING, Codec.LONG, Ddp.parse(model));
        for (long number = 1; number <= 500; number++) {
          CompletableFuture<Void> write = map.setAsync("key", number).toCompletableFuture();
          assertEquals(number, map.get("key"), model);
          write.join();
          assertEquals(number, map.get("key"), model);
        }
      }
    }
  }

  @Test
  void nothingIsReadWhenTheGridIsClosed() {
    EmbeddedGrid grid = grid();
    GridMap<String, Long> map =
        grid.maps(0).map("closed", Codec.STRING, Codec.LONG, Ddp.parse("linearizable/none"));
    map.set("key", 1L);
    assertEquals(1L, map.get("key"));
    grid.close();
    assertTrue(map.getAsync("key").toCompletableFuture().isCompletedExceptionally());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"linearizable/none", "linearizable/synchronous", "linearizable/read-enforced"})
  void threadsAtAllNodesSeeOneCopy(String model) throws InterruptedException {
    List<ConcurrentLinkedQueue<KeyOperation>> histories = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      histories.add(new ConcurrentLinkedQueue<>());
    }
    AtomicInteger here = new AtomicInteger();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (EmbeddedGrid grid = grid()) {
      AtomicLong values = new AtomicLong();
      List<Thread> threads = new ArrayList<>();
      for (int number = 0; number < THREADS; number++) {
        AtomicGridMap<String, Long> map =
            grid.maps(number % NODES).atomicMap("one", Codec.STRING, Codec.LONG, Ddp.parse(model));
        int own = number;
        threads.add(new Thread(() -> use(own, map, values, histories, here)));
      }
      threads.forEach(thread -> thread.setUncaughtExceptionHandler((t, e) -> failures.add(e)));
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertTrue(failures.isEmpty(), failures::toString);
    assertTrue(here.get() > THREADS * OPERATIONS / 10, () -> here + " reads in callers");
    for (ConcurrentLinkedQueue<KeyOperation> each : histories) {
      Linearizability.Verdict verdict = Linearizability.judge(List.copyOf(each));
      assertFalse(
          verdict.answer() == Linearizability.Answer.NOT_LINEARIZABLE, verdict::explanation);
    }
  }

  /** Reads half of the time, and writes or swaps else. */
  private static void use(
      int thread,
      AtomicGridMap<String, Long> map,
      AtomicLong values,
      List<ConcurrentLinkedQueue<KeyOperation>> histories,
      AtomicInteger here) {
    SplittableRandom random = new SplittableRandom(thread);
    for (int i = 0; i < OPERATIONS; i++) {
      int key = random.nextInt(KEYS);
      int choice = random.nextInt(20);
      Kind kind = choice < 17 ? Kind.READ : choice < 19 ? Kind.WRITE : Kind.GET_AND_SET;
      long value = values.incrementAndGet();
      long begin = System.nanoTime();
      Long found = null;
      switch (kind) {
        case READ -> {
          CompletableFuture<Long> read = map.getAsync("k" + key).toCompletableFuture();
          here.addAndGet(read.isDone() ? 1 : 0);
          found = read.join();
        }
        case WRITE -> map.set("k" + key, value);
        default -> found = map.put("k" + key, value);
      }
      long end = System.nanoTime();
      histories
          .get(key)
          .add(
              new KeyOperation(
                  thread, kind, begin, end, value, 0, found == null ? Access.ABSENT : found));
    }
  }
}
