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
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * A map with causal consistency, whose keys can be read and written together. Its node does each of
 * these operations in one step, and asks no other node.
 *
 * <p>What is written together becomes visible together at every node, and durable together. A read
 * of several keys and {@link #snapshot} see all of it or nothing of it, whichever node they ask. A
 * read of one key looks at that key alone: two such reads may see different moments. The time of a
 * value ends for each key by itself.
 *
 * <p>Of values that nodes write at the same time the later one wins, as everywhere in a causal map.
 * What was written together to the same keys wins or loses as a whole.
 *
 * <p>These operations come after those of the same thread that have completed. Asynchronous ones
 * that are under way may come before or after.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface CausalGridMap<K, V> extends GridMap<K, V> {

  @Override
  CausalGridMap<K, V> timeout(Duration timeout);

  @Override
  CausalGridMap<K, V> executor(Executor executor);

  /**
   * The number of the node that does what this thread asks for, from 0 on. A remote handle gets
   * another node when its node is lost.
   */
  int node();

  /**
   * The values of some keys, as the node has them at one moment; keys without a value are left out.
   *
   * @throws IllegalArgumentException if the keys are more than {@code batchBytesMax}, 512 kB
   */
  Map<K, V> getTogether(Collection<? extends K> keys);

  /**
   * Writes some keys together; null removes a key.
   *
   * @throws IllegalArgumentException if keys and values are more than {@code batchBytesMax}, 512 kB
   */
  void setTogether(Map<? extends K, ? extends V> entries);

  /**
   * Reads some keys, to write what follows from them: {@link Together#set} writes only if the node
   * still has what was seen.
   *
   * @throws IllegalArgumentException if the keys are more than {@code batchBytesMax}, 512 kB
   */
  Together<K, V> look(Collection<? extends K> keys);
}
