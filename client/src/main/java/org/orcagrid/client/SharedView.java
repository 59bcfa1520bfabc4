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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.store.Bytes;

/** The keys of a grid as all threads of a program share them. Safe for use by many threads. */
final class SharedView<K, V> extends KeyForms<K, V> {
  private static final long PAUSE_NANOS_MIN = 50_000;
  private static final long PAUSE_NANOS_MAX = 5_000_000;

  private final SharedKeys shared;
  private final Waiting waiting;

  /** Of what is waited for: the thread that ends it tells. */
  private final Waiting here;

  SharedView(SharedKeys shared, Codec<K> keys, Codec<V> values, Waiting waiting) {
    super(keys, values);
    this.shared = shared;
    this.waiting = waiting;
    this.here = waiting.withExecutor(Runnable::run);
  }

  @Override
  public KeyView<K, V> timeout(Duration timeout) {
    return new SharedView<>(shared, keys(), values(), waiting.withTimeout(timeout));
  }

  @Override
  public KeyView<K, V> executor(Executor executor) {
    return new SharedView<>(shared, keys(), values(), waiting.withExecutor(executor));
  }

  @Override
  public String toString() {
    return shared.toString();
  }

  @Override
  Executor executor() {
    return waiting.executor();
  }

  // --- relaxed, at once --------------------------------------------------------------------------

  @Override
  public V get(K key) {
    Lane stripe = shared.lockStripe();
    try {
      Bytes read = stripe.read(keys(), key);
      if (read != null) {
        return stripe.answer(read, values()).value();
      }
    } finally {
      stripe.unlock();
    }
    return super.get(key);
  }

  @Override
  <R> boolean readNow(K key, Function<Answer<V>, R> result, CompletableFuture<R> stage) {
    Lane stripe = shared.lockStripe();
    try {
      Bytes read = stripe.read(keys(), key);
      if (read != null) {
        // It has no dependents yet: nothing of the caller's runs here but its codec.
        end(stage, stripe.answer(read, values()), result);
      }
      return read != null;
    } finally {
      stripe.unlock();
    }
  }

  @Override
  public long getLong(K key, long absent) {
    Lane stripe = shared.lockStripe();
    try {
      Bytes read = stripe.read(keys(), key);
      if (read != null) {
        return stripe.answer(read, values()).longValue(absent);
      }
    } finally {
      stripe.unlock();
    }
    return super.getLong(key, absent);
  }

  @Override
  public void set(K key, V value) {
    Lane stripe = shared.lockStripe();
    try {
      if (stripe.write(keys(), values(), key, value)) {
        return;
      }
    } finally {
      stripe.unlock();
    }
    super.set(key, value);
  }

  // --- all others --------------------------------------------------------------------------------

  /** Waits for the end of an operation. */
  private static final class Waiter<V> implements AnswerListener<V> {
    private final Thread thread = Thread.currentThread();
    private volatile Answer<V> answer;

    @Override
    public void onAnswer(Answer<V> ended) {
      // It is used again when this returns.
      answer = ended.copy();
      LockSupport.unpark(thread);
    }

    Answer<V> await() {
      while (answer == null) {
        if (thread.isInterrupted()) {
          throw new OutcomeUnknownException("The thread was interrupted");
        }
        LockSupport.park(this);
      }
      return answer;
    }
  }

  @Override
  Answer<V> run(OperationKind kind, K key, V expected, V value, long delta) {
    if (shared.isWorker()) {
      throw new IllegalStateException(
          "A callback cannot wait for an operation of its grid; use the asynchronous form");
    }
    Waiter<V> waiter = new Waiter<>();
    beginWithRoom(new Lane.Call<>(kind, keys(), values(), key, expected, value, delta), waiter);
    // The deadline is the operation's.
    Answer<V> answer = waiter.await();
    GridException failure = answer.failure();
    if (failure != null) {
      throw failure;
    }
    return answer;
  }

  /** Begins an operation, when there is room for it. */
  private void beginWithRoom(Lane.Call<K, V> what, AnswerListener<V> listener) {
    long end = System.nanoTime() + Deadlines.nanos(waiting.timeout());
    for (long pause = PAUSE_NANOS_MIN; ; pause = Math.min(2 * pause, PAUSE_NANOS_MAX)) {
      try {
        begin(what, listener, here);
        return;
      } catch (OverloadException e) {
        if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LockSupport.parkNanos(this, pause);
      }
    }
  }

  @Override
  void begin(
      OperationKind kind, K key, V expected, V value, long delta, AnswerListener<V> listener) {
    begin(new Lane.Call<>(kind, keys(), values(), key, expected, value, delta), listener, waiting);
  }

  private void begin(Lane.Call<K, V> what, AnswerListener<V> listener, Waiting asked) {
    Lane lane = shared.lock(what.kind());
    try {
      lane.begin(what, listener, asked);
    } finally {
      lane.unlock();
    }
  }
}
