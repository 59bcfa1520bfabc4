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
 * Is told of changes of a map: see {@link GridMap#listen}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface MapListener<K, V> {

  /**
   * A key has another value, or none any more. What it throws is logged and counted, and it is told
   * of the next change.
   */
  void onChange(MapChange<K, V> change);

  /**
   * Nothing more is told: the map was removed, or this node has failed or was closed. Not called
   * when the listening was closed.
   */
  default void onEnded() {}
}
