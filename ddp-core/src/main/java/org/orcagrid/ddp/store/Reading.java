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

/** What {@link ReplicaStore#read} has read besides the value: reused from read to read. */
public final class Reading {
  /** The length of a value that is not there. */
  public static final int ABSENT = -1;

  /** The clock of the version, 0 if there is none. */
  public long clock;

  /** The read-modify-writes since that clock. */
  public long rmw;

  /** The per-key epoch (Kite, section 4.2). */
  public int epoch;

  /** Bytes of the value, {@link #ABSENT} for none. */
  public int length;

  /** What is read of a key without a record. */
  public void clear() {
    clock = 0;
    rmw = 0;
    epoch = 0;
    length = ABSENT;
  }
}
