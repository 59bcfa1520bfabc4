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
package org.orcagrid.jcache;

import java.util.Arrays;
import javax.cache.CacheException;

/**
 * A value as it lies in the map, with the time at which it expires beside it, so that both are
 * changed by one compare-and-set. Never changes.
 *
 * <pre>
 *   byte 0       version 1 in the high half; bit 0: the last change was of the deadline alone
 *   bytes 1..8   deadline, milliseconds since 1970, big-endian; the largest long for none
 *   the rest     the value, as its codec has written it
 * </pre>
 */
final class Stored {
  static final long ETERNAL = Long.MAX_VALUE;

  private static final int HEADER_BYTES = 1 + Long.BYTES;
  private static final int VERSION = 1 << 4;
  private static final int TOUCHED = 1;

  private final byte[] bytes;
  private final long deadlineMillis;

  private Stored(byte[] bytes, long deadlineMillis) {
    this.bytes = bytes;
    this.deadlineMillis = deadlineMillis;
  }

  static Stored of(byte[] value, long deadlineMillis) {
    byte[] bytes = new byte[HEADER_BYTES + value.length];
    System.arraycopy(value, 0, bytes, HEADER_BYTES, value.length);
    return headed(bytes, VERSION, deadlineMillis);
  }

  private static Stored headed(byte[] bytes, int first, long deadlineMillis) {
    bytes[0] = (byte) first;
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[1 + i] = (byte) (deadlineMillis >>> ((Long.BYTES - 1 - i) * Byte.SIZE));
    }
    return new Stored(bytes, deadlineMillis);
  }

  /** What the map has; null for nothing. */
  static Stored parse(byte[] bytes) {
    if (bytes == null) {
      return null;
    }
    if (bytes.length < HEADER_BYTES || (bytes[0] & ~TOUCHED) != VERSION) {
      throw new CacheException(
          "The map of this cache holds something that no cache of this version has written; maps"
              + " whose names begin with 'jcache.' are for caches alone");
    }
    long deadline = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      deadline = (deadline << Byte.SIZE) | (bytes[1 + i] & 0xFF);
    }
    return new Stored(bytes, deadline);
  }

  /** The same value with another deadline. */
  Stored touched(long otherDeadlineMillis) {
    return headed(bytes.clone(), VERSION | TOUCHED, otherDeadlineMillis);
  }

  /** Whether what wrote this has changed the deadline alone, as a read does. */
  boolean isTouched() {
    return (bytes[0] & TOUCHED) != 0;
  }

  long deadlineMillis() {
    return deadlineMillis;
  }

  boolean isExpired(long nowMillis) {
    return deadlineMillis <= nowMillis;
  }

  /** As it lies in the map; not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  /** A copy of the value. */
  byte[] value() {
    return Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
  }

  boolean hasValue(byte[] value) {
    return Arrays.equals(bytes, HEADER_BYTES, bytes.length, value, 0, value.length);
  }
}
