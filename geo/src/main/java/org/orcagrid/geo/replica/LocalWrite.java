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

/** A client's write, as it is in the log of the datacenter where it was made. Immutable. */
public final class LocalWrite {
  private final WriteId id;
  private final long expires;
  private final long time;
  private final Condition condition;
  private final byte[] key;
  private final byte[] value;

  /**
   * A write.
   *
   * @param id tells it from others, and is the same when it is tried again
   * @param expires the hybrid timestamp after which it is not to take effect any more
   * @param time its own
   * @param condition null for none
   * @param key nobody changes it from now on
   * @param value the same; null to delete the key
   */
  public LocalWrite(
      WriteId id, long expires, long time, Condition condition, byte[] key, byte[] value) {
    this.id = id;
    this.expires = expires;
    this.time = time;
    this.condition = condition;
    this.key = key;
    this.value = value;
  }

  /** The same with the timestamp that its leader has given it. */
  public LocalWrite at(long timestamp) {
    return new LocalWrite(id, expires, timestamp, condition, key, value);
  }

  /** Which write it is. */
  public WriteId id() {
    return id;
  }

  /** When its outcome may be forgotten. */
  public long expires() {
    return expires;
  }

  /** Its hybrid timestamp. */
  public long time() {
    return time;
  }

  /** What it asks of the version before, null for nothing. */
  public Condition condition() {
    return condition;
  }

  /** The key, not to be changed. */
  public byte[] key() {
    return key;
  }

  /** The value, not to be changed; null for a deletion. */
  public byte[] value() {
    return value;
  }
}
