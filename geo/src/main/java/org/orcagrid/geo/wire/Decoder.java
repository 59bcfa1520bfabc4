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
package org.orcagrid.geo.wire;

import java.util.Arrays;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** Reads what an {@link Encoder} has written; whatever the bytes are, it fails with one kind. */
public final class Decoder {
  private static final int NUMBER_BYTES_MAX = 10;
  private static final int SEVEN_BITS = 0x7F;

  private final byte[] bytes;
  private final int end;
  private int at;

  /** Reads an array from its beginning. */
  public Decoder(byte[] bytes) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  private void require(int more) {
    if (more < 0 || end - at < more) {
      throw new MalformedPacketException("It ends at byte " + end + ", within what it should have");
    }
  }

  /** A number from 0 to 255. */
  public int getByte() {
    require(1);
    return bytes[at++] & 0xFF;
  }

  /** A yes or no. */
  public boolean getBoolean() {
    int value = getByte();
    if (value > 1) {
      throw new MalformedPacketException(value + " is neither yes nor no");
    }
    return value == 1;
  }

  /** A number. */
  public long getNumber() {
    long value = 0;
    for (int i = 0; i < NUMBER_BYTES_MAX; i++) {
      int next = getByte();
      value |= (long) (next & SEVEN_BITS) << (7 * i);
      if (next <= SEVEN_BITS) {
        return value;
      }
    }
    throw new MalformedPacketException("A number has more than " + NUMBER_BYTES_MAX + " bytes");
  }

  /** A number from 0 to {@code max}. */
  public int getInt(int max) {
    long value = getNumber();
    if (value < 0 || value > max) {
      throw new MalformedPacketException(value + " is not from 0 to " + max);
    }
    return (int) value;
  }

  /** Eight bytes. */
  public long getLong() {
    require(Long.BYTES);
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value |= (bytes[at++] & 0xFFL) << (i * Byte.SIZE);
    }
    return value;
  }

  /** Bytes, or null. */
  public byte[] getBytes(int max) {
    int count = getInt(max + 1) - 1;
    return count < 0 ? null : getRaw(count);
  }

  /** Bytes that are there. */
  public byte[] getPresent(int max) {
    byte[] value = getBytes(max);
    if (value == null) {
      throw new MalformedPacketException("Bytes are missing before byte " + at);
    }
    return value;
  }

  /** As many bytes. */
  public byte[] getRaw(int count) {
    require(count);
    at += count;
    return Arrays.copyOfRange(bytes, at - count, at);
  }

  /** Numbers, of which there are {@code count} in the array. */
  public long[] getNumbers(int count) {
    long[] values = new long[count];
    int there = getInt(count);
    for (int i = 0; i < there; i++) {
      values[i] = getNumber();
    }
    return values;
  }

  /** How many bytes are left. */
  public int left() {
    return end - at;
  }

  /** It must be at its end. */
  public void end() {
    if (at != end) {
      throw new MalformedPacketException(end - at + " bytes are left behind byte " + at);
    }
  }
}
