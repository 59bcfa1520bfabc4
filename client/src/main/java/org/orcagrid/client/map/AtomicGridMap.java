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
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * A map whose conditional operations are atomic at all nodes. Its {@link #keySet}, {@link #values}
 * and {@link #entrySet} are snapshots that cannot be changed, not views. The names of {@link
 * ConcurrentMap} refuse null values, as it says.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface AtomicGridMap<K, V> extends GridMap<K, V>, ConcurrentMap<K, V> {

  @Override
  AtomicGridMap<K, V> timeout(Duration timeout);

  @Override
  AtomicGridMap<K, V> executor(Executor executor);

  /** {@link #put}, with a value that is there for so long. */
  V put(K key, V value, Duration lifetime);

  /** {@link #putIfAbsent}, with a value that is there for so long. */
  V putIfAbsent(K key, V value, Duration lifetime);

  /** {@link #replace(Object, Object, Object)}, with a value that is there for so long. */
  boolean replace(K key, V expected, V value, Duration lifetime);

  /** {@link #put}, without waiting: the value before, null if there was none. */
  CompletionStage<V> putAsync(K key, V value);

  /** {@link #remove(Object)}, without waiting. */
  CompletionStage<V> removeAsync(K key);

  /** {@link #putIfAbsent}, without waiting. */
  CompletionStage<V> putIfAbsentAsync(K key, V value);

  /** {@link #replace(Object, Object, Object)}, without waiting. */
  CompletionStage<Boolean> replaceAsync(K key, V expected, V value);

  /** {@link #remove(Object, Object)}, without waiting. */
  CompletionStage<Boolean> removeAsync(K key, V expected);

  @Override
  V get(Object key);

  @Override
  default boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  Set<K> keySet();

  @Override
  int size();

  @Override
  void clear();

  @Override
  default boolean isEmpty() {
    return size() == 0;
  }

  @Override
  default void forEach(BiConsumer<? super K, ? super V> action) {
    snapshot().forEach(action);
  }
}
