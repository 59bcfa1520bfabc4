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
import org.orcagrid.client.map.ReleaseGridMap;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** Variables in a map of their own, as durable as its model makes them. For many threads. */
final class MapCells<V> implements Cells<V> {
  private final AtomicGridMap<Part, V> map;

  /** The same map; null with another consistency than release. */
  private final ReleaseGridMap<Part, V> release;

  /** Whether a write ends before other nodes have it. */
  private final boolean writesEndAtOnce;

  /** Whether what has ended may be lost until it is read. */
  private final boolean readingKeeps;

  private final boolean keepsAll;

  /**
   * Variables in the map of that name, which is made if it is not there.
   *
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  MapCells(GridMaps maps, String name, Codec<V> values, Ddp model) {
    boolean releases = model.consistency() == Consistency.RELEASE;
    this.release = releases ? maps.releaseMap(name, Part.CODEC, values, model) : null;
    this.map = releases ? release : maps.atomicMap(name, Part.CODEC, values, model);
    this.writesEndAtOnce = model.consistency() == Consistency.READ_ENFORCED;
    this.readingKeeps = model.persistency() == Persistency.READ_ENFORCED;
    this.keepsAll =
        !readingKeeps
            && model.persistency() != Persistency.EVENTUAL
            && model.persistency().isOnMedium();
  }

  @Override
  public V get(Part part) {
    return map.get(part);
  }

  @Override
  public V getAcquire(Part part) {
    return release == null ? map.get(part) : release.getAcquire(part);
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
    if (!readingKeeps) {
      return true;
    }
    V present = getAcquire(part);
    return present != null && written.test(present);
  }

  @Override
  public boolean keepsAll() {
    return keepsAll;
  }

  /**
   * None: a removal that was given up may still take place, and would meet the node's next life.
   */
  @Override
  public int keptMax() {
    return 0;
  }
}
