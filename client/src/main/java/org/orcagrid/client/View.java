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
package org.orcagrid.client;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Keys and values with the access modes of {@link java.lang.invoke.VarHandle}. A program that is
 * written against this runs on the keys of a session ({@link GridSession#view}), on the keys of a
 * grid as many threads share them ({@link Grid#view}), and on a map of any model with release
 * consistency ({@link org.orcagrid.client.map.ReleaseGridMap}).
 *
 * <table>
 * <caption>What an access promises (Kite, section 2.3)</caption>
 * <tr><th>mode</th><th>promise</th></tr>
 * <tr><td>{@code get}, {@code set}, {@code delete}</td><td>relaxed: all agree on the order of a
 *   key's writes, and an actor's accesses to one key are in its order</td></tr>
 * <tr><td>{@code getAcquire}</td><td>linearizable, and what the actor does next comes after
 *   it</td></tr>
 * <tr><td>{@code setRelease}, {@code deleteRelease}</td><td>linearizable, and an acquire that reads
 *   it also shows what the actor has written before</td></tr>
 * <tr><td>{@code getAndSet}, {@code getAndAdd}, {@code compareAndSet} and so on</td><td>atomic, and
 *   both of that; one that does not write is an acquire</td></tr>
 * </table>
 *
 * <p>The actor is the session where the view is a session's, and the thread otherwise. Before and
 * next are as the actor has waited: an operation that has ended comes before those that are begun
 * later. A session and a map keep the order of asynchronous operations, too. {@link Grid#view} says
 * what it keeps: something less.
 *
 * <p><b>Null is no value.</b> A key without a value reads as null. Writing null takes the value
 * away, and a compare-and-set with null expects that there is none. {@link #getLong} tells an
 * absent number from 0. Two values are the same if their bytes are. A null key is refused with a
 * {@link NullPointerException}.
 *
 * <p><b>Failures.</b> The waiting forms throw {@link OutcomeUnknownException} when no answer comes
 * in time, {@link OverloadException} when too much is under way, {@link NotANumberException} where
 * a number was expected, {@link StoreFullException} when the grid's memory for keys is full, and
 * {@link NotDoneException} when the operation was not begun. A view whose session has ended throws
 * an {@link IllegalStateException}; a map's next operation begins another session, and what its
 * last one had under way ends with a {@link org.orcagrid.client.map.SessionLostException}.
 *
 * <p><b>Asynchronous forms</b> never wait and never throw: every failure is in the stage. When as
 * many operations are under way as may be, the stage ends at once with an {@link
 * OverloadException}. One that has not ended in the time-out ends with an {@link
 * OutcomeUnknownException}, or with a {@link NotDoneException} if it was taken back before it had
 * begun. The {@link #executor} completes stages, but those that are complete when they are
 * returned: relaxed accesses that touch the node's copy at once. To cancel a stage takes nothing
 * back.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface View<K, V> {

  /**
   * The same with another time to wait for an answer, 10 s unless set. For asynchronous forms it
   * counts in steps of {@value Deadlines#TICK_MILLIS} ms.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  View<K, V> timeout(Duration timeout);

  /**
   * The same with another executor, which completes stages, and so runs what depends on them.
   * Unless set it is {@link java.util.concurrent.ForkJoinPool#commonPool}, where a callback that
   * waits or throws holds up neither a node nor a connection. With {@code Runnable::run} it is the
   * node's or the connection's own thread, which must not wait.
   *
   * @param executor must run all that it accepts; if it refuses, the default one does
   */
  View<K, V> executor(Executor executor);

  // --- waiting -----------------------------------------------------------------------------------

  /** Reads, relaxed. */
  V get(K key);

  /**
   * Reads a long, relaxed.
   *
   * @param absent what to return if the key has no value
   * @throws NotANumberException if the value does not have 8 bytes
   */
  long getLong(K key, long absent);

  /** Writes, relaxed; null takes the value away. */
  void set(K key, V value);

  /** Takes a key's value away, relaxed. */
  void delete(K key);

  /**
   * The values of these keys that have one: a {@link #get} of each.
   *
   * @return the entries in the order of the keys; a map of the caller's own
   */
  Map<K, V> getAll(Collection<? extends K> keys);

  /** Gives keys values: a {@link #set} of each. */
  void setAll(Map<? extends K, ? extends V> entries);

  /** Reads, linearizable, before all that the actor does next. */
  V getAcquire(K key);

  /** Writes, linearizable, after all that the actor has done; null takes the value away. */
  void setRelease(K key, V value);

  /** Takes a key's value away, linearizable, after all that the actor has done. */
  void deleteRelease(K key);

  /** Writes and returns what was there; null takes the value away. */
  V getAndSet(K key, V value);

  /**
   * Adds to a number of 8 bytes and returns what was there; a key without a value counts as 0.
   *
   * @throws NotANumberException if the value does not have 8 bytes; nothing was written then
   */
  long getAndAdd(K key, long delta);

  /**
   * Writes if the key has what is expected; whether it has written.
   *
   * @param expected null for no value
   * @param value null takes the value away
   */
  boolean compareAndSet(K key, V expected, V value);

  /**
   * The same, and may fail without asking any other node when this one's copy is not the expected:
   * for loops that read and try again.
   */
  boolean weakCompareAndSet(K key, V expected, V value);

  /** {@link #compareAndSet}, and returns what was there: what was expected if it has written. */
  V compareAndExchange(K key, V expected, V value);

  // --- with a stage ------------------------------------------------------------------------------

  /** {@link #get}, without waiting. */
  CompletionStage<V> getAsync(K key);

  /** {@link #getLong}, without waiting. */
  CompletionStage<Long> getLongAsync(K key, long absent);

  /** {@link #set}, without waiting. */
  CompletionStage<Void> setAsync(K key, V value);

  /** {@link #delete}, without waiting. */
  CompletionStage<Void> deleteAsync(K key);

  /**
   * {@link #getAll}, without waiting: all are begun at once, so that it fails with an {@link
   * OverloadException} where fewer may be under way.
   */
  default CompletionStage<Map<K, V>> getAllAsync(Collection<? extends K> keys) {
    return Bulk.getAll(this, keys);
  }

  /**
   * {@link #setAll}, without waiting: all are begun at once, so that it fails with an {@link
   * OverloadException} where fewer may be under way. When it fails, some may be written.
   */
  default CompletionStage<Void> setAllAsync(Map<? extends K, ? extends V> entries) {
    return Bulk.setAll(this, entries);
  }

  /** {@link #getAcquire}, without waiting. */
  CompletionStage<V> getAcquireAsync(K key);

  /** {@link #setRelease}, without waiting. */
  CompletionStage<Void> setReleaseAsync(K key, V value);

  /** {@link #deleteRelease}, without waiting. */
  CompletionStage<Void> deleteReleaseAsync(K key);

  /** {@link #getAndSet}, without waiting. */
  CompletionStage<V> getAndSetAsync(K key, V value);

  /** {@link #getAndAdd}, without waiting. */
  CompletionStage<Long> getAndAddAsync(K key, long delta);

  /** {@link #compareAndSet}, without waiting. */
  CompletionStage<Boolean> compareAndSetAsync(K key, V expected, V value);

  /** {@link #weakCompareAndSet}, without waiting. */
  CompletionStage<Boolean> weakCompareAndSetAsync(K key, V expected, V value);

  /** {@link #compareAndExchange}, without waiting. */
  CompletionStage<V> compareAndExchangeAsync(K key, V expected, V value);
}
