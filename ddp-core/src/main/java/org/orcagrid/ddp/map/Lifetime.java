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
package org.orcagrid.ddp.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.orcagrid.ddp.replica.state.Write;

/**
 * How maps store values: with the moment up to which they are there, unless they stay. So every
 * node can take away a value whose time is over.
 *
 * <pre>
 * 0, value                  it stays
 * 1, moment, value          it is there before the moment: milliseconds since 1970, 8 bytes
 * </pre>
 */
public final class Lifetime {
  /** The first byte of a value that stays. */
  public static final byte STAYS = 0;

  /** The first byte of a value that is there up to the moment behind it. */
  public static final byte UNTIL = 1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Lifetime() {}

  /** Whether a stored value is there up to a moment only. */
  static boolean ends(byte[] stored) {
    return stored.length > Long.BYTES && stored[0] == UNTIL;
  }

  /** Up to when a stored value is there; the latest moment that there is if it stays. */
  public static long moment(byte[] stored) {
    return ends(stored) ? (long) LONG.get(stored, 1) : Long.MAX_VALUE;
  }

  /** The same of a value that is the whole of a little-endian buffer. */
  static long moment(ByteBuffer stored) {
    return stored.limit() > Long.BYTES && stored.get(0) == UNTIL
        ? stored.getLong(1)
        : Long.MAX_VALUE;
  }

  /** Whether the time of a version's value is over; it is not where there is none. */
  public static boolean isOver(Write version, long nowMillis) {
    return version != null && version.value() != null && !isThere(version.value(), nowMillis);
  }

  /** Whether there is a value, and its time is not over. */
  public static boolean isThere(Write version, long nowMillis) {
    return version != null && isThere(version.value(), nowMillis);
  }

  /** The same; the time is asked for only where it matters. */
  public static boolean isThere(Write version, LongSupplier nowMillis) {
    byte[] stored = version == null ? null : version.value();
    return stored != null && (!ends(stored) || moment(stored) > nowMillis.getAsLong());
  }

  /** Whether there is a value, and its time is not over. */
  public static boolean isThere(byte[] stored, long nowMillis) {
    return stored != null && moment(stored) > nowMillis;
  }

  /** Bytes of a stored value before the value itself. */
  public static int head(byte[] stored) {
    return ends(stored) ? 1 + Long.BYTES : Math.min(1, stored.length);
  }

  /** Whether two stored values are the same, whatever their times; null is no value. */
  public static boolean same(byte[] one, byte[] other) {
    if (one == null || other == null) {
      return one == null && other == null;
    }
    return Arrays.equals(one, head(one), one.length, other, head(other), other.length);
  }
}
