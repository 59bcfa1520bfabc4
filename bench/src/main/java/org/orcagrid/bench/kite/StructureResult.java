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
    Map<Place, List<Rate>> rates,
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

  /**
   * One turn.
   *
   * @param perSecond operations per second
   * @param perCpuSecond operations per second of processor time
   */
  public record Rate(double perSecond, double perCpuSecond) {}

  /** A workload and a line. */
  public record Place(Structure structure, Line line) {}

  /** Keeps a copy. */
  public StructureResult {
    Map<Place, List<Rate>> copy = new LinkedHashMap<>();
    rates.forEach((place, values) -> copy.put(place, List.copyOf(values)));
    rates = copy;
  }

  private List<Rate> at(Structure structure, Line line) {
    return rates.getOrDefault(new Place(structure, line), List.of());
  }

  /** Returns one measure over the rounds; empty if it was not measured. */
  public Optional<Spread> spread(Structure structure, Line line, ToDoubleFunction<Rate> what) {
    return Spread.of(at(structure, line), what);
  }

  /** Returns the ratio of two lines, each round's own. */
  public Optional<Spread> ratio(
      Structure structure, Line one, Line other, ToDoubleFunction<Rate> what) {
    return Spread.ofRatios(at(structure, one), at(structure, other), what);
  }
}
