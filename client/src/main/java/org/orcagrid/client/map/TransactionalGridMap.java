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
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A map with transactions: their writes become visible together or never. A single operation is a
 * transaction of its own.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface TransactionalGridMap<K, V> extends GridMap<K, V> {

  @Override
  TransactionalGridMap<K, V> timeout(Duration timeout);

  @Override
  TransactionalGridMap<K, V> executor(Executor executor);

  /** Begins a transaction, for one thread. */
  GridTransaction<K, V> transaction();

  /**
   * Does something in a transaction, and again in another one as long as it is aborted by a
   * conflict: it must not have other effects.
   *
   * @throws TransactionAbortedException if it was aborted too often, or for the map's time-out
   */
  <T> T inTransaction(Function<? super GridTransaction<K, V>, T> work);
}
