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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;

/** A map of this node whose model has read-modify-writes. */
class AtomicReplicatedMap<K, V> extends ReplicatedMap<K, V> implements AtomicGridMap<K, V> {

  AtomicReplicatedMap(MapCaller<K, V> access, Waiting waiting) {
    super(access, waiting);
  }

  @Override
  public AtomicGridMap<K, V> timeout(Duration other) {
    return new AtomicReplicatedMap<>(access(), waiting().withTimeout(other));
  }

  @Override
  public AtomicGridMap<K, V> executor(Executor other) {
    return new AtomicReplicatedMap<>(access(), waiting().withExecutor(other));
  }

  private Operation compareAndSet(Key key, byte[] expected, byte[] value) {
    return access().compareAndSet(key, expected, value);
  }

  private V before(Operation what) {
    return access().value(run(what).read());
  }

  private V inPlace(Operation what) {
    return found(run(what));
  }

  /**
   * What was in the place where nothing was expected, null if nothing was: as it was found, though
   * its time may be over by now.
   */
  private V found(Operation done) {
    return done.hasWritten() ? null : access().anyValue(done.read());
  }

  private boolean written(Operation what) {
    return run(what).hasWritten();
  }

  // --- waiting -----------------------------------------------------------------------------------

  @Override
  public V put(K key, V value) {
    return before(Operation.getAndSet(access().key(key), access().value(value)));
  }

  @Override
  public V remove(Object key) {
    return before(Operation.getAndSet(keyOf(key), null));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    entries.values().forEach(AtomicReplicatedMap::requireValue);
    setAll(entries);
  }

  private static void requireValue(Object value) {
    if (value == null) {
      throw new NullPointerException("A value cannot be null; set or delete takes one away");
    }
  }

  @Override
  public V putIfAbsent(K key, V value) {
    return inPlace(compareAndSet(access().key(key), null, access().value(value)));
  }

  @Override
  public V put(K key, V value, Duration lifetime) {
    return before(Operation.getAndSet(access().key(key), access().value(value, lifetime)));
  }

  @Override
  public V putIfAbsent(K key, V value, Duration lifetime) {
    return inPlace(compareAndSet(access().key(key), null, access().value(value, lifetime)));
  }

  @Override
  public boolean replace(K key, V expected, V value, Duration lifetime) {
    return written(
        compareAndSet(
            access().key(key), access().value(expected), access().value(value, lifetime)));
  }

  @Override
  @SuppressWarnings("unchecked")
  public boolean remove(Object key, Object value) {
    return written(compareAndSet(keyOf(key), access().value((V) value), null));
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    return written(
        compareAndSet(access().key(key), access().value(expected), access().value(value)));
  }

  @Override
  public V replace(K key, V value) {
    while (true) {
      V present = get(key);
      if (present == null || replace(key, present, value)) {
        return present;
      }
    }
  }

  // --- not waiting -------------------------------------------------------------------------------

  @Override
  public CompletionStage<V> putAsync(K key, V value) {
    return beforeAsync(() -> Operation.getAndSet(access().key(key), access().value(value)));
  }

  @Override
  public CompletionStage<V> removeAsync(K key) {
    return beforeAsync(() -> Operation.getAndSet(access().key(key), null));
  }

  @Override
  public CompletionStage<V> putIfAbsentAsync(K key, V value) {
    return stage(() -> compareAndSet(access().key(key), null, access().value(value)), this::found);
  }

  @Override
  public CompletionStage<Boolean> replaceAsync(K key, V expected, V value) {
    return writtenAsync(
        () -> compareAndSet(access().key(key), access().value(expected), access().value(value)));
  }

  @Override
  public CompletionStage<Boolean> removeAsync(K key, V expected) {
    return writtenAsync(() -> compareAndSet(access().key(key), access().value(expected), null));
  }

  private CompletionStage<V> beforeAsync(Supplier<Operation> what) {
    return stage(what, done -> access().value(done.read()));
  }

  private CompletionStage<Boolean> writtenAsync(Supplier<Operation> what) {
    return stage(what, Operation::hasWritten);
  }

  // --- all of it ---------------------------------------------------------------------------------

  @Override
  public boolean containsValue(Object value) {
    return snapshot().containsValue(value);
  }

  @Override
  public Collection<V> values() {
    return Collections.unmodifiableCollection(new ArrayList<>(snapshot().values()));
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return snapshot().entrySet();
  }

  /** As {@link Map} has it: with the entries of the moment. */
  @Override
  public boolean equals(Object other) {
    return other == this || (other instanceof Map<?, ?> map && snapshot().equals(map));
  }

  @Override
  public int hashCode() {
    return snapshot().hashCode();
  }
}
