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

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * Latency summaries of several rounds, measure by measure, in microseconds.
 *
 * @param count operations of all rounds
 * @param mean of the rounds' means
 * @param p50 of the rounds' medians
 * @param p95 of the rounds' 95th percentiles
 * @param p99 of the rounds' 99th percentiles
 * @param p999 of the rounds' 99.9th percentiles
 * @param max of the rounds' longest
 */
public record LatencySpread(
    long count, Spread mean, Spread p50, Spread p95, Spread p99, Spread p999, Spread max) {

  /**
   * Returns the spread of the rounds.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static LatencySpread of(Collection<LatencySummary> rounds) {
    return new LatencySpread(
        rounds.stream().mapToLong(LatencySummary::count).sum(),
        spread(rounds, LatencySummary::mean),
        spread(rounds, LatencySummary::p50),
        spread(rounds, LatencySummary::p95),
        spread(rounds, LatencySummary::p99),
        spread(rounds, LatencySummary::p999),
        spread(rounds, LatencySummary::max));
  }

  private static Spread spread(
      Collection<LatencySummary> rounds, ToDoubleFunction<LatencySummary> measure) {
    return Spread.of(rounds.stream().map(measure::applyAsDouble).toList());
  }
}
