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

import org.orcagrid.ddp.durable.segment.SegmentLimits;

/**
 * The limits of a medium. Those of the map's files are fixed when a file is made: another start may
 * have smaller ones.
 *
 * @param log the limits of the log, which holds what is not in the map yet; as many bytes may be on
 *     the heap, twice
 * @param entriesMax the most keys, with those records that have none
 * @param mapBytesMax the most bytes of keys and records in the map, with 24 bytes for each; on the
 *     disk each of the two files takes a third more from the start on, and later up to twice as
 *     much
 */
public record ChronicleLimits(SegmentLimits log, long entriesMax, long mapBytesMax) {
  /** The most bytes of a key. */
  static final int KEY_BYTES_MAX = 1024 + 2 * Integer.BYTES + 1;

  /** A log of 64 MB with records up to 1 MB, and a map of a million entries and 256 MB. */
  public static final ChronicleLimits DEFAULT =
      new ChronicleLimits(
          new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 64 << 20), 1_000_000, 256 << 20);

  /** Refuses limits that cannot work. */
  public ChronicleLimits {
    if (entriesMax < 1) {
      throw new IllegalArgumentException("A map has at least one entry, not " + entriesMax);
    }
    if (mapBytesMax < 2L * log.recordBytesMax()) {
      throw new IllegalArgumentException(
          "A map has room for two records at least: "
              + mapBytesMax
              + " bytes are too few for records of "
              + log.recordBytesMax());
    }
  }

  /** So many bytes of records gather before the map is brought up to date. */
  long gatherBytes() {
    return log.bytesMax() / 4;
  }
}
