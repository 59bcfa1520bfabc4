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
package org.orcagrid.bench.compare.process;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A thread with operations under way. Whichever thread the system ends an operation in counts it.
 */
final class LoadClient {
  private static final double ALL = 100;

  /** Of so many operations one is timed; a power of two. Telling the time takes time. */
  private static final int TIMED = 16;

  private final LoadSettings settings;
  private final SplittableRandom random;
  private final Function<String, Accesses> source;
  private final Consumer<String> failures;
  private final int depth;
  private final Map<String, Accesses> accesses = new HashMap<>();
  private final Latencies.Recorder latencies = new Latencies.Recorder();

  /** Written by the client's thread only. */
  private volatile long begun;

  private final AtomicLong ended = new AtomicLong();
  private volatile Thread waiting;
  private volatile LoadOrder order;
  private volatile boolean failed;
  private Thread thread;

  /**
   * One that is idle.
   *
   * @param source of what it does, for each variant
   * @param failures receives the reason when an operation fails
   */
  LoadClient(
      LoadSettings settings,
      long seed,
      Function<String, Accesses> source,
      Consumer<String> failures) {
    this.settings = settings;
    this.random = new SplittableRandom(seed);
    this.source = source;
    this.failures = failures;
    this.depth = settings.pressure().depthOfThread();
  }

  Accesses accesses(String variant) {
    return accesses.computeIfAbsent(variant, source);
  }

  void start(LoadOrder next) {
    order = next;
    thread = new Thread(() -> run(next), "client");
    thread.setDaemon(true);
    thread.start();
  }

  void stop() {
    order = null;
  }

  boolean isIdle() {
    return !thread.isAlive() && isEmpty();
  }

  boolean isEmpty() {
    return ended.get() == begun;
  }

  long done() {
    return ended.get();
  }

  Latencies latencies() {
    return latencies.soFar();
  }

  private byte[] value() {
    byte[] value = new byte[settings.data().valueBytes()];
    long number = random.nextLong();
    for (int i = 0; i < Long.BYTES; i++) {
      value[i] = (byte) (number >>> (i * Byte.SIZE));
    }
    return value;
  }

  /** Begins to write a value, when there is room. */
  void write(String variant, long key) {
    awaitRoom();
    watch(accesses(variant).write(key, value()), false, 0);
  }

  private void run(LoadOrder what) {
    Accesses by = accesses(what.variant());
    try {
      while (order != null && !failed) {
        long key = random.nextInt(settings.data().keys());
        boolean writes = random.nextDouble() * ALL < what.writePercent();
        if (what.manner() == Manner.PIPELINED) {
          begin(by, key, writes);
        } else {
          await(by, key, writes);
        }
      }
    } catch (RuntimeException | Error e) {
      fail("An operation has failed: " + e);
    }
  }

  /** When an operation begins, if it is to be timed; else 0. */
  private long nanos() {
    return (random.nextInt() & (TIMED - 1)) == 0 ? System.nanoTime() : 0;
  }

  private void await(Accesses by, long key, boolean writes) {
    long began = nanos();
    if (writes) {
      by.set(key, value());
    } else if (by.get(key) == null) {
      fail("A key has lost its value");
    }
    if (began != 0) {
      latencies.add(System.nanoTime() - began);
    }
    begun(begun + 1);
    ended.lazySet(begun);
  }

  private void begin(Accesses by, long key, boolean writes) {
    awaitRoom();
    long began = nanos();
    if (writes) {
      watch(by.write(key, value()), false, began);
    } else {
      watch(by.read(key), true, began);
    }
  }

  /** Waits for room for half a depth, so that it seldom has to. */
  private void awaitRoom() {
    if (begun - ended.get() < depth) {
      return;
    }
    waiting = Thread.currentThread();
    while (begun - ended.get() > depth / 2 && !failed) {
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(10));
    }
    waiting = null;
  }

  private void watch(CompletionStage<?> stage, boolean hasValue, long began) {
    begun(begun + 1);
    if (stage instanceof CompletableFuture<?> future
        && future.isDone()
        && !future.isCompletedExceptionally()) {
      onEnd(future.join(), null, hasValue, began);
    } else {
      stage.whenCompleteAsync(
          (result, problem) -> onEnd(result, problem, hasValue, began), Runnable::run);
    }
  }

  private void begun(long count) {
    begun = count;
  }

  private void onEnd(Object result, Throwable problem, boolean hasValue, long began) {
    if (problem != null) {
      fail("An operation has failed: " + problem);
    } else if (hasValue && result == null) {
      fail("A key has lost its value");
    }
    if (began != 0) {
      latencies.add(System.nanoTime() - began);
    }
    long now = ended.incrementAndGet();
    Thread waiter = waiting;
    if (waiter != null && begun - now <= depth / 2) {
      LockSupport.unpark(waiter);
    }
  }

  private void fail(String reason) {
    failed = true;
    failures.accept(reason);
  }
}
