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

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.orcagrid.ddp.kite.OperationKind;

/** The forms of a view of keys, made of three: one that waits, one with a listener, and a set. */
abstract class KeyForms<K, V> implements KeyView<K, V> {
  private final Codec<K> keys;
  private final Codec<V> values;

  KeyForms(Codec<K> keys, Codec<V> values) {
    this.keys = keys;
    this.values = values;
  }

  final Codec<K> keys() {
    return keys;
  }

  final Codec<V> values() {
    return values;
  }

  /** Completes stages that are begun now. */
  abstract Executor executor();

  /**
   * Does an operation and waits for its end.
   *
   * @return the answer, which stands until the next operation
   */
  abstract Answer<V> run(OperationKind kind, K key, V expected, V value, long delta);

  /** Begins an operation. */
  abstract void begin(
      OperationKind kind, K key, V expected, V value, long delta, AnswerListener<V> listener);

  /** Completes a stage with what a relaxed read shows at once; false if it cannot. */
  abstract <R> boolean readNow(K key, Function<Answer<V>, R> result, CompletableFuture<R> stage);

  /**
   * Does a relaxed write at once; false if it cannot. It has its place until all nodes have it, so
   * only who can wait for room does this.
   */
  boolean writeNow(K key, V value) {
    return false;
  }

  /** Tells a listener what a relaxed read shows at once; false if it cannot. */
  boolean tellNow(K key, AnswerListener<V> listener) {
    return false;
  }

  // --- waiting -----------------------------------------------------------------------------------

  private Answer<V> run(OperationKind kind, K key, V value) {
    return run(kind, key, null, value, 0);
  }

  @Override
  public V get(K key) {
    return run(OperationKind.READ, key, null).value();
  }

  @Override
  public long getLong(K key, long absent) {
    return run(OperationKind.READ, key, null).longValue(absent);
  }

  @Override
  public void set(K key, V value) {
    run(OperationKind.WRITE, key, value);
  }

  @Override
  public void delete(K key) {
    set(key, null);
  }

  @Override
  public void deleteRelease(K key) {
    setRelease(key, null);
  }

