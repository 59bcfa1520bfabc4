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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Hashes and compares keys where they are. */
public final class KeyHash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MIX = 0xBF58476D1CE4E5B9L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private KeyHash() {}

  /** The same hash of bytes on the heap. */
  public static long hash(byte[] key) {
    long hash = key.length * GOLDEN;
    int at = 0;
    for (; key.length - at >= Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONG.get(key, at));
    }
    if (at < key.length) {
      hash = mix(hash ^ tail(key, at));
    }
    return hash;
  }

  /** The hash of {@code length} bytes from {@code offset}; the same in every process. */
  public static long hash(ByteBuffer buffer, int offset, int length) {
    long hash = length * GOLDEN;
    int at = offset;
    int left = length;
    for (; left >= Long.BYTES; left -= Long.BYTES, at += Long.BYTES) {
      hash = mix(hash ^ buffer.getLong(at));
    }
    if (left > 0) {
      hash = mix(hash ^ tail(buffer, at, left));
    }
    return hash;
  }

  static boolean equal(ByteBuffer one, int oneAt, ByteBuffer other, int otherAt, int length) {
    int last = length - Long.BYTES;
    if (last < 0) {
      return tail(one, oneAt, length) == tail(other, otherAt, length);
    }
    for (int i = 0; i < last; i += Long.BYTES) {
      if (one.getLong(oneAt + i) != other.getLong(otherAt + i)) {
        return false;
      }
    }
    // The last eight may have been looked at in part.
    return one.getLong(oneAt + last) == other.getLong(otherAt + last);
  }

  static boolean equal(Chunk one, int oneAt, ByteBuffer other, int otherAt, int length) {
    int last = length - Long.BYTES;
    if (last < 0) {
      return tail(one.buffer(), oneAt, length) == tail(other, otherAt, length);
    }
    for (int i = 0; i < last; i += Long.BYTES) {
      if (one.getLong(oneAt + i) != other.getLong(otherAt + i)) {
        return false;
      }
    }
    return one.getLong(oneAt + last) == other.getLong(otherAt + last);
  }

  static boolean equal(Chunk one, int oneAt, byte[] other) {
    int last = other.length - Long.BYTES;
    if (last < 0) {
      return tail(one.buffer(), oneAt, other.length) == tail(other, 0);
    }
    for (int i = 0; i < last; i += Long.BYTES) {
      if (one.getLong(oneAt + i) != (long) LONG.get(other, i)) {
        return false;
      }
    }
    return one.getLong(oneAt + last) == (long) LONG.get(other, last);
  }

  private static long tail(byte[] key, int from) {
    long tail = 0;
    for (int i = from; i < key.length; i++) {
      tail |= (key[i] & 0xFFL) << (Byte.SIZE * (i - from));
    }
    return tail;
  }

  private static long tail(ByteBuffer buffer, int at, int left) {
    long tail = 0;
    for (int i = 0; i < left; i++) {
      tail |= (buffer.get(at + i) & 0xFFL) << (Byte.SIZE * i);
    }
    return tail;
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * MIX;
    mixed = (mixed ^ (mixed >>> 27)) * GOLDEN;
    return mixed ^ (mixed >>> 31);
  }
}
