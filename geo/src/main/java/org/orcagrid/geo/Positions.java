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
package org.orcagrid.geo;

/**
 * Positions in the log of a datacenter's group: the log's epoch in the upper 16 bits, the index of
 * an entry in the lower 48. So positions compare as numbers, and a log that was built again is
 * ahead of the one before it: nobody waits for indexes that it never reaches.
 */
public final class Positions {
  /** Before the first entry of the first log. */
  public static final long NONE = 0;

  /** The most datacenters that a store has. */
  public static final int DATACENTERS_MAX = 16;

  /** The greatest number that has a bit for each datacenter. */
  public static final int MASK_MAX = (1 << DATACENTERS_MAX) - 1;

  /** The greatest epoch of a log. */
  public static final int EPOCH_MAX = (1 << 15) - 1;

  private static final int INDEX_BITS = 48;
  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

  private Positions() {}

  /** The position of an entry. */
  public static long of(int epoch, long index) {
    return ((long) epoch << INDEX_BITS) | index;
  }

  /** The epoch of its log. */
  public static int epoch(long position) {
    return (int) (position >>> INDEX_BITS);
  }

  /** Its index in that log. */
  public static long index(long position) {
    return position & INDEX_MASK;
  }

  /** How many entries one is ahead of another; of another log, how many that has. */
  public static long distance(long from, long to) {
    if (to <= from) {
      return 0;
    }
    return epoch(from) == epoch(to) ? to - from : index(to);
  }

  /** As people read it: epoch and index. */
  public static String text(long position) {
    return epoch(position) + ":" + index(position);
  }
}
