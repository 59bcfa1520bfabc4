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

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.orcagrid.bench.workload.OperationKind;

/**
 * One latency histogram per operation kind, in nanoseconds with three significant digits, up to one
 * minute. Written by one thread; merge after the writers have ended.
 */
public final class LatencyHistograms {
  private static final long RESOLUTION_NANOS = 100;
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private final Map<OperationKind, Histogram> histograms = new EnumMap<>(OperationKind.class);

  /** Records one latency; longer than a minute counts as a minute. */
  public void record(OperationKind kind, long nanos) {
    histogram(kind).recordValue(Math.min(Math.max(nanos, 0), LONGEST_NANOS));
  }

  /** Adds everything the other has recorded. */
  public void add(LatencyHistograms other) {
    other.histograms.forEach((kind, histogram) -> histogram(kind).add(histogram));
  }

  /** Returns the kinds that were recorded, in their declared order. */
  public List<OperationKind> kinds() {
    return List.copyOf(histograms.keySet());
  }

  /** Returns a copy of the latencies of one kind; empty if there were none. */
  public Histogram of(OperationKind kind) {
    return merged(k -> k == kind);
  }

  /** Returns the latencies of updates and inserts together. */
  public Histogram writes() {
    return merged(OperationKind::isWrite);
  }

  /** Returns how many requests were recorded; a read-modify-write is already two of them. */
  public long requests() {
    return Arrays.stream(OperationKind.values())
        .filter(kind -> kind != OperationKind.READ_MODIFY_WRITE)
        .filter(histograms::containsKey)
        .mapToLong(kind -> histograms.get(kind).getTotalCount())
        .sum();
  }

  /**
   * Returns the latencies of one kind as a client that does not wait would have seen them: a stall
   * of the system also counts for the operations that a closed-loop client did not send meanwhile.
   *
   * @param kind the operation kind
   * @param expectedIntervalNanos the usual time between two operations of a client
   */
  public Histogram corrected(OperationKind kind, long expectedIntervalNanos) {
    return of(kind).copyCorrectedForCoordinatedOmission(expectedIntervalNanos);
  }

  private Histogram merged(Predicate<OperationKind> wanted) {
    Histogram sum = empty();
    histograms.forEach(
        (kind, histogram) -> {
          if (wanted.test(kind)) {
            sum.add(histogram);
          }
        });
    return sum;
  }

  private Histogram histogram(OperationKind kind) {
    return histograms.computeIfAbsent(kind, k -> empty());
  }

  private static Histogram empty() {
    return new Histogram(RESOLUTION_NANOS, LONGEST_NANOS, 3);
  }
}
