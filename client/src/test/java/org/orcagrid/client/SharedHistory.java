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

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.KeyOperation;
import org.orcagrid.simulator.checker.KeyOperation.Kind;
import org.orcagrid.simulator.checker.Linearizability;

/**
 * Threads that do acquires, releases and read-modify-writes of a few keys by views, many of each
 * thread under way at once; and what they saw, judged for each key.
 */
final class SharedHistory {
  private static final int KEYS = 8;
  private static final int UNDER_WAY = 8;

  private final List<? extends KeyView<String, Long>> views;
  private final String name;
  private final List<ConcurrentLinkedQueue<KeyOperation>> histories = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong values = new AtomicLong();

  /**
   * By these views, in turn.
   *
   * @param name of keys that nobody else uses
   */
  SharedHistory(List<? extends KeyView<String, Long>> views, String name) {
    this.views = views;
    this.name = name;
    for (int key = 0; key < KEYS; key++) {
      histories.add(new ConcurrentLinkedQueue<>());
    }
  }

  /** Has so many threads of these do so many operations each; returns when all have ended. */
  SharedHistory run(List<Thread> threads) throws InterruptedException {
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("An operation has failed", failures.peek());
    }
    return this;
  }

  /** What a thread does. */
  Runnable work(int thread, int operations, boolean waits) {
    KeyView<String, Long> view = views.get(thread % views.size());
    return () -> {
      try {
        Semaphore room = new Semaphore(waits ? 1 : UNDER_WAY);
        SplittableRandom random = new SplittableRandom(thread);
        CountDownLatch left = new CountDownLatch(operations);
        for (int i = 0; i < operations; i++) {
          room.acquire();
          begin(
              thread,
              view,
              random,
              () -> {
                room.release();
                left.countDown();
              });
        }
        if (!left.await(60, TimeUnit.SECONDS)) {
          throw new AssertionError(left.getCount() + " operations have not ended");
        }
      } catch (InterruptedException | RuntimeException | AssertionError e) {
        failures.add(e);
      }
    };
  }

  private void begin(
      int thread, KeyView<String, Long> view, SplittableRandom random, Runnable onEnd) {
    int number = random.nextInt(KEYS);
    String key = name + number;
    long value = values.incrementAndGet();
    long expected = Math.max(1, value - 1 - random.nextInt(4));
    int choice = random.nextInt(10);
    Kind kind =
        choice < 4
            ? Kind.READ
            : choice < 7
                ? Kind.WRITE
                : choice == 7
                    ? Kind.GET_AND_SET
                    : choice == 8 ? Kind.GET_AND_ADD : Kind.COMPARE_AND_EXCHANGE;
    // No two values are the same: an addition makes them odd, and whoever writes does so in steps.
    long argument = kind == Kind.GET_AND_ADD ? 1 : value << 20;
    long begin = System.nanoTime();
    AnswerListener<Long> listener =
        answer -> {
          long end = System.nanoTime();
          if (answer.failure() != null) {
            failures.add(answer.failure());
          }
          long found = kind == Kind.WRITE ? 0 : answer.longValue(Access.ABSENT);
          histories
              .get(number)
              .add(new KeyOperation(thread, kind, begin, end, argument, expected << 20, found));
          onEnd.run();
        };
    switch (kind) {
      case READ -> view.getAcquireAsync(key, listener);
      case WRITE -> view.setReleaseAsync(key, argument, listener);
      case GET_AND_SET -> view.getAndSetAsync(key, argument, listener);
      case GET_AND_ADD -> view.getAndAddAsync(key, 1, listener);
      default -> view.compareAndExchangeAsync(key, expected << 20, argument, listener);
    }
  }

  /** Why it is not linearizable; empty if it is. */
  List<String> violations() {
    List<String> found = new ArrayList<>();
    for (ConcurrentLinkedQueue<KeyOperation> each : histories) {
      Linearizability.Verdict verdict = Linearizability.judge(List.copyOf(each));
      if (verdict.answer() == Linearizability.Answer.NOT_LINEARIZABLE) {
        found.add(verdict.explanation());
      }
    }
    return found;
  }

  /** How many of the histories the checker has understood. */
  long decided() {
    return histories.stream()
        .map(each -> Linearizability.judge(List.copyOf(each)).answer())
        .filter(answer -> answer != Linearizability.Answer.UNDECIDED)
        .count();
  }

  static int keys() {
    return KEYS;
  }
}
