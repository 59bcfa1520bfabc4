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
package org.orcagrid.server.settings;

/** Which servers answer reads from their own state ({@code orca.readers}). */
public enum Readers {
  /**
   * The servers that the leader has granted a lease; nothing is shown to a client that one of them
   * has not applied. Any other server asks the leader before each read.
   */
  ACTIVE_SET(3),
  /**
   * The leader. A session may be on any server: a follower asks the leader before each read, and
   * answers once it has caught up with what the leader had committed.
   */
  LEADER(1),
  /** Every server answers from what it has; a lagging one may show an older state. */
  ALL(2);

  private final int wireCode;

  Readers(int wireCode) {
    this.wireCode = wireCode;
  }

  /** The number that stands for this constant in messages; never reused for another. */
  public int wireCode() {
    return wireCode;
  }
}
