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
import org.orcagrid.client.Codec;
import org.orcagrid.client.Input;
import org.orcagrid.client.NotANumberException;
import org.orcagrid.ddp.map.Lifetime;

/** Codecs of values that are stored with their {@link Lifetime}. */
final class Lifetimes {
  private Lifetimes() {}

  /** Writes values that stay; reads all. */
  static <V> Codec<V> codec(Codec<V> values) {
    return Codec.of(
        (value, out) -> values.write(value, out.putByte(Lifetime.STAYS)), in -> read(values, in));
  }

  /** Writes values that are there before a moment; reads all. */
  static <V> Codec<V> until(Codec<V> values, long moment) {
    return Codec.of(
        (value, out) -> values.write(value, out.putByte(Lifetime.UNTIL).putLong(moment)),
        in -> read(values, in));
  }

  private static <V> V read(Codec<V> values, Input in) {
    byte kind = in.getByte();
    if (kind == Lifetime.UNTIL) {
      in.getLong();
    } else if (kind != Lifetime.STAYS) {
      throw new IllegalStateException(
          "A value is stored in the way " + kind + ", of another version of Orca Grid");
    }
    return values.read(in);
  }

  /**
   * The number that a stored value is, as {@link Codec#LONG} writes it.
   *
   * @throws NotANumberException if it does not have 8 bytes
   */
  static long number(byte[] stored) {
    int head = Lifetime.head(stored);
    if (stored.length - head != Long.BYTES) {
      throw new NotANumberException();
    }
    return ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN).getLong(head);
  }

  /** A number as it is stored, to stay. */
  static byte[] ofNumber(long number) {
    return ByteBuffer.allocate(1 + Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(Lifetime.STAYS)
        .putLong(number)
        .array();
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
}
