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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.model.Promise;

/**
 * Places where a program has one grid, and what a model promises between them.
 *
 * @param all the places
 * @param model of what is used there
 */
record Places(List<? extends GridMaps> all, Ddp model) {
  private static final int THREADS_OF_A_PLACE = 2;

  /** What a thread does. */
  interface Work {
    void run(GridMaps place, int thread) throws Exception;
  }

  GridMaps first() {
    return all.get(0);
  }

  GridMaps last() {
    return all.get(all.size() - 1);
  }

  /** How many threads {@link #everywhere} has. */
  int threads() {
    return all.size() * THREADS_OF_A_PLACE;
  }

  /** A name of its own for each model. */
  String name(String kind) {
    return kind + "-" + model.id().replace('/', '.');
  }

  /** By threads at all places at once. */
  void everywhere(Work work) throws InterruptedException {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < threads(); number++) {
      int own = number;
      GridMaps place = all.get(number % all.size());
      Thread thread =
          new Thread(
              () -> {
                try {
                  work.run(place, own);
                } catch (Exception | AssertionError e) {
                  failures.add(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      AssertionError all = new AssertionError(failures.size() + " threads: " + failures);
      failures.forEach(all::addSuppressed);
      throw all;
    }
  }

  /**
   * Whether a read anywhere shows what has completed before it began. {@link Promise} speaks of
   * crashes, too; here nothing crashes.
   */
  private boolean isFresh() {
    return model.consistency() == Consistency.LINEARIZABLE
        || model.consistency() == Consistency.TRANSACTIONAL
        || Promise.NON_STALE_READS.isMadeBy(model);
  }

  /** Another place sees what has completed: at once, or after a while, as the model has it. */
  <T> void assertSees(T expected, Supplier<? extends T> read) {
    assertHas(expected, read, isFresh());
  }

  /**
   * A thread sees what it has written, in a read of its key and in one of all keys: at once, but
   * where a write completes before its own node shows it.
   */
  <T> void assertSeesOwn(T expected, Supplier<? extends T> read) {
    boolean later =
        model.consistency() == Consistency.EVENTUAL
            && model.persistency() == Persistency.SYNCHRONOUS;
    assertHas(expected, read, !later);
  }

  private <T> void assertHas(T expected, Supplier<? extends T> read, boolean atOnce) {
    if (atOnce) {
      assertEquals(expected, read.get(), () -> "in a map of " + model);
      return;
    }
    TcpGridFixture.await(expected + " is seen", () -> Objects.equals(expected, read.get()));
  }

  /** What a call is refused with says this. */
  static void assertSays(String what, Throwable refusal) {
    assertTrue(String.valueOf(refusal.getMessage()).contains(what), refusal::toString);
  }
}
