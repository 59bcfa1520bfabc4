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
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.orcagrid.client.View;

/**
 * A map with release consistency: a {@link View} whose actors are threads. {@code get}, {@code set}
 * and {@code delete} are relaxed and ask nobody, and accesses that synchronize order them (Kite,
 * section 2.3). What a thread does is in its order for whoever acquires what it has released,
 * asynchronous operations too. Conditional operations, {@code put} and {@code remove} among them,
 * are both an acquire and a release.
 *
 * <p>The names of {@link java.util.concurrent.ConcurrentMap} refuse null, as it says; those of
 * {@link View} have null for no value. {@code getAndAdd} is a compare-and-set that is tried again
 * while others come between; its result has no lifetime.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface ReleaseGridMap<K, V> extends AtomicGridMap<K, V>, View<K, V> {

  @Override
  ReleaseGridMap<K, V> timeout(Duration timeout);

  @Override
  ReleaseGridMap<K, V> executor(Executor executor);

  // What both have.

  @Override
  V get(Object key);

  @Override
  void set(K key, V value);

  @Override
  void delete(K key);

  @Override
  Map<K, V> getAll(Collection<? extends K> keys);

  @Override
  void setAll(Map<? extends K, ? extends V> entries);

  @Override
  CompletionStage<V> getAsync(K key);

  @Override
  CompletionStage<Void> setAsync(K key, V value);

  @Override
  CompletionStage<Void> deleteAsync(K key);
}
