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

/**
 * The limits of a log. They may be others at each start: a log that was written with other ones is
 * read all the same.
 *
 * @param segmentBytes the length of a segment's file
 * @param recordBytesMax the most bytes of a record
 * @param unforcedBytesMax the most bytes that may wait for the device, with 4 bytes for each
 *     record; half of them are under way while the other half gathers. So much memory outside the
 *     heap is taken when the log is opened
 * @param bytesMax the most bytes of all segments' files
 */
public record SegmentLimits(
    int segmentBytes, int recordBytesMax, int unforcedBytesMax, long bytesMax) {

  /** Segments of 16 MB, records up to 1 MB, 8 MB unforced, 16 GB in all. */
  public static final SegmentLimits DEFAULT =
      new SegmentLimits(16 << 20, 1 << 20, 8 << 20, 16L << 30);

  /** The same with other bytes in all. */
  public SegmentLimits withBytesMax(long other) {
    return new SegmentLimits(segmentBytes, recordBytesMax, unforcedBytesMax, other);
  }

  private static final int SEGMENT_BYTES_MAX = 1 << 30;

  /** Refuses limits that cannot work. */
  public SegmentLimits {
    if (segmentBytes > SEGMENT_BYTES_MAX || segmentBytes % Frame.ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "A segment has at most "
              + SEGMENT_BYTES_MAX
              + " bytes, and a multiple of "
              + Frame.ALIGNMENT
              + ", not "
              + segmentBytes);
    }
    if (recordBytesMax < 1 || unforcedBytesMax / 2 - Frame.PREFIX_BYTES < recordBytesMax) {
      throw new IllegalArgumentException(
          "Unforced bytes must be at least twice the largest record with its prefix of "
              + Frame.PREFIX_BYTES
              + " bytes: "
              + unforcedBytesMax
              + " bytes are too few for records of "
              + recordBytesMax);
    }
    if (frameBytesMax(unforcedBytesMax) > roomBytes(segmentBytes)) {
      throw new IllegalArgumentException(
          "A segment must have room for half of the unforced bytes: "
              + segmentBytes
              + " bytes are too few for "
              + unforcedBytesMax);
    }
    if (bytesMax / segmentBytes < 2) {
      throw new IllegalArgumentException(
          "A log has at least two segments: " + bytesMax + " bytes are too few");
    }
  }

  /** The most bytes of a frame. */
  int frameBytesMax() {
    return (int) frameBytesMax(unforcedBytesMax);
  }

  /** The bytes of a segment that may hold frames with records. */
  int roomBytes() {
    return roomBytes(segmentBytes);
  }

  /** How many segments there may be. */
  int segmentsMax() {
    return (int) Math.min(Integer.MAX_VALUE, bytesMax / segmentBytes);
  }

  // A long: half of the largest int and a header do not fit an int once they are aligned.
  private static long frameBytesMax(int unforcedBytesMax) {
    return Frame.aligned((long) Frame.HEADER_BYTES + unforcedBytesMax / 2);
  }

  private static int roomBytes(int segmentBytes) {
    // One more frame without records must always find room: see SegmentWriter.mark.
    return segmentBytes - SegmentHeader.BYTES - Frame.HEADER_BYTES;
  }
}
