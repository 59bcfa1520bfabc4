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

import java.util.Collection;
import java.util.Map;

/**
 * What a node of a {@link CausalGridMap} had at one moment.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface Together<K, V> {

  /** The values that were seen; keys without a value are left out. */
  Map<K, V> values();

  /** The number of the node that has them. */
  int node();

  /**
   * The same of some of its keys: {@link #set} expects nothing of the others.
   *
   * @throws IllegalArgumentException if one was not looked at
   */
  Together<K, V> only(Collection<? extends K> keys);

  /**
   * Writes keys together if the node still has what was seen, for all keys that were looked at. So
   * no write of another client of that node is lost. Other nodes are not asked.
   *
   * @param writes what to write, of any keys; null removes a key
   * @return whether it was written; if not, look again
   * @throws AnotherNodeException if the thread's operations are done by another node now; nothing
   *     was written
   * @throws IllegalArgumentException if keys and values are more than {@code batchBytesMax}, 512 kB
   */
  boolean set(Map<? extends K, ? extends V> writes);
}
