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

/** When a write is acknowledged ({@code orca.replication}). */
public enum Replication {
  /** Once the leader has it in memory; at most the unreplicated window ahead of a quorum. */
  ASYNC(1),
  /** Once a quorum has it, in memory (cad, async) or on disk (sync). */
  SYNC(2),
  /**
   * Once a quorum has it, and every server that may answer reads has applied it: a read that begins
   * then shows it, at whichever server.
   */
  ACTIVE_SET(3);

  private final int wireCode;

  Replication(int wireCode) {
    this.wireCode = wireCode;
  }

  /** The number that stands for this constant in messages; never reused for another. */
  public int wireCode() {
    return wireCode;
  }
}
