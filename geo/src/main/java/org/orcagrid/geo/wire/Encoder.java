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

/** Writes numbers and bytes into an array that grows. */
public final class Encoder {
  private static final int FIRST_BYTES = 128;
  private static final int SEVEN_BITS = 0x7F;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
  }

  /** A number from 0 to 255. */
  public Encoder putByte(int value) {
    room(1);
    bytes[length++] = (byte) value;
    return this;
  }

  /** A yes or no. */
  public Encoder putBoolean(boolean value) {
    return putByte(value ? 1 : 0);
  }

  /** A number, in fewer bytes the smaller it is; negative ones take ten. */
  public Encoder putNumber(long value) {
    room(Long.BYTES + 2);
    long left = value;
    while ((left & ~SEVEN_BITS) != 0) {
      bytes[length++] = (byte) (left | ~SEVEN_BITS);
      left >>>= 7;
    }
    bytes[length++] = (byte) left;
    return this;
  }

  /** Eight bytes. */
  public Encoder putLong(long value) {
    room(Long.BYTES);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[length++] = (byte) (value >>> (i * Byte.SIZE));
    }
    return this;
  }

  /** Bytes with their count, or null. */
  public Encoder putBytes(byte[] value) {
    if (value == null) {
      return putNumber(0);
    }
    putNumber(value.length + 1L);
    return putRaw(value);
  }

  /** Bytes alone. */
  public Encoder putRaw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    return this;
  }

  /** Numbers with their count; zeros at the end are left out. */
  public Encoder putNumbers(long[] values) {
    int count = values.length;
    while (count > 0 && values[count - 1] == 0) {
      count--;
    }
    putNumber(count);
    for (int i = 0; i < count; i++) {
      putNumber(values[i]);
    }
    return this;
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  /** All of them, copied. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** Begins anew. */
  public Encoder clear() {
    length = 0;
    return this;
  }
}
