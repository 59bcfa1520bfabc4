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
package org.orcagrid.geo.replica;

/** A write of another datacenter, or a place in its log that has none. Immutable. */
public final class RemoteWrite {
  private final long previous;
  private final long position;
  private final long time;
  private final byte[] key;
  private final byte[] value;

  /**
   * A write.
   *
   * @param previous the position of the write that was forwarded before
   * @param position its own
   * @param time its hybrid timestamp
   * @param key null if the write there had no effect
   * @param value null for a deletion
   */
  public RemoteWrite(long previous, long position, long time, byte[] key, byte[] value) {
    this.previous = previous;
    this.position = position;
    this.time = time;
    this.key = key;
    this.value = value;
  }

  /** Where the write before is. */
  public long previous() {
    return previous;
  }

  /** Where it is in the log of its datacenter. */
  public long position() {
    return position;
  }

  /** Its hybrid timestamp. */
  public long time() {
    return time;
  }

  /** The key, not to be changed; null if it had no effect. */
  public byte[] key() {
    return key;
  }

  /** The value, not to be changed; null for a deletion. */
  public byte[] value() {
    return value;
  }

  /** About how many bytes it takes. */
  public int bytes() {
    return 32 + (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
  }
}
