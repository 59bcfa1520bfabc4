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
package org.orcagrid.ddp.kite;

/** What a session asks for (Kite, Table 1 and section 5.1). */
public enum OperationKind {
  /** A relaxed read. */
  READ(false),
  /** A relaxed write. */
  WRITE(false),
  /** An acquire: a linearizable read, before all that follows. */
  ACQUIRE(false),
  /** A release: a linearizable write, after all that precedes. */
  RELEASE(false),
  /** Adds to a number of 8 bytes, little-endian; a key without a value counts as 0. */
  GET_AND_ADD(true),
  /** Writes unconditionally and returns what was there. */
  GET_AND_SET(true),
  /** Writes if the value is the expected one; always asks the other nodes. */
  COMPARE_AND_SET(true),
  /** The same, but fails without asking anybody if the local value is not the expected one. */
  WEAK_COMPARE_AND_SET(true);

  private final boolean readModifyWrite;

  OperationKind(boolean readModifyWrite) {
    this.readModifyWrite = readModifyWrite;
  }

  /** Whether it reads and writes at once. */
  public boolean isReadModifyWrite() {
    return readModifyWrite;
  }
}
