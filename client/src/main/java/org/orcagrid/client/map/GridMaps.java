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
import java.util.SortedMap;
import org.orcagrid.client.Codec;
import org.orcagrid.client.concurrent.GridCounter;
import org.orcagrid.client.concurrent.GridLatch;
import org.orcagrid.client.concurrent.GridLock;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.concurrent.GridSet;
import org.orcagrid.client.concurrent.GridStack;
import org.orcagrid.ddp.model.Ddp;

/**
 * A grid with maps and structures, which are found or made by their names. Safe for use by many
 * threads.
 *
 * <p>What a model cannot honour cannot be asked for: each kind of map has the operations of its
 * models and no others, and to ask for a kind that the model is not of is refused when the map is
 * asked for.
 */
public interface GridMaps {

  /**
   * The same grid, whose maps are at so many of its nodes each, if they are made through it. Other
   * nodes, and their clients, use a map through one that has it. Unless set a map is at every node.
   *
   * <p>A map keeps the number that it was made with. A program that sets no number finds it; one
   * that sets another number is refused.
   *
   * <p>Which nodes have a map follows from its number and the places of the grid, so that all nodes
   * have about as many. A node that is added takes its share. While there is a map of {@code
   * copies} in a grid, its maps go on as long as fewer nodes than that are lost. When as many are
   * gone at a time, all maps stop until the nodes that served last are back: so no map goes on
   * without what it had promised.
   *
   * @param copies 2 to 9; a grid of fewer nodes has as many copies as nodes, until it has grown
   * @throws IllegalArgumentException if it is another number
   */
  GridMaps copies(int copies);

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
   * A map whose keys can be read and written together.
   *
   * @throws IllegalArgumentException if the model's consistency is not causal
   */
  <K, V> CausalGridMap<K, V> causalMap(String name, Codec<K> keys, Codec<V> values, Ddp model);

  /**
   * A map with release consistency.
   *
   * @throws IllegalArgumentException if the model is another one
   */
  <K, V> ReleaseGridMap<K, V> releaseMap(String name, Codec<K> keys, Codec<V> values, Ddp model);

  /**
   * The maps that there are now, with their models, in the order of their names. Those of
   * structures are among them, as {@code queue.jobs}.
   *
   * @throws IllegalStateException if the node that is asked is in no view, or does not answer
   */
  SortedMap<String, Ddp> definedMaps();

  /** Removes a map and all that is in it, at all nodes, for good. */
  void removeMap(String name);

  // --- structures --------------------------------------------------------------------------------
  // Each is kept in a map of its own, named after its kind and its name, as queue.jobs: removeMap
  // removes it. All of them need a model that has compare-and-set, and say so otherwise.

  /**
   * A first-in-first-out queue, kept in the map {@code queue.} and its name.
   *
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   * @throws IllegalStateException as {@link #map}
   */
  default <E> GridQueue<E> queue(String name, Codec<E> items, Ddp model) {
    return new GridQueue<>(this, name, items, model);
  }

  /** A stack, kept in the map {@code stack.} and its name; throws what {@link #queue} throws. */
  default <E> GridStack<E> stack(String name, Codec<E> items, Ddp model) {
    return new GridStack<>(this, name, items, model);
  }

  /** A sorted set, kept in the map {@code set.} and its name; throws what {@link #queue} throws. */
  default <E extends Comparable<E>> GridSet<E> set(String name, Codec<E> items, Ddp model) {
    return new GridSet<>(this, name, items, model);
  }

  /** A number, kept in the map {@code counter.} and its name; throws what {@link #queue} throws. */
  default GridCounter counter(String name, Ddp model) {
    return new GridCounter(this, name, model);
  }

  /**
   * A latch, kept in the map {@code latch.} and its name; throws what {@link #queue} throws.
   *
   * @param count how often it has to be counted down; the same for all
   */
  default GridLatch latch(String name, long count, Ddp model) {
    return new GridLatch(this, name, count, model);
  }

  /**
   * A lock, kept in the map {@code lock.} and its name; throws what {@link #queue} throws.
   *
   * @param lease how long a holder may be silent; the same for all
   */
  default GridLock lock(String name, Duration lease, Ddp model) {
    return new GridLock(this, name, lease, model);
  }
}
