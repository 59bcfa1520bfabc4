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

/** Records that become durable together, gathered as the frame that they will be written as. */
final class Batch {
  private final ByteBuffer frame;
  private final CRC32C checksum = new CRC32C();
  private int end;
  private long first;
  private int count;

  /**
   * A batch whose frame has at most so many bytes. They are outside the heap, and taken at once: a
   * log does not stop because such memory has ended later.
   */
  Batch(int frameBytesMax) {
    this.frame = ByteBuffer.allocateDirect(frameBytesMax).order(ByteOrder.LITTLE_ENDIAN);
    clear(1);
  }

  static Batch withoutRecords() {
    return new Batch(Frame.HEADER_BYTES);
  }

  /** Starts over; its first record will have this position. */
  void clear(long next) {
    end = Frame.HEADER_BYTES;
    first = next;
    count = 0;
    frame.clear();
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  long first() {
    return first;
  }

  /** The position of the record that comes next. */
  long next() {
    return first + count;
  }

  /** Bytes of the records and their prefixes. */
  int recordBytes() {
    return end - Frame.HEADER_BYTES;
  }

  /** The room that the frame takes in a segment. */
  int frameBytes() {
    return Frame.aligned(end);
  }

  /** The same, with one more record; more than there may be if it does not fit. */
  long frameBytesWith(int recordBytes) {
    return Frame.aligned((long) end + Frame.PREFIX_BYTES + recordBytes);
  }

  boolean fits(int recordBytes) {
    return frameBytesWith(recordBytes) <= frame.capacity();
  }

  /** Copies a record that fits. */
  void add(ByteBuffer record) {
    int bytes = record.remaining();
    frame.putInt(end, bytes);
    frame.put(end + Frame.PREFIX_BYTES, record, record.position(), bytes);
    end += Frame.PREFIX_BYTES + bytes;
    count++;
  }

  /** The frame with its checksum, to be written. */
  ByteBuffer sealed(Frame.Place place) {
    frame.clear().limit(end);
    Frame.seal(frame, place, first, count, checksum);
    return frame;
  }
}
