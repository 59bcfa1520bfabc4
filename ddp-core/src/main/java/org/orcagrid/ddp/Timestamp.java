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
package org.orcagrid.ddp;

/**
 * The place of a version of a key in the order of all its versions: a Lamport logical clock (Kite,
 * section 3.1) and how many read-modify-writes have followed the write that it names.
 *
 * <p>The clock is a version number and, as tie-breaker, who wrote: a node, and which of those that
 * were at its place it is. A write takes a higher version number than any it knows. A
 * read-modify-write keeps the clock of the version that it has read and counts {@code rmw} up by
 * one, so that no write can come between the version that it read and the one that it makes: writes
 * need no consensus and would otherwise break into a read-modify-write that is under way. (The
 * paper gives both the same clocks and does not say how they are kept apart; these are the
 * <i>carstamps</i> of Gryff, NSDI '20.)
 *
 * <p>On hot paths a timestamp is two plain longs, the packed clock and the count; the static
 * methods are for those.
 *
 * @param clock version number and writer, packed by {@link #clock}
 * @param rmw read-modify-writes since the write
 */
public record Timestamp(long clock, long rmw) implements Comparable<Timestamp> {
  /**
   * Writers are numbered below this: 16 places, each with 65,536 nodes or lives one after the
   * other.
   */
  public static final int WRITERS_MAX = 1 << 20;

  /** The timestamp of what was never written. */
  public static final Timestamp NONE = new Timestamp(0, 0);

  private static final int WRITER_BITS = 20;

  /** Packs a version number and who wrote it; greater clocks are greater longs. */
  public static long clock(long version, int writer) {
    return version << WRITER_BITS | writer;
  }

  /** The clock of a write by {@code writer} that is to follow {@code clock}. */
  public static long next(long clock, int writer) {
    return clock((clock >>> WRITER_BITS) + 1, writer);
  }

  /** The version number in a clock. */
  public static long version(long clock) {
    return clock >>> WRITER_BITS;
  }

  /** Who has written a version. */
  public static int writer(long clock) {
    return (int) (clock & (WRITERS_MAX - 1));
  }

  /** Whether the first of two timestamps is the later one. */
  public static boolean isAfter(long clock, long rmw, long otherClock, long otherRmw) {
    return clock != otherClock ? clock > otherClock : rmw > otherRmw;
  }

  @Override
  public int compareTo(Timestamp other) {
    int byClock = Long.compare(clock, other.clock);
    return byClock != 0 ? byClock : Long.compare(rmw, other.rmw);
  }

  @Override
  public String toString() {
    return version(clock) + "." + writer(clock) + (rmw == 0 ? "" : "+" + rmw);
  }
}
