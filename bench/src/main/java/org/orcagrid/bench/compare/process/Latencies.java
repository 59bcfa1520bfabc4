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
package org.orcagrid.bench.compare.process;

import java.util.Arrays;
import java.util.StringJoiner;

/**
 * How often operations took how long, to 3 percent. Immutable; it needs nothing but the JDK, and
 * fits in a line.
 */
public final class Latencies {
  private static final String NONE = "-";

  /** Slots of a power of two, as a power of two. */
  private static final int BITS = 5;

  private static final int SLOTS = (Long.SIZE - BITS) << BITS;

  /** How often, by slots. */
  private final long[] counts;

  private Latencies(long[] counts) {
    this.counts = counts;
  }

  /** None. */
  public static Latencies none() {
    return new Latencies(new long[0]);
  }

  /** These and others. */
  public Latencies plus(Latencies other) {
    return combine(other, 1);
  }

  /** These without others, which are among them. */
  Latencies minus(Latencies other) {
    return combine(other, -1);
  }

  private Latencies combine(Latencies other, int sign) {
    long[] sum = Arrays.copyOf(counts, Math.max(counts.length, other.counts.length));
    for (int slot = 0; slot < other.counts.length; slot++) {
      sum[slot] += sign * other.counts[slot];
    }
    return new Latencies(sum);
  }

  /**
   * The time that a share of them took at most, in nanoseconds; NaN if there are none.
   *
   * @param share as in 0.99
   */
  public double quantile(double share) {
    long all = Arrays.stream(counts).sum();
    long wanted = Math.max(1, (long) Math.ceil(all * share));
    long seen = 0;
    for (int slot = 0; slot < counts.length; slot++) {
      seen += counts[slot];
      if (seen >= wanted) {
        return middle(slot);
      }
    }
    return Double.NaN;
  }

  /** As a word without spaces. */
  String word() {
    StringJoiner word = new StringJoiner(",");
    word.setEmptyValue(NONE);
    for (int slot = 0; slot < counts.length; slot++) {
      if (counts[slot] != 0) {
        word.add(slot + ":" + counts[slot]);
      }
    }
    return word.toString();
  }

  /** Reads what {@link #word} has made. */
  static Latencies of(String word) {
    long[] counts = new long[SLOTS];
    if (!word.equals(NONE)) {
      for (String each : word.split(",", -1)) {
        int colon = each.indexOf(':');
        counts[Integer.parseInt(each.substring(0, colon))] =
            Long.parseLong(each.substring(colon + 1));
      }
    }
    return new Latencies(counts);
  }

  private static int slot(long nanos) {
    long at = Math.max(nanos, 1L << BITS);
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(at);
    int rest = (int) (at >>> (power - BITS)) & ((1 << BITS) - 1);
    return ((power - BITS) << BITS) + rest;
  }

  private static double middle(int slot) {
    int shift = slot >>> BITS;
    long low = ((1L << BITS) + (slot & ((1 << BITS) - 1))) << shift;
    return low + (1L << shift) / 2.0;
  }

  /** Counts them; the threads that do so take turns. */
  static final class Recorder {
    private final long[] counts = new long[SLOTS];

    synchronized void add(long nanos) {
      counts[slot(nanos)]++;
    }

    synchronized Latencies soFar() {
      return new Latencies(counts.clone());
    }
  }
}
