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

import java.util.Arrays;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/** A position for each datacenter: a stable vector, or a part of one. Immutable. */
public final class PositionVector {
  /** No position of any. */
  public static final PositionVector NONE = new PositionVector(new long[0]);

  private final long[] positions;

  private PositionVector(long[] positions) {
    this.positions = positions;
  }

  /** A copy of positions by datacenter. */
  public static PositionVector of(long... positions) {
    int length = positions.length;
    while (length > 0 && positions[length - 1] == Positions.NONE) {
      length--;
    }
    return length == 0 ? NONE : new PositionVector(Arrays.copyOf(positions, length));
  }

  /** That of a datacenter, {@link Positions#NONE} if there is none. */
  public long at(int datacenter) {
    return datacenter < positions.length ? positions[datacenter] : Positions.NONE;
  }

  /** It has none at this datacenter and those behind. */
  public int length() {
    return positions.length;
  }

  /** Whether there is none. */
  public boolean isNone() {
    return positions.length == 0;
  }

  /** The greater ones. */
  public PositionVector max(PositionVector other) {
    long[] both = new long[Math.max(length(), other.length())];
    for (int i = 0; i < both.length; i++) {
      both[i] = Math.max(at(i), other.at(i));
    }
    return of(both);
  }

  /** The lesser ones. */
  public PositionVector min(PositionVector other) {
    long[] both = new long[Math.min(length(), other.length())];
    for (int i = 0; i < both.length; i++) {
      both[i] = Math.min(at(i), other.at(i));
    }
    return of(both);
  }

  /** The same, but that of one datacenter is not greater than this. */
  public PositionVector upTo(int datacenter, long position) {
    if (at(datacenter) <= position) {
      return this;
    }
    long[] less = positions.clone();
    less[datacenter] = position;
    return of(less);
  }

  /** Whether all of these are at or behind those of another. */
  public boolean isIn(PositionVector other) {
    for (int i = 0; i < positions.length; i++) {
      if (positions[i] > other.at(i)) {
        return false;
      }
    }
    return true;
  }

  /** Writes it. */
  public void write(Encoder out) {
    out.putNumbers(positions);
  }

  /** Reads one. */
  public static PositionVector read(Decoder in) {
    return of(in.getNumbers(Positions.DATACENTERS_MAX));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PositionVector that && Arrays.equals(positions, that.positions);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(positions);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < positions.length; i++) {
      text.append(i == 0 ? "" : ", ").append(Positions.text(positions[i]));
    }
    return text.append(']').toString();
  }
}
