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
package org.orcagrid.ddp.zone;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Where what is in a zone: two slots for the owner's header, of which the later one counts, and a
 * ring of frames. A frame is in one piece, and begins at a multiple of 64 bytes.
 *
 * <p>A frame: position (long), map (int), bytes of the record (int), checksum of all that and the
 * record (int), nothing (int), state (long, the owner's), the record.
 */
final class ZoneLayout {
  static final int LINE_BYTES = 64;

  // A slot of the header.
  static final int SLOTS = 2;
  static final int SLOT_NUMBER = 0;
  static final int SLOT_LIFE = 8;
  static final int SLOT_TAIL_COUNT = 16;
  static final int SLOT_TAIL_AT = 24;
  static final int SLOT_MAGIC = 32;
  static final int SLOT_CHECKSUM = 40;
  static final long MAGIC = 0x31454E4F5A43524FL;

  static final int RING_AT = SLOTS * LINE_BYTES;

  // A frame.
  static final int POSITION = 0;
  static final int MAP = 8;
  static final int LENGTH = 12;
  static final int CHECKSUM = 16;
  static final int STATE = 24;
  static final int RECORD = 32;

  static final long LIVE = 0;
  static final long VOID = 1;

  /** The map of a frame without a record, behind which the ring begins again. */
  static final int NO_MAP = -1;

  private static final int LIFE_SHIFT = 40;

  /** Frames of a life: months of them. */
  static final long COUNT_MAX = (1L << LIFE_SHIFT) - 1;

  private ZoneLayout() {}

  static long position(long life, long count) {
    return life << LIFE_SHIFT | count;
  }

  static long life(long position) {
    return position >>> LIFE_SHIFT;
  }

  /** Bytes that a frame takes in the ring. */
  static int frameBytes(int recordBytes) {
    return Math.addExact(RECORD + recordBytes, LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  }

  static int ringBytes(ByteBuffer zone) {
    return zone.limit() - RING_AT;
  }

  /** Puts a frame; the record is between the position and the limit of {@code record}. */
  static void putFrame(ByteBuffer into, int at, long position, int map, ByteBuffer record) {
    int length = record.remaining();
    into.putLong(at + POSITION, position);
    into.putInt(at + MAP, map);
    into.putInt(at + LENGTH, length);
    into.putLong(at + STATE, LIVE);
    into.put(at + RECORD, record, record.position(), length);
    into.putLong(at + CHECKSUM, checksum(into, at, length));
  }

  /** Puts a frame without a record that fills the rest of the ring. */
  static void putSkip(ByteBuffer into, int at, long position, int restBytes) {
    into.putLong(at + POSITION, position);
    into.putInt(at + MAP, NO_MAP);
    into.putInt(at + LENGTH, restBytes - RECORD);
    into.putLong(at + STATE, LIVE);
    into.putLong(at + CHECKSUM, checksum(into, at, 0));
  }

  /** Whether the frame of this position is there, whole. */
  static boolean isFrame(ByteBuffer zone, int at, long position) {
    if (at + RECORD > zone.limit() || zone.getLong(at + POSITION) != position) {
      return false;
    }
    int length = zone.getInt(at + LENGTH);
    if (length < 0 || length > zone.limit() - at - RECORD) {
      return false;
    }
    int recordBytes = zone.getInt(at + MAP) == NO_MAP ? 0 : length;
    return zone.getLong(at + CHECKSUM) == checksum(zone, at, recordBytes);
  }

  private static long checksum(ByteBuffer from, int at, int recordBytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(from.slice(at, CHECKSUM));
    checksum.update(from.slice(at + RECORD, recordBytes));
    return checksum.getValue();
  }

  static long slotChecksum(ByteBuffer zone, int at) {
    CRC32C checksum = new CRC32C();
    checksum.update(zone.slice(at, SLOT_CHECKSUM));
    return checksum.getValue();
  }
}
