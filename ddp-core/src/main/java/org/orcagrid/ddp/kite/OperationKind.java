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
  READ(1, false),
  /** A relaxed write. */
  WRITE(2, false),
  /** An acquire: a linearizable read, before all that follows. */
  ACQUIRE(3, false),
  /** A release: a linearizable write, after all that precedes. */
  RELEASE(4, false),
  /** Adds to a number of 8 bytes, little-endian; a key without a value counts as 0. */
  GET_AND_ADD(5, true),
  /** Writes unconditionally and returns what was there. */
  GET_AND_SET(6, true),
  /** Writes if the value is the expected one; always asks the other nodes. */
  COMPARE_AND_SET(7, true),
  /** The same, but fails without asking anybody if the local value is not the expected one. */
  WEAK_COMPARE_AND_SET(8, true);

  private static final OperationKind[] ALL = values();

  private final int code;
  private final boolean readModifyWrite;

  OperationKind(int code, boolean readModifyWrite) {
    this.code = code;
    this.readModifyWrite = readModifyWrite;
  }

  /** The number that stands for it on the wire. */
  public int code() {
    return code;
  }

  /** The kind with that number; null if there is none. */
  public static OperationKind of(int code) {
    return code > 0 && code <= ALL.length ? ALL[code - 1] : null;
  }

  /** Whether it is given a value. */
  public boolean writes() {
    return this != READ && this != ACQUIRE && this != GET_AND_ADD;
  }

  /** Whether it is given a value to compare with. */
  public boolean compares() {
    return this == COMPARE_AND_SET || this == WEAK_COMPARE_AND_SET;
  }

  /** Whether it reads and writes at once. */
  public boolean isReadModifyWrite() {
    return readModifyWrite;
  }
}
