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

/**
 * A transaction, for one thread. Every operation throws {@link TransactionAbortedException} when
 * the transaction has met another one and was aborted; nothing of it is left then.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface GridTransaction<K, V> extends AutoCloseable {

  /** The value of a key, null if there is none. */
  V get(K key);

  /** Gives a key a value, from the end of the transaction on. */
  void set(K key, V value);

  /** Takes a key's value away, from the end of the transaction on. */
  void delete(K key);

  /** Ends it. All its writes are visible, and as durable as the model has it, when this returns. */
  void commit();

  /** Gives it up unless it was committed: nothing of it is left. */
  @Override
  void close();
}
