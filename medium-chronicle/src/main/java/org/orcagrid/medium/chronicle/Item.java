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
package org.orcagrid.medium.chronicle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * An entry of the map. Its key begins with a letter, so that records without a key have keys of
 * their own; its value is, little-endian:
 *
 * <pre>
 * 0 int CRC32C of all that follows and of the key   4 int part   8 long position   16 long order
 * 24 the record
 * </pre>
 */
final class Item {
  static final int HEADER_BYTES = 24;
  private static final byte KEYED = 'K';
  private static final byte POSITION = 'P';

  private final byte[] key;
  private final byte[] value;

  private Item(byte[] key, byte[] value) {
    this.key = key;
    this.value = value;
  }

  /** The latest of a key. */
  static Item latest(long position, int part, ByteBuffer key, long order, ByteBuffer record) {
    int bytes = key.remaining();
    if (bytes > ChronicleLimits.KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "A key has at most " + ChronicleLimits.KEY_BYTES_MAX + " bytes, not " + bytes);
    }
    byte[] own = ByteBuffer.allocate(1 + bytes).put(KEYED).put(key.duplicate()).array();
    return new Item(own, value(own, position, part, order, record));
  }

  /** What stays until it is trimmed. */
  static Item untilTrimmed(long position, int part, ByteBuffer record) {
    byte[] own =
        ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
            .put(POSITION)
            .putLong(position)
            .putInt(part)
            .array();
    return new Item(own, value(own, position, part, 0, record));
  }

  /** What was read from a map. */
  static Item read(byte[] key, byte[] value) {
    return new Item(key, value);
  }

  private static byte[] value(byte[] key, long position, int part, long order, ByteBuffer record) {
    ByteBuffer value =
        ByteBuffer.allocate(HEADER_BYTES + record.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    value.putInt(4, part).putLong(8, position).putLong(16, order);
    value.position(HEADER_BYTES).put(record.duplicate());
    value.putInt(0, crc(key, value.array()));
    return value.array();
  }

  private static int crc(byte[] key, byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update(value, Integer.BYTES, value.length - Integer.BYTES);
    crc.update(key);
    return (int) crc.getValue();
  }

  private ByteBuffer view() {
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whether it is as it was made. */
  boolean isWhole() {
    return value.length >= HEADER_BYTES && crc() == crc(key, value);
  }

  int crc() {
    return view().getInt(0);
  }

  int part() {
    return view().getInt(4);
  }

  long position() {
    return view().getLong(8);
  }

  long order() {
    return view().getLong(16);
  }

  ByteBuffer record() {
    return ByteBuffer.wrap(value, HEADER_BYTES, value.length - HEADER_BYTES).slice();
  }

  byte[] key() {
    return key;
  }

  byte[] value() {
    return value;
  }

  /** What it takes in a map. */
  int bytes() {
    return key.length + value.length;
  }
}
