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

import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Deadlines;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** The maps of a grid, as one of its nodes has them. Safe for use by many threads. */
public final class MapHost implements GridMaps {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Maps node;
  private final MapCaller.Clocks clocks;

  /** Of a map that is made; 0 for one at every node. */
  private final int copies;

  /** By the names of their maps; only of those that may be elsewhere. */
  private final ConcurrentMap<String, OwnWrites> own;

  /**
   * The maps of a node, which is closed by its owner.
   *
   * @param deadlines of all maps of the grid
   */
  public MapHost(Maps node, Deadlines deadlines) {
    this(node, deadlines, System::currentTimeMillis);
  }

  /** The same with another wall clock, which the node has, too. */
  MapHost(Maps node, Deadlines deadlines, LongSupplier nowMillis) {
    this(node, new MapCaller.Clocks(nowMillis, deadlines), 0, new ConcurrentHashMap<>());
  }

  private MapHost(
      Maps node, MapCaller.Clocks clocks, int copies, ConcurrentMap<String, OwnWrites> own) {
    this.node = node;
    this.clocks = clocks;
    this.copies = copies;
    this.own = own;
  }

  @Override
  public GridMaps copies(int other) {
    MapDefinition.requireCopies(other);
    return new MapHost(node, clocks, other, own);
  }

  @Override
  public <K, V> GridMap<K, V> map(String name, Codec<K> keys, Codec<V> values, Ddp model) {
    return new ReplicatedMap<>(access(name, keys, values, model), Waiting.USUAL);
  }

  @Override
  public <K, V> AtomicGridMap<K, V> atomicMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    if (!model.consistency().isAtomic()) {
      throw new IllegalArgumentException(
          model
              + " has no atomic operations, as its nodes write without asking others: models with "
              + Consistency.atomic()
              + " consistency have");
    }
    return new AtomicReplicatedMap<>(access(name, keys, values, model), Waiting.USUAL);
  }

  @Override
  public <K, V> ScopedGridMap<K, V> scopedMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    if (!model.persistency().isByScope()) {
      throw new IllegalArgumentException(
          model
              + " has no scopes: models with scope persistency have, as "
              + model.consistency().id()
              + "/scope");
    }
    return new ScopedReplicatedMap<>(access(name, keys, values, model), Waiting.USUAL);
  }

  @Override
  public <K, V> TransactionalGridMap<K, V> transactionalMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    if (model.consistency() != Consistency.TRANSACTIONAL) {
      throw new IllegalArgumentException(
          model
              + " has no transactions: models with transactional consistency have, as"
              + " transactional/"
              + model.persistency().id());
    }
    return new TransactionalReplicatedMap<>(access(name, keys, values, model), Waiting.USUAL);
  }

  @Override
  public <K, V> CausalGridMap<K, V> causalMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    if (model.consistency() != Consistency.CAUSAL) {
      throw new IllegalArgumentException(
          model
              + " has no keys that are written together without asking others: models with causal"
              + " consistency have, as causal/"
              + model.persistency().id());
    }
    return new CausalReplicatedMap<>(access(name, keys, values, model), Waiting.USUAL);
  }

  @Override
  public <K, V> ReleaseGridMap<K, V> releaseMap(
      String name, Codec<K> keys, Codec<V> values, Ddp model) {
    if (model.consistency() != Consistency.RELEASE) {
      throw new IllegalArgumentException(
          model
              + " has no acquires and releases: models with release consistency have, as release/"
              + model.persistency().id());
    }
    return new ReleaseReplicatedMap<>(access(name, keys, values, model), Waiting.USUAL);
  }

  private <K, V> MapCaller<K, V> access(String name, Codec<K> keys, Codec<V> values, Ddp model) {
    try {
      MapDefinition map = node.define(name, model, Conflicts.ABORT, copies, PATIENCE_NANOS);
      return new MapCaller<>(new MapCaller.Place(node, map, own(map)), keys, values, clocks);
    } catch (IOException e) {
      throw new IllegalStateException("The map '" + name + "' cannot be had: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the map '" + name + "'", e);
    }
  }

  private OwnWrites own(MapDefinition map) {
    if (!node.isElsewhere(map)) {
      return null;
    }
    // One that was removed and made again is another map.
    return own.compute(
        map.name(),
        (name, present) ->
            present != null && present.map() == map.id() ? present : new OwnWrites(map.id()));
  }

  @Override
  public SortedMap<String, Ddp> definedMaps() {
    try {
      SortedMap<String, Ddp> models = new TreeMap<>();
      node.definitions().forEach(map -> models.put(map.name(), map.model()));
      return models;
    } catch (IOException e) {
      throw new IllegalStateException("The maps cannot be listed: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while listing the maps", e);
    }
  }

  @Override
  public void removeMap(String name) {
    try {
      node.remove(name, PATIENCE_NANOS);
      own.remove(name);
    } catch (IOException e) {
      throw new IllegalStateException(
          "The map '" + name + "' cannot be removed: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while removing the map '" + name + "'", e);
    }
  }
}
