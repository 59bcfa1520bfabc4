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
package org.orcagrid.client.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Input;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.Write;

/**
 * How maps store values: with the moment up to which they are there, unless they stay.
 *
 * <pre>
 * 0, value                  it stays
 * 1, moment, value          it is there before the moment: milliseconds since 1970, 8 bytes
 * </pre>
 */
final class Lifetimes {
  private static final byte STAYS = 0;
  private static final byte UNTIL = 1;

  private Lifetimes() {}

  /** Writes values that stay; reads all. */
  static <V> Codec<V> codec(Codec<V> values) {
    return Codec.of(
        (value, out) -> values.write(value, out.putByte(STAYS)), in -> read(values, in));
  }

  /** Writes values that are there before a moment; reads all. */
  static <V> Codec<V> until(Codec<V> values, long moment) {
    return Codec.of(
        (value, out) -> values.write(value, out.putByte(UNTIL).putLong(moment)),
        in -> read(values, in));
  }

  private static <V> V read(Codec<V> values, Input in) {
    byte kind = in.getByte();
    if (kind == UNTIL) {
      in.getLong();
    } else if (kind != STAYS) {
      throw new IllegalStateException(
          "A value is stored in the way " + kind + ", of another version of Orca Grid");
    }
    return values.read(in);
  }

  /**
   * The moment that is so much later.
   *
   * @throws IllegalArgumentException if the time is not positive
   */
  static long moment(long nowMillis, Duration lifetime) {
    if (lifetime.isNegative() || lifetime.isZero()) {
      throw new IllegalArgumentException("A lifetime must be positive, not " + lifetime);
    }
    long millis;
    try {
      millis = Math.max(1, lifetime.toMillis());
    } catch (ArithmeticException e) {
      // For longer than there are numbers for.
      millis = Long.MAX_VALUE;
    }
    return millis > Long.MAX_VALUE - nowMillis ? Long.MAX_VALUE : nowMillis + millis;
  }

  /** Up to when a stored value is there; the latest moment that there is if it stays. */
  static long moment(byte[] stored) {
    return moment(ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static long moment(ByteBuffer stored) {
    return stored.limit() > Long.BYTES && stored.get(0) == UNTIL
        ? stored.getLong(1)
        : Long.MAX_VALUE;
  }

  /** What a node has to know of the time, from this wall clock in milliseconds since 1970. */
  static WallClock clock(LongSupplier nowMillis) {
    return new WallClock() {
      @Override
      public long nowMillis() {
        return nowMillis.getAsLong();
      }

      @Override
      public ValueTime values() {
        return (clock, value) -> moment(value) <= nowMillis();
      }
    };
  }

  /** Whether the time of a version's value is over; it is not where there is none. */
  static boolean isOver(Write version, long nowMillis) {
    return version != null && version.value() != null && !isThere(version.value(), nowMillis);
  }

  /** Whether there is a value, and its time is not over. */
  static boolean isThere(Write version, long nowMillis) {
    return version != null && isThere(version.value(), nowMillis);
  }

  /** Whether there is a value, and its time is not over. */
  static boolean isThere(byte[] stored, long nowMillis) {
    return stored != null && moment(stored) > nowMillis;
  }

  /** Bytes of a stored value before those of its codec. */
  static int head(byte[] stored) {
    return stored[0] == UNTIL ? 1 + Long.BYTES : 1;
  }

  /** Whether two stored values are the same, whatever their times; null is no value. */
  static boolean same(byte[] one, byte[] other) {
    if (one == null || other == null) {
      return one == null && other == null;
    }
    return Arrays.equals(one, head(one), one.length, other, head(other), other.length);
  }
}
