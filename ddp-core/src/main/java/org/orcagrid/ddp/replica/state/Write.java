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

import java.util.List;
import org.orcagrid.ddp.Timestamp;

/**
 * A version of a key. Its value is shared, never copied and never changed; no other version of its
 * key has its clock, so those two make it equal to another one.
 */
public final class Write {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final Key key;
  private final long clock;
  private final byte[] value;
  private final boolean conditional;

  /**
   * A version.
   *
   * @param key the key
   * @param clock its Lamport clock, which no other version of the key has
   * @param value null if the key is removed
   */
  public Write(Key key, long clock, byte[] value) {
    this(key, clock, value, false);
  }

  private Write(Key key, long clock, byte[] value, boolean conditional) {
    this.key = key;
    this.clock = clock;
    this.value = value;
    this.conditional = conditional;
  }

  /**
   * A version that counts only if it comes to all members before any other one does: that of a
   * read-modify-write.
   */
  public static Write conditional(Key key, long clock, byte[] value) {
    return new Write(key, clock, value, true);
  }

  /** The latest clock of these versions; 0 if there are none. */
  public static long latest(List<Write> writes) {
    long latest = 0;
    for (Write write : writes) {
      latest = Math.max(latest, write.clock());
    }
    return latest;
  }

  /** The same version as a removal: the time of its value is over. */
  public Write withoutValue() {
    return new Write(key, clock, null, conditional);
  }

  /** The same version, of which it is known that it counts. */
  public Write unconditional() {
    return conditional ? new Write(key, clock, value, false) : this;
  }

  /** The key. */
  public Key key() {
    return key;
  }

  /** Its Lamport clock. */
  public long clock() {
    return clock;
  }

  /** The value, not to be changed; null if the key is removed. */
  public byte[] value() {
    return value;
  }

  /** Whether it counts only if it comes to all members before any other version does. */
  public boolean isConditional() {
    return conditional;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Write write && clock == write.clock && key.equals(write.key);
  }

  @Override
  public int hashCode() {
    // The lower bits of all clocks of a writer are the same.
    return (int) ((clock * GOLDEN) >>> Integer.SIZE);
  }

  @Override
  public String toString() {
    return key + "@" + Timestamp.version(clock) + "." + Writer.describe(clock);
  }
}
