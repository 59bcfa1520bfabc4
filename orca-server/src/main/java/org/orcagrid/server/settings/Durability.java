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

/** When a write is made durable ({@code orca.durability}). */
public enum Durability {
  /** Before it is read: consistency-aware durability, section 4.3 of the ORCA paper. */
  CAD(1),
  /** Before it is acknowledged, on a quorum, as in stock ZooKeeper. */
  SYNC(2),
  /** Some time later, in the background. What was read can be lost. */
  ASYNC(3);

  private final int wireCode;

  Durability(int wireCode) {
    this.wireCode = wireCode;
  }

  /** The number that stands for this constant in messages; never reused for another. */
  public int wireCode() {
    return wireCode;
  }
}
