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
package org.orcagrid.ddp.durable.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first bytes of a segment's file, little-endian: 8 bytes that name the format, an int with its
 * version, an int with the CRC32C of all else, and the fields below in their order; zeros up to 64
 * bytes.
 *
 * @param version of the format
 * @param sequence the number of the segment, from 1 on; each has one more than that before it
 * @param oldest the sequence number of the oldest segment that was needed when this one was begun
 * @param bytes the length of the file
 * @param firstRecord the position of the first record, which is one more than that of the last
 *     record of the segment before
 */
record SegmentHeader(int version, int sequence, int oldest, int bytes, long firstRecord) {
  static final int BYTES = 64;

  /** The version of the format that this program writes and reads. */
  static final int VERSION = 1;

  /** "ORCA-LOG" in ASCII. */
  private static final long NAME = 0x474F4C2D4143524FL;

  private static final int VERSION_AT = 8;
  private static final int CHECKSUM_AT = 12;
  private static final int FIELDS_AT = 16;

  ByteBuffer encoded() {
    return encoded(ByteBuffer.allocate(BYTES));
  }

  /** The same in a buffer of at least so many bytes, up to whose limit it is then. */
  ByteBuffer encoded(ByteBuffer into) {
    ByteBuffer header = into.clear().limit(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(0, NAME).putInt(VERSION_AT, version).position(FIELDS_AT);
    header.putInt(sequence).putInt(oldest).putInt(bytes).putLong(firstRecord);
    header.putInt(CHECKSUM_AT, checksum(header));
    return header.rewind();
  }

  private static int checksum(ByteBuffer header) {
    CRC32C checksum = new CRC32C();
    checksum.update(header.slice(0, CHECKSUM_AT));
    checksum.update(header.slice(FIELDS_AT, BYTES - FIELDS_AT));
    return (int) checksum.getValue();
  }

  /**
   * The header in 64 bytes; null if there is no whole one. Only its name, version and checksum mean
   * something if its version is not ours: these are where they are in all versions.
   */
  static SegmentHeader decode(ByteBuffer header) {
    ByteBuffer bytes = header.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getLong(0) != NAME || bytes.getInt(CHECKSUM_AT) != checksum(bytes)) {
      return null;
    }
    bytes.position(FIELDS_AT);
    return new SegmentHeader(
        bytes.getInt(VERSION_AT), bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getLong());
  }
}
