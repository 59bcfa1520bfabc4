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

/**
 * A piece of memory, little-endian: what all keys and values of a node are read and written by.
 * Where the JDK lets it without a warning it does so {@linkplain RawAccess by address}. Then bounds
 * are checked only where assertions are enabled, as in our tests and the simulator.
 */
final class Chunk {
  private static final boolean RAW = RawAccess.IS_THERE;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Up to so many bytes are faster word by word. */
  private static final int SHORT_BYTES_MAX = 64;

  /** Keeps the memory. */
  private final ByteBuffer buffer;

  private final Object base;
  private final long address;

  /** The whole of a little-endian buffer. */
  Chunk(ByteBuffer buffer) {
    this.buffer = buffer;
    this.base = RAW ? RawAccess.base(buffer) : null;
    this.address = RAW ? RawAccess.address(buffer) : 0;
  }

  /** The same memory as a buffer. */
  ByteBuffer buffer() {
    return buffer;
  }

  int bytes() {
    return buffer.capacity();
  }

  boolean isDirect() {
    return buffer.isDirect();
  }

  private boolean has(int at, int length) {
    return at >= 0 && length >= 0 && at <= buffer.capacity() - length;
  }

  long getLong(int at) {
    assert has(at, Long.BYTES) : at;
    return RAW ? RawAccess.getLong(base, address + at) : buffer.getLong(at);
  }

  int getInt(int at) {
    assert has(at, Integer.BYTES) : at;
    return RAW ? RawAccess.getInt(base, address + at) : buffer.getInt(at);
  }

  void putLong(int at, long value) {
    assert has(at, Long.BYTES) : at;
    if (RAW) {
      RawAccess.putLong(base, address + at, value);
    } else {
      buffer.putLong(at, value);
    }
  }

  void putInt(int at, int value) {
    assert has(at, Integer.BYTES) : at;
    if (RAW) {
      RawAccess.putInt(base, address + at, value);
    } else {
      buffer.putInt(at, value);
    }
  }

  /**
   * What is at an aligned place, before all that is read next. A fence: 64-bit JVMs read aligned 8
   * bytes at once either way.
   */
  long getAcquire(int at) {
    long value = getLong(at);
    VarHandle.acquireFence();
    return value;
  }

  /** Puts a number at an aligned place, after all that was put before. */
  void putRelease(int at, long value) {
    VarHandle.releaseFence();
    putLong(at, value);
  }

  /** Copies to the whole of an array. */
  void get(int at, byte[] into) {
    int length = into.length;
    assert has(at, length) : at;
    if (!RAW || length < Long.BYTES || length > SHORT_BYTES_MAX) {
      buffer.get(at, into);
      return;
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      LONG.set(into, i, RawAccess.getLong(base, address + at + i));
    }
    // The last eight, of which some may have been copied.
    LONG.set(into, last, RawAccess.getLong(base, address + at + last));
  }

  /** Copies the whole of an array. */
  void put(int at, byte[] from) {
    int length = from.length;
    assert has(at, length) : at;
    if (!RAW || length < Long.BYTES || length > SHORT_BYTES_MAX) {
      buffer.put(at, from);
      return;
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      RawAccess.putLong(base, address + at + i, (long) LONG.get(from, i));
    }
    RawAccess.putLong(base, address + at + last, (long) LONG.get(from, last));
  }
}
