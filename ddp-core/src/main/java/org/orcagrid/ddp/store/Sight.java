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
package org.orcagrid.ddp.store;

/**
 * What a thread that is not the worker's has found of a key in a {@link WorkerStore}: a version as
 * it was at one moment, and whether it still is the present one. Used by one thread.
 */
public final class Sight {
  /** {@link Records#NONE} where the key had no record: then there is nothing to look at again. */
  long record;

  long sequence;
  private long clock;
  private int kind;
  private byte[] value;

  void of(long found, long number, long itsClock, int itsKind, byte[] itsValue) {
    record = found;
    sequence = number;
    clock = itsClock;
    kind = itsKind;
    value = itsValue;
  }

  /** Whether the key had a record. */
  public boolean hasRecord() {
    return record != Records.NONE;
  }

  /** The clock of the version, 0 if there was none. */
  public long clock() {
    return clock;
  }

  /** The kind of the version, as it was set. */
  public int kind() {
    return kind;
  }

  /** A copy of the value; null if there was none. */
  public byte[] value() {
    return value;
  }
}
