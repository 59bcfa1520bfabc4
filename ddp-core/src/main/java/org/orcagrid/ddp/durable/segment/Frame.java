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
import java.util.zip.CRC32C;

/**
 * The layout of a frame: what is written and forced at once, with one checksum. All little-endian;
 * a frame begins at a multiple of 8 bytes.
 *
 * <pre>
 *  0  int   checksum, CRC32C of all that follows in the frame
 *  4  int   bytes of the records behind the header
 *  8  int   sequence number of the segment
 * 12  int   where in the segment the frame begins
 * 16  long  position of the first record
 * 24  int   number of records
 * 28  int   sequence number of the oldest segment that is needed
 * 32        for each record: int length, bytes
 * </pre>
 *
 * <p>A frame is written only after the one before it was forced. So at most one frame of a log is
 * torn, the last one, and a whole frame behind a broken one is the proof that the broken one was
 * durable and is damaged.
 */
final class Frame {
  static final int HEADER_BYTES = 32;
  static final int PREFIX_BYTES = Integer.BYTES;
  static final int ALIGNMENT = 8;

  private static final int CHECKSUM = 0;
  private static final int BYTES = 4;
  private static final int SEQUENCE = 8;
  private static final int OFFSET = 12;
  private static final int FIRST = 16;
  private static final int COUNT = 24;
  private static final int OLDEST = 28;

  private Frame() {}

  /** The room that so many bytes take with what keeps the next frame aligned. */
  static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  static int aligned(int bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Where a frame is and what it says of the log. */
  record Place(int sequence, int offset, int oldest) {}

  /** Fills in the header of a frame that begins at 0 and ends at the limit of {@code frame}. */
  static void seal(ByteBuffer frame, Place place, long first, int count, CRC32C checksum) {
    frame.putInt(BYTES, frame.limit() - HEADER_BYTES);
    frame.putInt(SEQUENCE, place.sequence());
    frame.putInt(OFFSET, place.offset());
    frame.putLong(FIRST, first);
    frame.putInt(COUNT, count);
    frame.putInt(OLDEST, place.oldest());
    frame.putInt(CHECKSUM, checksum(frame, 0, frame.limit(), checksum));
    frame.position(0);
  }

  /** The checksum that a frame should have; its position and limit stay behind anywhere. */
  static int checksum(ByteBuffer buffer, int at, int bytes, CRC32C checksum) {
    buffer.limit(at + bytes).position(at + BYTES);
    checksum.reset();
    checksum.update(buffer);
    return (int) checksum.getValue();
  }

  static int storedChecksum(ByteBuffer buffer, int at) {
    return buffer.getInt(at + CHECKSUM);
  }

  static int bytes(ByteBuffer buffer, int at) {
    return buffer.getInt(at + BYTES);
  }

  static int sequence(ByteBuffer buffer, int at) {
    return buffer.getInt(at + SEQUENCE);
  }

  static int offset(ByteBuffer buffer, int at) {
    return buffer.getInt(at + OFFSET);
  }

  static long first(ByteBuffer buffer, int at) {
    return buffer.getLong(at + FIRST);
  }

  static int count(ByteBuffer buffer, int at) {
    return buffer.getInt(at + COUNT);
  }

  static int oldest(ByteBuffer buffer, int at) {
    return buffer.getInt(at + OLDEST);
  }
}
