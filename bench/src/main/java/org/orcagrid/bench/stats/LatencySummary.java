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
package org.orcagrid.bench.stats;

import org.HdrHistogram.Histogram;

/**
 * What a report says of many latencies. All latencies are in microseconds.
 *
 * @param count how many operations were measured
 * @param mean the arithmetic mean
 * @param p50 the median
 * @param p95 the 95th percentile
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param max the longest
 */
public record LatencySummary(
    long count, double mean, double p50, double p95, double p99, double p999, double max) {
  private static final double NANOS_PER_MICRO = 1_000.0;

  /** Summarises a histogram of nanoseconds; an empty one gives zeros. */
  public static LatencySummary of(Histogram nanos) {
    if (nanos.getTotalCount() == 0) {
      return new LatencySummary(0, 0, 0, 0, 0, 0, 0);
    }
    return new LatencySummary(
        nanos.getTotalCount(),
        nanos.getMean() / NANOS_PER_MICRO,
        percentile(nanos, 50),
        percentile(nanos, 95),
        percentile(nanos, 99),
        percentile(nanos, 99.9),
        nanos.getMaxValue() / NANOS_PER_MICRO);
  }

  private static double percentile(Histogram nanos, double percent) {
    return nanos.getValueAtPercentile(percent) / NANOS_PER_MICRO;
  }
}
