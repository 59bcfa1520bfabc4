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
package org.orcagrid.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.orcagrid.bench.load.LoadResult;
import org.orcagrid.bench.stats.LatencySpread;
import org.orcagrid.bench.stats.LatencySummary;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.workload.OperationKind;

/**
 * One cell over its rounds.
 *
 * @param cell what was measured
 * @param rounds how often
 * @param throughput requests per second
 * @param latencies service times (or, with a rate, times since due) in microseconds
 * @param corrected the same, corrected for coordinated omission
 * @param triggeringPercent share of reads that waited for durability; empty if not counted
 * @param serverCpuMicros processor time of all servers per request; empty if not known
 * @param busiestCpuMicros processor time of the busiest server, by all requests; empty if not known
 * @param errors failed operations of all rounds
 * @param missing reads of all rounds that found no record
 */
public record CellSummary(
    Cell cell,
    int rounds,
    Spread throughput,
    Map<OperationKind, LatencySpread> latencies,
    Map<OperationKind, LatencySpread> corrected,
    Optional<Spread> triggeringPercent,
    Optional<Spread> serverCpuMicros,
    Optional<Spread> busiestCpuMicros,
    long errors,
    long missing) {

  /** Keeps copies of the maps, in the order of the kinds. */
  public CellSummary {
    latencies = new EnumMap<>(latencies);
    corrected = new EnumMap<>(corrected);
  }

  /** Summarises the rounds of one cell; there must be at least one. */
  static CellSummary of(Cell cell, List<Measurement> rounds) {
    List<LoadResult> results = rounds.stream().map(Measurement::result).toList();
    Map<OperationKind, List<LatencySummary>> plain = new EnumMap<>(OperationKind.class);
    Map<OperationKind, List<LatencySummary>> corrected = new EnumMap<>(OperationKind.class);
    for (LoadResult result : results) {
      for (OperationKind kind : result.latencies().kinds()) {
        plain
            .computeIfAbsent(kind, k -> new ArrayList<>())
            .add(LatencySummary.of(result.latencies().of(kind)));
        corrected
            .computeIfAbsent(kind, k -> new ArrayList<>())
            .add(
                LatencySummary.of(
                    result.latencies().corrected(kind, result.clientIntervalNanos())));
      }
    }
    return new CellSummary(
        cell,
        results.size(),
        Spread.of(results.stream().map(LoadResult::throughput).toList()),
        spreads(plain),
        spreads(corrected),
        spread(results, LoadResult::triggeringPercent),
        spread(results, LoadResult::serverCpuMicrosPerRequest),
        spread(results, LoadResult::busiestCpuMicrosPerRequest),
        results.stream().mapToLong(LoadResult::errors).sum(),
        results.stream().mapToLong(LoadResult::missing).sum());
  }

  private static Optional<Spread> spread(
      List<LoadResult> results, Function<LoadResult, OptionalDouble> figure) {
    List<Double> known =
        results.stream()
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .toList();
    return known.isEmpty() ? Optional.empty() : Optional.of(Spread.of(known));
  }

  private static Map<OperationKind, LatencySpread> spreads(
      Map<OperationKind, List<LatencySummary>> rounds) {
    Map<OperationKind, LatencySpread> spreads = new EnumMap<>(OperationKind.class);
    rounds.forEach((kind, summaries) -> spreads.put(kind, LatencySpread.of(summaries)));
    return spreads;
  }

  /** Returns the latencies of the kind that writes in this workload; empty if none does. */
  public Optional<LatencySpread> writeLatency() {
    return latencies.entrySet().stream()
        .filter(entry -> entry.getKey().isWrite())
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** Returns the latencies of reads; empty if there were none. */
  public Optional<LatencySpread> readLatency() {
    return Optional.ofNullable(latencies.get(OperationKind.READ));
  }
}
