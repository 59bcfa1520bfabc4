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

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.log.RecoveryReport;

/**
 * A map of a grid: what every model has. When a write is visible and when it is durable says its
 * model; {@link #explain} says it in plain words.
 *
 * <p>Safe for use by many threads. The operations of one thread on one key take effect in the order
 * in which they were begun, asynchronous ones too; a thread sees what it has written, but for
 * {@code eventual/synchronous}, where a write completes before its own node shows it. Across keys
 * an operation that was waited for comes before those that are begun later.
 *
 * <p>The waiting forms throw {@link org.orcagrid.client.OutcomeUnknownException} when no answer
 * comes in time (10 s, {@link #timeout}) and {@link SessionLostException} when this node was left
 * out of the grid meanwhile. When the program has closed its grid, every operation is an {@link
 * IllegalStateException}.
 *
 * <p>The asynchronous forms never throw: every failure completes their stage, {@link
 * org.orcagrid.client.OutcomeUnknownException} when the time is over, too, or a {@link
 * org.orcagrid.client.NotDoneException} if the operation has not begun by then. They never wait:
 * when as many operations are under way as may be, the stage ends at once with an {@link
 * org.orcagrid.client.OverloadException}, and while another node is looked for, as the one of a
 * client is lost, with a {@link org.orcagrid.client.NotDoneException}. A read that the node's copy
 * may answer is complete when its stage is returned; the {@link #executor} completes all others. To
 * cancel one takes nothing back.
 *
 * <p>Null is no value: a key without one reads as null, and {@link #set} of null takes it away, as
 * {@link #delete} does. A null key is refused with a {@link NullPointerException}, and so is null
 * with a lifetime.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface GridMap<K, V> {

  /** Its name. */
  String name();

  /** When its writes are visible and durable. */
  Ddp model();

  /** Says in plain words when a write is visible, when it is durable and what a crash can take. */
  default String explain() {
    return model().explain();
  }

  /**
   * The same map with another time to wait for an answer. For asynchronous forms it counts in steps
   * of 50 ms.
   */
  GridMap<K, V> timeout(Duration timeout);

  /**
   * The same map whose stages are completed, and so what depends on them runs, elsewhere. Unless
   * set it is {@link java.util.concurrent.ForkJoinPool#commonPool}, where a callback that waits or
   * throws holds up neither a node nor a connection. With {@code Runnable::run} it is the node's or
   * the connection's own thread, which must not wait.
   *
   * @param executor must run all that it accepts; if it refuses, the default one does
   */
  GridMap<K, V> executor(Executor executor);

  // --- waiting -----------------------------------------------------------------------------------

  /** The value of a key, null if there is none. */
  V get(Object key);

  /** Whether a key has a value. */
  default boolean containsKey(Object key) {
    return get(key) != null;
  }

  /**
   * Gives a key a value; null takes it away. Returns when the write has completed, as the model has
   * it.
   */
  void set(K key, V value);

  /**
   * Gives a key a value that is there for so long, by the clock of whoever reads it: see {@link
   * #expiry}. A later value has a lifetime of its own, or stays.
   *
   * @throws IllegalArgumentException if the lifetime is not positive
   */
  void set(K key, V value, Duration lifetime);

  /** Up to when a key's value is there; nothing if it stays, or there is none. */
  Optional<Instant> expiry(K key);

  /** Takes a key's value away. */
  void delete(K key);

  /**
   * The values of these keys that have one: a {@link #get} of each, many at a time. With
   * transactional consistency too they may be of different moments; a transaction or {@link
   * #snapshot} has one.
   *
   * @return the entries in the order of the keys; a map of the caller's own
   */
  Map<K, V> getAll(Collection<? extends K> keys);

  /** Gives keys values, one write each, many at a time. */
  void setAll(Map<? extends K, ? extends V> entries);

  // --- not waiting -------------------------------------------------------------------------------

  /** {@link #get}, without waiting. */
  CompletionStage<V> getAsync(K key);

  /** {@link #set}, without waiting. */
  CompletionStage<Void> setAsync(K key, V value);

  /** {@link #set(Object, Object, Duration)}, without waiting. */
  CompletionStage<Void> setAsync(K key, V value, Duration lifetime);

  /** {@link #delete}, without waiting. */
  CompletionStage<Void> deleteAsync(K key);

  // --- all of it ---------------------------------------------------------------------------------
  // These read all keys. Of each key they show what a get could show, and they wait where a get
  // waits; with transactional, causal and eventual consistency all keys are of one moment.

  /** How many keys have values. */
  int size();

  /** Whether no key has a value. */
  default boolean isEmpty() {
    return size() == 0;
  }

  /** Bytes of the keys and values, as their codecs write them. */
  long sizeInBytes();

  /** The keys that have values. A set of its own, which cannot be changed and does not change. */
  Set<K> keySet();

  /**
   * The keys that have values, with these. With transactional, causal and eventual consistency all
   * are of one moment of this node: of a transaction all or nothing, and nothing without what
   * happened before. A map of its own, which cannot be changed and does not change.
   */
  Map<K, V> snapshot();

  /** Does something with each entry of a {@link #snapshot}. */
  default void forEach(BiConsumer<? super K, ? super V> action) {
    snapshot().forEach(action);
  }

  /** Takes away the values of the keys of a {@link #keySet}, one write each. */
  void clear();

  // --- beside ------------------------------------------------------------------------------------

  /**
   * Tells of what changes from now on, whoever changes it: of each version of a key that becomes
   * visible at this node, in the order in which it does. A version is told when a read here could
   * show it, and only while this node serves.
   *
   * <p>A thread of its own calls the listener, some time after the change is visible. A listener
   * that is slow holds nobody up: when {@value MapListening#WAITING_MAX} changes wait for it, later
   * ones of a key are told as one, from the first value to the last.
   *
   * @return ends it when it is closed
   * @throws org.orcagrid.client.OutcomeUnknownException if this node does not serve the map in time
   * @throws SessionLostException if this node was left out of the grid
   * @throws IllegalStateException if the map was removed
   */
  MapListening listen(MapListener<K, V> listener);

  /**
   * How this node's copy came back when it began to serve, after a start or after it was left out:
   * how much its log had and lacked, and what of it does not count. Waits until it serves.
   *
   * @return empty if there was nothing to come back to
   * @throws org.orcagrid.client.OutcomeUnknownException if this node does not serve the map in time
   */
  Optional<RecoveryReport> recovery();

  /**
   * Writes all keys that have values into a file, while the map is used, as a {@link #snapshot} has
   * them.
   *
   * @param file which must not be there yet; it is there when it is whole and forced
   * @return how many entries it has
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  long backup(Path file);

  /**
   * Writes all that a backup has into this map, one write each, many at a time, as {@link #setAll}
   * does: what the map has beside that stays. Values whose time is over are left out. The backup
   * may be of a map of another name, of another model or of another grid, but of the same codecs.
   *
   * @return how many entries were written
   * @throws java.io.UncheckedIOException if the file cannot be read or is damaged: then nothing was
   *     written
   */
  long restore(Path file);
}
