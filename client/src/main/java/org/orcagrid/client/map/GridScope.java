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

import java.util.concurrent.CompletionStage;

/**
 * Writes that survive a crash together or not at all. For one thread.
 *
 * <p>What is written is visible as the map's consistency has it, and durable when {@link #persist}
 * has returned. After that the scope goes on with the next writes.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface GridScope<K, V> extends AutoCloseable {

  /** The value of a key, null if there is none. */
  V get(K key);

  /** Gives a key a value. */
  void set(K key, V value);

  /** {@link #set}, without waiting. */
  CompletionStage<Void> setAsync(K key, V value);

  /** Takes a key's value away. */
  void delete(K key);

  /** Makes all that was written since the last time durable at all nodes, and waits for it. */
  void persist();

  /** {@link #persist}, without waiting. */
  CompletionStage<Void> persistAsync();

  /** Ends it. What was not persisted stays visible and may be lost. */
  @Override
  void close();
}
