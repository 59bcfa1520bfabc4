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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Consistency;

/** What forms that do not wait are held to, of maps of any model. */
final class AsynchronousMapContract {
  private static final int MANY = 50;

  private final Places places;
  private final GridMap<String, Long> map;

  AsynchronousMapContract(Places places) {
    this.places = places;
    this.map =
        places
            .first()
            .map(places.name("counts"), Codec.STRING, Codec.LONG, places.model())
            .timeout(TcpGridFixture.PATIENCE);
  }

  void all() {
    operationsOnAKeyAreInOrder();
    theExecutorCompletesStages();
    aCallbackMayNotWaitForTheMapInItsWorker();
    noAnswerInTimeIsAnUnknownOutcome();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private void operationsOnAKeyAreInOrder() {
    List<CompletionStage<Void>> all = new ArrayList<>();
    for (long n = 0; n < MANY; n++) {
      all.add(map.setAsync("in order", n));
      all.add(map.setAsync("in order " + n, n));
    }
    places.assertSeesOwn(MANY - 1L, () -> join(map.getAsync("in order")));
    all.forEach(AsynchronousMapContract::join);
    assertEquals(7L, map.get("in order 7"));
    all.clear();
    all.add(map.setAsync("in order", 1L));
    all.add(map.deleteAsync("in order"));
    // Waiting forms are in the same order.
    places.assertSeesOwn(null, () -> map.get("in order"));
    all.add(map.setAsync("in order", 2L));
    places.assertSeesOwn(2L, () -> map.get("in order"));
    all.add(map.setAsync("in order", null));
    places.assertSeesOwn(null, () -> join(map.getAsync("in order")));
    all.add(map.setAsync("in order", 3L, Duration.ofHours(1)));
    places.assertSeesOwn(true, () -> map.expiry("in order").isPresent());
    all.forEach(AsynchronousMapContract::join);
  }

  private void theExecutorCompletesStages() {
    ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    CompletableFuture<Thread> ran =
        map.executor(waiting::add)
            .setAsync("elsewhere", 1L)
            .thenApply(done -> Thread.currentThread())
            .toCompletableFuture();
    TcpGridFixture.await("it is to be completed", () -> !waiting.isEmpty());
    assertFalse(ran.isDone());
    waiting.remove().run();
    assertSame(Thread.currentThread(), ran.join());
    assertThrows(NullPointerException.class, () -> map.executor(null));
  }

  private void aCallbackMayNotWaitForTheMapInItsWorker() {
    // If the answer was there already the caller's own thread goes on, which may wait.
    TcpGridFixture.await("a callback is asked to wait", this::isRefusedToWait);
  }

  private boolean isRefusedToWait() {
    try {
      join(map.executor(Runnable::run).setAsync("a", 1L).thenAccept(each -> map.set("b", 1L)));
      return false;
    } catch (CompletionException e) {
      assertInstanceOf(IllegalStateException.class, e.getCause());
      Places.assertSays("cannot wait", e.getCause());
      return true;
    }
  }

  private void noAnswerInTimeIsAnUnknownOutcome() {
    for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThrows(IllegalArgumentException.class, () -> map.timeout(none));
    }
    if (places.model().consistency() == Consistency.LINEARIZABLE) {
      GridMap<String, Long> impatient = map.timeout(Duration.ofNanos(1));
      TcpGridFixture.await("the answer is late", () -> isUnknown(impatient));
    }
    places.assertSeesOwn(1L, () -> map.get("a"));
  }

  private static boolean isUnknown(GridMap<String, Long> impatient) {
    try {
      impatient.set("a", 1L);
      return false;
    } catch (OutcomeUnknownException e) {
      return true;
    }
  }
}