  @Override
  public Map<K, V> getAll(Collection<? extends K> all) {
    Map<K, V> found = new LinkedHashMap<>();
    for (K key : all) {
      V value = get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  @Override
  public void setAll(Map<? extends K, ? extends V> entries) {
    entries.forEach(this::set);
  }

  @Override
  public V getAcquire(K key) {
    return run(OperationKind.ACQUIRE, key, null).value();
  }

  @Override
  public void setRelease(K key, V value) {
    run(OperationKind.RELEASE, key, value);
  }

  @Override
  public V getAndSet(K key, V value) {
    return run(OperationKind.GET_AND_SET, key, value).value();
  }

  @Override
  public long getAndAdd(K key, long delta) {
    return run(OperationKind.GET_AND_ADD, key, null, null, delta).longValue(0);
  }

  @Override
  public boolean compareAndSet(K key, V expected, V value) {
    return run(OperationKind.COMPARE_AND_SET, key, expected, value, 0).isDone();
  }

  @Override
  public boolean weakCompareAndSet(K key, V expected, V value) {
    return run(OperationKind.WEAK_COMPARE_AND_SET, key, expected, value, 0).isDone();
  }

  @Override
  public V compareAndExchange(K key, V expected, V value) {
    return run(OperationKind.COMPARE_AND_SET, key, expected, value, 0).value();
  }

  // --- with a stage ------------------------------------------------------------------------------

  @Override
  public CompletionStage<V> getAsync(K key) {
    return stage(OperationKind.READ, key, null, Answer::value);
  }

  @Override
  public CompletionStage<Long> getLongAsync(K key, long absent) {
    return stage(OperationKind.READ, key, null, answer -> answer.longValue(absent));
  }

  @Override
  public CompletionStage<Void> setAsync(K key, V value) {
    return stage(OperationKind.WRITE, key, value, answer -> null);
  }

  @Override
  public CompletionStage<Void> deleteAsync(K key) {
    return setAsync(key, null);
  }

  @Override
  public CompletionStage<V> getAcquireAsync(K key) {
    return stage(OperationKind.ACQUIRE, key, null, Answer::value);
  }

  @Override
  public CompletionStage<Void> setReleaseAsync(K key, V value) {
    return stage(OperationKind.RELEASE, key, value, answer -> null);
  }

  @Override
  public CompletionStage<Void> deleteReleaseAsync(K key) {
    return setReleaseAsync(key, null);
  }

  @Override
  public CompletionStage<V> getAndSetAsync(K key, V value) {
    return stage(OperationKind.GET_AND_SET, key, value, Answer::value);
  }

  @Override
  public CompletionStage<Long> getAndAddAsync(K key, long delta) {
    return stage(OperationKind.GET_AND_ADD, key, null, null, delta, answer -> answer.longValue(0));
  }

  @Override
  public CompletionStage<Boolean> compareAndSetAsync(K key, V expected, V value) {
    return stage(OperationKind.COMPARE_AND_SET, key, expected, value, 0, Answer::isDone);
  }

  @Override
  public CompletionStage<Boolean> weakCompareAndSetAsync(K key, V expected, V value) {
    return stage(OperationKind.WEAK_COMPARE_AND_SET, key, expected, value, 0, Answer::isDone);
  }

  @Override
  public CompletionStage<V> compareAndExchangeAsync(K key, V expected, V value) {
    return stage(OperationKind.COMPARE_AND_SET, key, expected, value, 0, Answer::value);
  }

  private <R> CompletionStage<R> stage(
      OperationKind kind, K key, V value, Function<Answer<V>, R> result) {
    return stage(kind, key, null, value, 0, result);
  }

  /** Begins an operation; every failure completes the stage. */
  private <R> CompletionStage<R> stage(
      OperationKind kind, K key, V expected, V value, long delta, Function<Answer<V>, R> result) {
    CompletableFuture<R> stage = new CompletableFuture<>();
    try {
      if (kind == OperationKind.READ && readNow(key, result, stage)) {
        return stage;
      }
      if (kind == OperationKind.WRITE && writeNow(key, value)) {
        stage.complete(null);
        return stage;
      }
      Executor executor = executor();
      begin(
          kind,
          key,
          expected,
          value,
          delta,
          answer -> {
            // It is used again when this returns.
            Answer<V> kept = answer.copy();
            Callbacks.run(executor, () -> end(stage, kept, result));
          });
    } catch (RuntimeException | Error e) {
      stage.completeExceptionally(e);
    }
    return stage;
  }

  static <V, R> void end(
      CompletableFuture<R> stage, Answer<V> answer, Function<Answer<V>, R> result) {
    GridException failure = answer.failure();
    if (failure != null) {
      stage.completeExceptionally(failure);
      return;
    }
    try {
      stage.complete(result.apply(answer));
    } catch (RuntimeException | Error e) {
      // The codec could not read the value: that is the caller's to know.
      stage.completeExceptionally(e);
    }
  }

  // --- with a listener ---------------------------------------------------------------------------

  @Override
  public void getAsync(K key, AnswerListener<V> listener) {
    if (!tellNow(key, listener)) {
      begin(OperationKind.READ, key, null, null, 0, listener);
    }
  }

  @Override
  public void setAsync(K key, V value, AnswerListener<V> listener) {
    begin(OperationKind.WRITE, key, null, value, 0, listener);
  }

  @Override
  public void getAcquireAsync(K key, AnswerListener<V> listener) {
    begin(OperationKind.ACQUIRE, key, null, null, 0, listener);
  }

  @Override
  public void setReleaseAsync(K key, V value, AnswerListener<V> listener) {
    begin(OperationKind.RELEASE, key, null, value, 0, listener);
  }

  @Override
  public void getAndSetAsync(K key, V value, AnswerListener<V> listener) {
    begin(OperationKind.GET_AND_SET, key, null, value, 0, listener);
  }

  @Override
  public void getAndAddAsync(K key, long delta, AnswerListener<V> listener) {
    begin(OperationKind.GET_AND_ADD, key, null, null, delta, listener);
  }

  @Override
  public void compareAndSetAsync(K key, V expected, V value, AnswerListener<V> listener) {
    begin(OperationKind.COMPARE_AND_SET, key, expected, value, 0, listener);
  }

  @Override
  public void weakCompareAndSetAsync(K key, V expected, V value, AnswerListener<V> listener) {
    begin(OperationKind.WEAK_COMPARE_AND_SET, key, expected, value, 0, listener);
  }

  @Override
  public void compareAndExchangeAsync(K key, V expected, V value, AnswerListener<V> listener) {
    begin(OperationKind.COMPARE_AND_SET, key, expected, value, 0, listener);
  }
}
