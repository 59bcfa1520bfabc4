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
package org.orcagrid.ddp.replica.state;

/** Who is told of versions that become visible at a node. */
public interface VersionListener {

  /**
   * Another version of a key is visible here: {@code now}, where {@code before} was told last. Only
   * while somebody watches.
   *
   * @param before null if there was none, or none is known
   * @param now without a value if the key was removed or the time of its value is over, under the
   *     clock of that value then; null if it was removed and that is forgotten already
   */
  default void shown(Key key, Write before, Write now) {}
}
