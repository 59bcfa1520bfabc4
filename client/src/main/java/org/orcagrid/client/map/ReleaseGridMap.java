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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A map with release consistency: {@code get}, {@code set} and {@code delete} are relaxed and ask
 * nobody, and accesses that synchronize order them (Kite, section 2.3). Each thread is a session:
 * what it does is in its order for whoever acquires what it has released. Conditional operations,
 * {@code put} and {@code remove} among them, are both an acquire and a release.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface ReleaseGridMap<K, V> extends AtomicGridMap<K, V> {

  @Override
  ReleaseGridMap<K, V> timeout(Duration timeout);

  @Override
  ReleaseGridMap<K, V> executor(Executor executor);

  /** Reads, linearizable, before all that the thread does next. */
  V getAcquire(K key);

  /** Writes, linearizable, after all that the thread has done. */
  void setRelease(K key, V value);

  /** {@link #getAcquire}, without waiting. */
  CompletionStage<V> getAcquireAsync(K key);

  /** {@link #setRelease}, without waiting. */
  CompletionStage<Void> setReleaseAsync(K key, V value);
}
