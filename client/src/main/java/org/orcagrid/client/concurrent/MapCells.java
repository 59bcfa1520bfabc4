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
package org.orcagrid.client.concurrent;

import java.util.function.Predicate;
import org.orcagrid.client.Codec;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;

/**
 * Variables in a map of their own whose model has no access modes: there each read is an acquire.
 * For many threads.
 */
final class MapCells<V> implements Cells<V> {
  private final AtomicGridMap<Part, V> map;

  /** Whether a write ends before other nodes have it. */
  private final boolean writesEndAtOnce;

  private final Kept kept;

  private MapCells(AtomicGridMap<Part, V> map) {
    this.map = map;
    this.writesEndAtOnce = map.model().consistency() == Consistency.READ_ENFORCED;
    this.kept = Kept.of(map.model().persistency());
  }

  /**
   * Variables in the map of that name, which is made if it is not there, as durable as its model
   * makes them.
   *
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  static <V> Cells<V> of(GridMaps maps, String name, Codec<V> values, Ddp model) {
    return model.consistency() == Consistency.RELEASE
        ? ViewCells.of(maps, name, values, model)
        : new MapCells<>(maps.atomicMap(name, Part.CODEC, values, model));
  }

  @Override
  public V get(Part part) {
    return map.get(part);
  }

  @Override
  public V getAcquire(Part part) {
    return map.get(part);
  }

  @Override
  public void prepare(Part part, V value) {
    if (writesEndAtOnce) {
      // A read-modify-write ends when all nodes have it.
      map.put(part, value);
    } else {
      map.set(part, value);
    }
  }

  @Override
  public boolean compareAndSet(Part part, V expected, V value) {
    return expected == null
        ? map.putIfAbsent(part, value) == null
        : map.replace(part, expected, value);
  }

  @Override
  public boolean weakCompareAndSet(Part part, V expected, V value) {
    return compareAndSet(part, expected, value);
  }

  @Override
  public void hint(Part part, V expected, V value) {
    // What it answers nobody needs, not even that it has failed.
    if (expected == null) {
      map.putIfAbsentAsync(part, value);
    } else {
      map.replaceAsync(part, expected, value);
    }
  }

  @Override
  public void remove(Part part) {
    map.deleteAsync(part);
  }

  @Override
  public boolean isKept(Part part, Predicate<V> written) {
    return kept.isKept(() -> get(part), written);
  }

  @Override
  public boolean keepsAll() {
    return kept.keepsAll();
  }

  /**
   * None: a removal that was given up may still take place, and would meet the node's next life.
   */
  @Override
  public int keptMax() {
    return 0;
  }
}
