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

import java.util.SortedMap;
import org.orcagrid.client.Codec;
import org.orcagrid.ddp.model.Ddp;

/** A grid whose maps are those of one of its nodes. */
public interface NodeMaps extends GridMaps {

  /** The maps as the node has them. */
  GridMaps maps();

  @Override
  default GridMaps copies(int copies) {
    return maps().copies(copies);
  }

  @Override
  default <K, V> GridMap<K, V> map(String name, Codec<K> keys, Codec<V> values, Ddp model) {
    return maps().map(name, keys, values, model);
  }

  @Override
  default <K, V> AtomicGridMap<K, V> atomicMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    return maps().atomicMap(name, keys, values, model);
  }

  @Override
  default <K, V> ScopedGridMap<K, V> scopedMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    return maps().scopedMap(name, keys, values, model);
  }

  @Override
  default <K, V> TransactionalGridMap<K, V> transactionalMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    return maps().transactionalMap(name, keys, values, model);
  }

  @Override
  default <K, V> CausalGridMap<K, V> causalMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    return maps().causalMap(name, keys, values, model);
  }

  @Override
  default <K, V> ReleaseGridMap<K, V> releaseMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    return maps().releaseMap(name, keys, values, model);
  }

  @Override
  default SortedMap<String, Ddp> definedMaps() {
    return maps().definedMaps();
  }

  @Override
  default void removeMap(String name) {
    maps().removeMap(name);
  }
}
