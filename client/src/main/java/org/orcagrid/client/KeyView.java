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
import java.util.concurrent.Executor;

/**
 * The keys of a grid: a {@link View} whose operations also come with an {@link AnswerListener}.
 * Such a form allocates nothing and tells the listener in the node's or the connection's own
 * thread. Maps do not have it: their operations are objects of their own. It throws what keeps it
 * from beginning, an {@link OverloadException} among it; all else is in the {@link Answer}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface KeyView<K, V> extends View<K, V> {

  @Override
  KeyView<K, V> timeout(Duration timeout);

  @Override
  KeyView<K, V> executor(Executor executor);

  /** {@link #get}, without waiting; calls the listener. */
  void getAsync(K key, AnswerListener<V> listener);

  /** {@link #set}, without waiting; calls the listener. */
  void setAsync(K key, V value, AnswerListener<V> listener);

  /** {@link #getAcquire}, without waiting; calls the listener. */
  void getAcquireAsync(K key, AnswerListener<V> listener);

  /** {@link #setRelease}, without waiting; calls the listener. */
  void setReleaseAsync(K key, V value, AnswerListener<V> listener);

  /** {@link #getAndSet}, without waiting; calls the listener. */
  void getAndSetAsync(K key, V value, AnswerListener<V> listener);

  /** {@link #getAndAdd}, without waiting; calls the listener. */
  void getAndAddAsync(K key, long delta, AnswerListener<V> listener);

  /** {@link #compareAndSet}, without waiting; calls the listener. */
  void compareAndSetAsync(K key, V expected, V value, AnswerListener<V> listener);

  /** {@link #weakCompareAndSet}, without waiting; calls the listener. */
  void weakCompareAndSetAsync(K key, V expected, V value, AnswerListener<V> listener);

  /** {@link #compareAndExchange}, without waiting; calls the listener. */
  void compareAndExchangeAsync(K key, V expected, V value, AnswerListener<V> listener);
}
