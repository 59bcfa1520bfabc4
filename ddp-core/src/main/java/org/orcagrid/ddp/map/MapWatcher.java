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
package org.orcagrid.ddp.map;

/** Is told of each version of a map that becomes visible at this node. */
@FunctionalInterface
public interface MapWatcher {

  /**
   * A key has another version than it had when this was called last, or when watching began. By the
   * thread that does the map's work: it must not wait, nor throw.
   */
  void onShown(Shown change);

  /** Nothing more is told: the map was removed, or its node has ended. By any thread. */
  default void onEnded() {}
}
