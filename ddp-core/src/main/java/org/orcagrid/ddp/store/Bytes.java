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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A direct buffer that grows to the largest content it ever had, and how much of it is in use. */
public final class Bytes {
  private static final int SHORT_BYTES_MAX = 64;

  private ByteBuffer buffer;
  private int length = Reading.ABSENT;

  /** Room for {@code capacity} bytes to begin with. */
  public Bytes(int capacity) {
    this.buffer = direct(capacity);
  }

  private Bytes(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  /** Several with room for {@code capacity} bytes each, in one piece of memory. */
  public static Bytes[] several(int count, int capacity) {
    ByteBuffer all = direct(count * capacity);
    Bytes[] several = new Bytes[count];
    for (int i = 0; i < count; i++) {
      several[i] = new Bytes(all.slice(i * capacity, capacity).order(ByteOrder.LITTLE_ENDIAN));
    }
    return several;
  }

  /** A copy of a content on the heap, for whoever reads it now and then. */
  public static Bytes copyOf(Bytes other) {
    Bytes copy = new Bytes(ByteBuffer.wrap(other.toArray()).order(ByteOrder.LITTLE_ENDIAN));
    copy.length = other.length;
    return copy;
  }

  private static ByteBuffer direct(int capacity) {
    return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The buffer; content begins at 0. Another one after it has grown. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Bytes in use, {@link Reading#ABSENT} for no value. */
  public int length() {
    return length;
  }

  /** Makes room for {@code bytes}; what was there may be lost. */
  public ByteBuffer room(int bytes) {
    if (buffer.capacity() < bytes) {
      buffer = direct(Integer.highestOneBit(bytes - 1) * 2);
    }
    return buffer;
  }

  /** Makes room for {@code bytes}, of which the first {@code kept} stay as they are. */
  public void grow(int kept, int bytes) {
    if (buffer.capacity() < bytes) {
      ByteBuffer old = buffer;
      room(bytes).put(0, old, 0, kept);
    }
  }

  /** Says how much is in use. */
  public void length(int bytes) {
    this.length = bytes;
  }

  /** Takes over a content. */
  public void set(ByteBuffer from, int at, int bytes) {
    if (bytes > 0) {
      room(bytes).put(0, from, at, bytes);
    }
    length = bytes;
  }

  /**
   * Takes over a content that may be read up to the next multiple of 32 bytes: a short one is
   * copied faster so.
   */
  void setWhole(Chunk from, int at, int bytes) {
    if (bytes > SHORT_BYTES_MAX) {
      set(from.buffer(), at, bytes);
      return;
    }
    // No loop: the compiler's way into and out of one costs more than the words do.
    ByteBuffer to = room(SHORT_BYTES_MAX);
    copyWords(from, at, to, 0);
    if (bytes > SHORT_BYTES_MAX / 2) {
      copyWords(from, at + SHORT_BYTES_MAX / 2, to, SHORT_BYTES_MAX / 2);
    }
    length = bytes;
  }

  private static void copyWords(Chunk from, int at, ByteBuffer to, int toAt) {
    long first = from.getLong(at);
    long second = from.getLong(at + 8);
    long third = from.getLong(at + 16);
    long fourth = from.getLong(at + 24);
    to.putLong(toAt, first);
    to.putLong(toAt + 8, second);
    to.putLong(toAt + 16, third);
    to.putLong(toAt + 24, fourth);
  }

  /** Takes over a content. */
  public void set(Bytes other) {
    set(other.buffer, 0, other.length);
  }

  /** Takes over a content. */
  public void set(byte[] content) {
    if (content == null) {
      length = Reading.ABSENT;
    } else {
      room(content.length).put(0, content, 0, content.length);
      length = content.length;
    }
  }

  /** A copy of the content, or null. */
  public byte[] toArray() {
    if (length < 0) {
      return null;
    }
    byte[] copy = new byte[length];
    buffer.get(0, copy);
    return copy;
  }

  /** Whether both are the same bytes, or both no value. */
  public boolean sameAs(Bytes other) {
    return length == other.length
        && (length <= 0 || KeyHash.equal(buffer, 0, other.buffer, 0, length));
  }
}
