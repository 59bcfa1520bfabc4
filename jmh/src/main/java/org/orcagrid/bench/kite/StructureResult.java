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
package org.orcagrid.bench.kite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.stats.Spread;

/**
 * What was measured on lock-free structures, in operations: for ZAB what its accesses would be
 * worth.
 *
 * @param plan how
 * @param rates each turn
 * @param checks objects that were taken out and looked at
 * @param violations those of them that were missing or not what they had to be; must be 0
 * @param loadAverage the machine's load average before; negative if it is not known
 */
public record StructureResult(
    StructurePlan plan,
    Map<Place, List<KiteResult.Rate>> rates,
    long checks,
    long violations,
    double loadAverage) {

  /** A line of the figure. */
  public enum Line {
    /** Structures that all share. */
    KITE("Kite"),
    /** Each client has its own. */
    KITE_IDEAL("Kite-ideal"),
    /** ZAB's accesses by the accesses of an operation; its sessions are in the workers. */
    ZAB_IDEAL("ZAB-ideal"),
    /** The same with as many waiting threads as Kite has. */
    ZAB_THREADS("ZAB-ideal, waiting threads");

    private final String title;

    Line(String title) {
      this.title = title;
    }

    /** Its name for people. */
    public String title() {
      return title;
    }
  }

  /** A workload and a line. */
  public record Place(Structure structure, Line line) {}

  /** Keeps a copy. */
  public StructureResult {
    Map<Place, List<KiteResult.Rate>> copy = new LinkedHashMap<>();
    rates.forEach((place, values) -> copy.put(place, List.copyOf(values)));
    rates = copy;
  }

  private List<KiteResult.Rate> at(Structure structure, Line line) {
    return rates.getOrDefault(new Place(structure, line), List.of());
  }

  /** Returns one measure over the rounds; empty if it was not measured. */
  public Optional<Spread> spread(
      Structure structure, Line line, ToDoubleFunction<KiteResult.Rate> what) {
    List<KiteResult.Rate> values = at(structure, line);
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(Spread.of(values.stream().map(what::applyAsDouble).toList()));
  }

  /** Returns the ratio of two lines, each round's own. */
  public Optional<Spread> ratio(
      Structure structure, Line one, Line other, ToDoubleFunction<KiteResult.Rate> what) {
    List<KiteResult.Rate> ones = at(structure, one);
    List<KiteResult.Rate> others = at(structure, other);
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < Math.min(ones.size(), others.size()); round++) {
      ratios.add(what.applyAsDouble(ones.get(round)) / what.applyAsDouble(others.get(round)));
    }
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
  }
}
