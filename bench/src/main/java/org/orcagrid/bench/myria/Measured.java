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
package org.orcagrid.bench.myria;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one run has shown.
 *
 * @param offered operations per second
 * @param completedShare of those that were begun in the time that counts
 * @param latencies in microseconds, sorted, by kind of operation
 * @param tombstonesShare of strong writes that carried one
 * @param fetchesShare of strong reads after which another server was asked
 * @param waitsShare of causal operations that were asked again
 */
public record Measured(
    double offered,
    double completedShare,
    Map<What, Latencies> latencies,
    double tombstonesShare,
    double fetchesShare,
    double waitsShare) {
  /** The kinds of operations, which have latencies of their own. */
  public enum What {
    STRONG_READ("strong reads"),
    STRONG_WRITE("strong writes"),
    CAUSAL_READ("causal reads"),
    CAUSAL_WRITE("causal writes"),
    POST("posts");

    private final String title;

    What(String title) {
      this.title = title;
    }

    /** As people call it. */
    public String title() {
      return title;
    }
  }

  /** Sorted microseconds. */
  public static final class Latencies {
    private final long[] sorted;

    Latencies(long[] micros) {
      this.sorted = micros.clone();
      Arrays.sort(this.sorted);
    }

    /** Which is not passed by so many in a hundred; in milliseconds, 0 if there are none. */
    public double percentile(double percent) {
      if (sorted.length == 0) {
        return 0;
      }
      int at = (int) Math.min(sorted.length - 1, Math.floor(sorted.length * percent / 100));
      return sorted[at] / 1_000.0;
    }

    /** The mean, in milliseconds. */
    public double mean() {
      return Arrays.stream(sorted).average().orElse(0) / 1_000;
    }

    /** How many there are. */
    public int count() {
      return sorted.length;
    }
  }

  /** Of a kind; empty if there were none. */
  public Latencies of(What what) {
    return latencies.getOrDefault(what, new Latencies(new long[0]));
  }

  /** All together, each once. */
  public double mean() {
    double sum = 0;
    long count = 0;
    for (Latencies each : new EnumMap<>(latencies).values()) {
      sum += each.mean() * each.count();
      count += each.count();
    }
    return count == 0 ? 0 : sum / count;
  }
}
