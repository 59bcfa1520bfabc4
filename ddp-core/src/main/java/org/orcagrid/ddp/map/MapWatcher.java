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

import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** Is told of each version of a map that becomes visible at this node. */
@FunctionalInterface
public interface MapWatcher {

  /**
   * A key has another version than it had when this was called last, or when watching began. By the
   * thread that does the map's work: it must not wait, nor throw.
   *
   * @param before null if there was none, or none is known
   * @param now without a value if the key was removed; under the clock of {@code before} if the
   *     time of that was over; null if the removal is forgotten already
   */
  void onShown(Key key, Write before, Write now);

  /** Nothing more is told: the map was removed, or its node has ended. By any thread. */
  default void onEnded() {}
}
