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
package org.orcagrid.bench.watches;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.stats.LatencySummary;

/**
 * One storm.
 *
 * @param system the ensemble
 * @param round from 1
 * @param firingMillis from the request that changes the nodes to the last event
 * @param calmReads latencies before
 * @param calmWrites latencies before
 * @param stormReads latencies of what was asked while the events fired
 * @param stormWrites latencies of what was asked while the events fired
 */
public record StormResult(
    String system,
    int round,
    double firingMillis,
    LatencySummary calmReads,
    LatencySummary calmWrites,
    LatencySummary stormReads,
    LatencySummary stormWrites) {
  private static final double MICROS_PER_MILLI = 1_000;

  /** A table with a line for each system: medians over its rounds, in milliseconds. */
  public static String table(List<StormResult> results) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "system",
                "all events",
                "reads calm p50",
                "p99",
                "reads storm p50",
                "p99",
                "max",
                "writes calm p50",
                "p99",
                "writes storm p50",
                "p99",
                "max"));
    for (String system : results.stream().map(StormResult::system).distinct().toList()) {
      List<StormResult> its = results.stream().filter(r -> r.system.equals(system)).toList();
      List<String> row = new ArrayList<>(List.of(system));
      row.add(number(its.stream().mapToDouble(StormResult::firingMillis).toArray()));
      row.addAll(cells(its, StormResult::calmReads, false));
      row.addAll(cells(its, StormResult::stormReads, true));
      row.addAll(cells(its, StormResult::calmWrites, false));
      row.addAll(cells(its, StormResult::stormWrites, true));
      table.add(row);
    }
    return table.render();
  }

  private static List<String> cells(
      List<StormResult> its, Function<StormResult, LatencySummary> of, boolean withMax) {
    Stream<ToDoubleFunction<LatencySummary>> columns =
        withMax
            ? Stream.of(LatencySummary::p50, LatencySummary::p99, LatencySummary::max)
            : Stream.of(LatencySummary::p50, LatencySummary::p99);
    return columns
        .map(
            column ->
                number(
                    its.stream()
                        .mapToDouble(each -> column.applyAsDouble(of.apply(each)))
                        .map(micros -> micros / MICROS_PER_MILLI)
                        .toArray()))
        .toList();
  }

  private static String number(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    double median =
        values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return String.format(Locale.ROOT, median < 10 ? "%.2f" : "%.0f", median);
  }
}
