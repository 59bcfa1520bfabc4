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

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Clients of a system with an asynchronous interface: threads that begin operations, each up to its
 * depth. Whichever thread the system ends an operation in counts it.
 */
public abstract class PipelinedLoad implements LoadTarget {
  private static final double ALL = 100;
  private static final long FILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(100);
  private static final long STILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final LoadSettings settings;
  private final List<Client> clients = new ArrayList<>();
  private final AtomicReference<String> failure = new AtomicReference<>();
  private volatile LoadOrder order;

  /** Makes the threads; they begin with the first turn. */
  protected PipelinedLoad(LoadSettings settings) {
    this.settings = settings;
    for (int i = 0; i < settings.pressure().threads(); i++) {
      clients.add(new Client(settings.self() * 1000L + i));
    }
  }

  /** Begins to read; the result is the value. */
  protected abstract CompletionStage<?> read(String variant, long key);

  /** Begins to write. */
  protected abstract CompletionStage<?> write(String variant, long key, byte[] value);

  /** The variants, each of which has data of its own that is to be filled. */
  protected final List<String> variants() {
    return settings.use().variants();
  }

  @Override
  public void fill() {
    Client filler = clients.get(0);
    long deadline = System.nanoTime() + FILL_NANOS_MAX;
    for (String variant : variants()) {
      for (int key = settings.self();
          key < settings.data().keys();
          key += settings.ports().size()) {
        filler.awaitRoom();
        filler.watch(write(variant, key, filler.value()), false);
      }
    }
    while (!filler.isEmpty() && failure.get() == null) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("The keys cannot be filled in time");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
    for (String variant : variants()) {
      awaitAllKeys(variant, deadline);
    }
  }

  /** The product's state, for the message of a failure. */
  protected String state() {
    return product();
  }

  /** The others fill too, and what is replicated some time arrives some time. */
  private void awaitAllKeys(String variant, long deadline) {
    long end = deadline;
    List<Long> missing = LongStream.range(0, settings.data().keys()).boxed().toList();
    while (!missing.isEmpty()) {
      List<Long> absent = new ArrayList<>();
      int depth = settings.pressure().depth();
      for (int from = 0; from < missing.size(); from += depth) {
        List<Long> some = missing.subList(from, Math.min(missing.size(), from + depth));
        List<CompletableFuture<?>> reads = new ArrayList<>();
        some.forEach(key -> reads.add(read(variant, key).toCompletableFuture()));
        for (int i = 0; i < some.size(); i++) {
          if (reads.get(i).join() == null) {
            absent.add(some.get(i));
          }
        }
      }
      if (absent.size() < missing.size()) {
        // A store that forces each entry takes its time; one that stands still has lost some.
        end = Math.max(end, System.nanoTime() + STILL_NANOS_MAX);
      } else if (!absent.isEmpty() && System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            absent.size() + " keys of " + variant + " do not arrive: " + state());
      }
      missing = absent;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(absent.isEmpty() ? 0 : 100));
    }
  }

  @Override
  public void begin(LoadOrder next) {
    order = next;
    for (Client client : clients) {
      client.start();
    }
  }

  @Override
  public long done() {
    return clients.stream().mapToLong(client -> client.ended.get()).sum();
  }

  @Override
  public void end() {
    order = null;
  }

  @Override
  public boolean isIdle() {
    return clients.stream().allMatch(Client::isIdle);
  }

  @Override
  public String failure() {
    return failure.get();
  }

  /** A thread with operations under way. */
  private final class Client {
    private final SplittableRandom random;
    private final int depth = settings.pressure().depthOfThread();

    /** Written by the client's thread only. */
    private volatile long begun;

    private final AtomicLong ended = new AtomicLong();
    private volatile Thread waiting;
    private Thread thread;

    Client(long seed) {
      this.random = new SplittableRandom(seed);
    }

    void start() {
      thread = new Thread(this::run, "client");
      thread.setDaemon(true);
      thread.start();
    }

    boolean isIdle() {
      return !thread.isAlive() && isEmpty();
    }

    boolean isEmpty() {
      return ended.get() == begun;
    }

    byte[] value() {
      byte[] value = new byte[settings.data().valueBytes()];
      long number = random.nextLong();
      for (int i = 0; i < Long.BYTES; i++) {
        value[i] = (byte) (number >>> (i * Byte.SIZE));
      }
      return value;
    }

    private void run() {
      for (LoadOrder now = order; now != null && failure.get() == null; now = order) {
        awaitRoom();
        long key = random.nextInt(settings.data().keys());
        if (random.nextDouble() * ALL < now.writePercent()) {
          watch(write(now.variant(), key, value()), false);
        } else {
          watch(read(now.variant(), key), true);
        }
      }
    }

    /** Waits for room for half a depth, so that it seldom has to. */
    private void awaitRoom() {
      if (begun - ended.get() < depth) {
        return;
      }
      waiting = Thread.currentThread();
      while (begun - ended.get() > depth / 2 && failure.get() == null) {
        LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(10));
      }
      waiting = null;
    }

    private void watch(CompletionStage<?> stage, boolean hasValue) {
      begun(begun + 1);
      if (stage instanceof CompletableFuture<?> future
          && future.isDone()
          && !future.isCompletedExceptionally()) {
        onEnd(future.join(), null, hasValue);
      } else {
        stage.whenCompleteAsync(
            (result, problem) -> onEnd(result, problem, hasValue), Runnable::run);
      }
    }

    private void begun(long count) {
      begun = count;
    }

    private void onEnd(Object result, Throwable problem, boolean hasValue) {
      if (problem != null) {
        failure.set("An operation has failed: " + problem);
      } else if (hasValue && result == null) {
        failure.set("A key has lost its value");
      }
      long now = ended.incrementAndGet();
      Thread waiter = waiting;
      if (waiter != null && begun - now <= depth / 2) {
        LockSupport.unpark(waiter);
      }
    }
  }
}
