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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.replica.consistency.Operation;

/** A map of this node with release consistency. */
final class ReleaseReplicatedMap<K, V> extends AtomicReplicatedMap<K, V>
    implements ReleaseGridMap<K, V> {

  ReleaseReplicatedMap(MapCaller<K, V> access, Waiting waiting) {
    super(access, waiting);
  }

  @Override
  public ReleaseGridMap<K, V> timeout(Duration other) {
    return new ReleaseReplicatedMap<>(access(), waiting().withTimeout(other));
  }

  @Override
  public ReleaseGridMap<K, V> executor(Executor other) {
    return new ReleaseReplicatedMap<>(access(), waiting().withExecutor(other));
  }

  // --- operations --------------------------------------------------------------------------------

  private Operation release(K key, V value) {
    return Operation.release(access().key(key), access().valueOrNone(value));
  }

  private Operation getAndSetOf(K key, V value) {
    return Operation.getAndSet(access().key(key), access().valueOrNone(value));
  }

  private Operation swap(K key, V expected, V value) {
    return access()
        .compareAndSet(
            access().key(key), access().valueOrNone(expected), access().valueOrNone(value));
  }

  private V read(Operation done) {
    return access().value(done.read());
  }

  /** What a compare-and-set has found. */
  private V found(Operation done, V expected) {
    if (done.hasWritten()) {
      return expected;
    }
    // Where nothing was expected something was there, though its time may be over by now.
    return expected == null ? access().anyValue(done.read()) : read(done);
  }

  // --- waiting -----------------------------------------------------------------------------------

  @Override
  public long getLong(K key, long absent) {
    return access().number(run(Operation.read(access().key(key))).read(), absent);
  }

  @Override
  public V getAcquire(K key) {
    return read(run(Operation.acquire(access().key(key))));
  }

  @Override
  public void setRelease(K key, V value) {
    run(release(key, value));
  }

  @Override
  public void deleteRelease(K key) {
    setRelease(key, null);
  }

  @Override
  public V getAndSet(K key, V value) {
    return read(run(getAndSetOf(key, value)));
  }

  @Override
  public long getAndAdd(K key, long delta) {
    return access().await(adding(key, delta), timeout());
  }

  private CompletableFuture<Long> adding(K key, long delta) {
    return access().add(access().key(key), delta, persists(), timeout());
  }

  @Override
  public boolean compareAndSet(K key, V expected, V value) {
    return run(swap(key, expected, value)).hasWritten();
  }

  @Override
  public boolean weakCompareAndSet(K key, V expected, V value) {
    return compareAndSet(key, expected, value);
  }

  @Override
  public V compareAndExchange(K key, V expected, V value) {
    return found(run(swap(key, expected, value)), expected);
  }

  // --- not waiting -------------------------------------------------------------------------------

  @Override
  public CompletionStage<Long> getLongAsync(K key, long absent) {
    return stage(
        () -> Operation.read(access().key(key)), done -> access().number(done.read(), absent));
  }

  @Override
  public CompletionStage<V> getAcquireAsync(K key) {
    return stage(() -> Operation.acquire(access().key(key)), this::read);
  }

  @Override
  public CompletionStage<Void> setReleaseAsync(K key, V value) {
    return stage(() -> release(key, value), done -> null);
  }

  @Override
  public CompletionStage<Void> deleteReleaseAsync(K key) {
    return setReleaseAsync(key, null);
  }

  @Override
  public CompletionStage<V> getAndSetAsync(K key, V value) {
    return stage(() -> getAndSetOf(key, value), this::read);
  }

  @Override
  public CompletionStage<Long> getAndAddAsync(K key, long delta) {
    return access()
        .stage(
            () -> {
              access().beReadyNow();
              return adding(key, delta);
            },
            Function.identity(),
            waiting());
  }

  @Override
  public CompletionStage<Boolean> compareAndSetAsync(K key, V expected, V value) {
    return stage(() -> swap(key, expected, value), Operation::hasWritten);
  }

  @Override
  public CompletionStage<Boolean> weakCompareAndSetAsync(K key, V expected, V value) {
    return compareAndSetAsync(key, expected, value);
  }

  @Override
  public CompletionStage<V> compareAndExchangeAsync(K key, V expected, V value) {
    return stage(() -> swap(key, expected, value), done -> found(done, expected));
  }
}
