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

import org.orcagrid.client.Codec;
import org.orcagrid.ddp.model.Ddp;

/**
 * A grid with maps, which are found or made by their names. Safe for use by many threads.
 *
 * <p>What a model cannot honour cannot be asked for: each kind of map has the operations of its
 * models and no others, and to ask for a kind that the model is not of is refused when the map is
 * asked for.
 */
public interface GridMaps {

  /**
   * A map with what all models have.
   *
   * @throws IllegalStateException if there is a map of this name and another model, or it cannot be
   *     had
   * @throws IllegalArgumentException if the name is none
   */
  <K, V> GridMap<K, V> map(String name, Codec<K> keys, Codec<V> values, Ddp model);

  /**
   * A map whose operations are atomic at all nodes: a {@link java.util.concurrent.ConcurrentMap}.
   *
   * @throws IllegalArgumentException if the model has no atomic operations, saying which have
   */
  <K, V> AtomicGridMap<K, V> atomicMap(String name, Codec<K> keys, Codec<V> values, Ddp model);

  /**
   * A map whose writes are made durable together, where the program says so.
   *
   * @throws IllegalArgumentException if the model has no scopes, saying which have
   */
  <K, V> ScopedGridMap<K, V> scopedMap(String name, Codec<K> keys, Codec<V> values, Ddp model);

  /**
   * A map with transactions.
   *
   * @throws IllegalArgumentException if the model has none, saying which have
   */
  <K, V> TransactionalGridMap<K, V> transactionalMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model);

  /**
   * A map with release consistency.
   *
   * @throws IllegalArgumentException if the model is another one
   */
  <K, V> ReleaseGridMap<K, V> releaseMap(String name, Codec<K> keys, Codec<V> values, Ddp model);

  /** Removes a map and all that is in it, at all nodes, for good. */
  void removeMap(String name);
}
