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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.zip.CRC32C;
import org.orcagrid.ddp.durable.DurableMedium;

/** Reads a segment's file from its beginning to its end, once, in large pieces. */
final class SegmentReader implements Closeable {
  private static final int WINDOW_BYTES = 1 << 20;

  private final SegmentFile file;
  private final int fileBytes;
  private final Set<SegmentRule> rules;
  private final CRC32C checksum = new CRC32C();

  /** The part of the file that is in memory, and where in the file it begins. */
  private ByteBuffer window;

  private int windowAt;

  SegmentReader(SegmentFile file, Set<SegmentRule> rules) throws IOException {
    this.file = file;
    this.fileBytes = file.size();
    this.rules = rules;
    // Nothing is read yet: a window that ends where it begins.
    this.window = window(Math.min(WINDOW_BYTES, fileBytes)).limit(0);
  }

  private static ByteBuffer window(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  int fileBytes() {
    return fileBytes;
  }

  /** Brings so many bytes into the window; false if the file ends before them. */
  private boolean read(int offset, int bytes) throws IOException {
    if (bytes > fileBytes - offset) {
      return false;
    }
    if (offset + bytes > windowAt + window.limit()) {
      window.position(Math.min(window.limit(), offset - windowAt));
      // A frame may be larger than the window.
      window = bytes > window.capacity() ? window(bytes).put(window) : window.compact();
      windowAt = offset;
      int kept = window.position();
      window.limit(Math.min(window.capacity(), fileBytes - offset));
      file.read(window, offset + kept);
      window.flip();
    }
    return offset + bytes <= windowAt + window.limit();
  }

  /** Whether a whole frame of the segment {@code sequence} begins at {@code offset}. */
  boolean isFrame(int offset, int sequence) throws IOException {
    if (!hasHeader(offset)) {
      return false;
    }
    boolean ours =
        Frame.sequence(window, offset - windowAt) == sequence
            || !rules.contains(SegmentRule.SEQUENCE_IN_FRAME);
    return ours && isWhole(offset);
  }

  private boolean hasHeader(int offset) throws IOException {
    return offset <= fileBytes - Frame.HEADER_BYTES
        && read(offset, Frame.HEADER_BYTES)
        && Frame.offset(window, offset - windowAt) == offset;
  }

  private boolean isWhole(int offset) throws IOException {
    int bytes = Frame.bytes(window, offset - windowAt);
    if (bytes < 0
        || bytes > fileBytes - Frame.HEADER_BYTES - offset
        || !read(offset, Frame.HEADER_BYTES + bytes)) {
      return false;
    }
    int at = offset - windowAt;
    if (!rules.contains(SegmentRule.CHECKSUM)) {
      return true;
    }
    int limit = window.limit();
    int found = Frame.checksum(window, at, Frame.HEADER_BYTES + bytes, checksum);
    window.clear().limit(limit);
    return found == Frame.storedChecksum(window, at);
  }

  /** The position of the first record of the frame at {@code offset}, which must be one. */
  long first(int offset) {
    return Frame.first(window, offset - windowAt);
  }

  int count(int offset) {
    return Frame.count(window, offset - windowAt);
  }

  int oldest(int offset) {
    return Frame.oldest(window, offset - windowAt);
  }

  /** Where the frame at {@code offset} ends and the next one begins. */
  int end(int offset) {
    return offset + Frame.aligned(Frame.HEADER_BYTES + Frame.bytes(window, offset - windowAt));
  }

  /** Bytes of the records of the frame at {@code offset}. */
  int recordBytes(int offset) {
    return Frame.bytes(window, offset - windowAt);
  }

  /** Shows the records of the frame at {@code offset}. */
  void replay(int offset, DurableMedium.Replay replay) throws IOException {
    int at = offset - windowAt + Frame.HEADER_BYTES;
    int end = at + recordBytes(offset);
    long position = first(offset);
    ByteBuffer record = window.asReadOnlyBuffer();
    for (int left = count(offset); left > 0; left--) {
      int bytes = end - at < Frame.PREFIX_BYTES ? -1 : window.getInt(at);
      if (bytes < 0 || bytes > end - at - Frame.PREFIX_BYTES) {
        throw new IOException("A frame whose checksum is right has a record that is longer");
      }
      at += Frame.PREFIX_BYTES;
      record.limit(at + bytes).position(at);
      replay.onRecord(position, record);
      // Whoever was shown it may have moved its limit.
      record.clear();
      at += bytes;
      position++;
    }
  }

  /**
   * Looks for a whole frame from {@code offset} on.
   *
   * @param sequenceMin of a segment with this sequence number at least
   * @param sequenceMax and this one at most
   * @return where it begins, -1 if there is none
   */
  int find(int offset, int sequenceMin, int sequenceMax) throws IOException {
    for (int at = Frame.aligned(offset);
        at <= fileBytes - Frame.HEADER_BYTES;
        at += Frame.ALIGNMENT) {
      if (hasHeader(at)) {
        int sequence = Frame.sequence(window, at - windowAt);
        boolean inRange = sequence >= sequenceMin && sequence <= sequenceMax;
        boolean wanted = inRange || !rules.contains(SegmentRule.SEQUENCE_IN_FRAME);
        if (wanted && isWhole(at)) {
          return at;
        }
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
