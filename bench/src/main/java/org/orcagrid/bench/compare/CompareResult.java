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
package org.orcagrid.bench.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.compare.process.Latencies;
import org.orcagrid.bench.stats.Spread;

/**
 * What was measured.
 *
 * @param plan how
 * @param versions the products, as they name themselves
 * @param rates the turns of each place, in the order of the rounds
 */
public record CompareResult(
    ComparePlan plan, Map<Product, String> versions, Map<Place, List<Rate>> rates) {

  /** A contender under a load. */
  public record Place(Rival rival, Load load) {}

  /**
   * One turn.
   *
   * @param perSecond operations per second, of all processes
   * @param perCpuSecond operations per second of processor time of the product's processes
   * @param disturbances what should not happen on a quiet machine: slow releases
   * @param latencies of a sample of the operations, of all processes; none where there is no caller
   */
  public record Rate(
      double perSecond, double perCpuSecond, long disturbances, Latencies latencies) {

    /** A share of the operations took so long at most, in microseconds; NaN if none was timed. */
    double micros(double share) {
      return latencies.quantile(share) / 1e3;
    }
  }

  /** Keeps copies. */
  public CompareResult {
    versions = new LinkedHashMap<>(versions);
    Map<Place, List<Rate>> copy = new LinkedHashMap<>();
    rates.forEach((place, values) -> copy.put(place, List.copyOf(values)));
    rates = copy;
  }

  private List<Rate> rates(Rival rival, Load load) {
    return rates.getOrDefault(new Place(rival, load), List.of());
  }

  /** Returns a measure of a place over the rounds; empty if it was not measured. */
  Optional<Spread> spread(Rival rival, Load load, ToDoubleFunction<Rate> what) {
    return Spread.of(rates(rival, load), what);
  }

  /**
   * Returns the ratio of two contenders under a load, each round's own, so that what disturbs a
   * round disturbs both.
   */
  Optional<Spread> ratio(Rival one, Rival other, Load load, ToDoubleFunction<Rate> what) {
    return Spread.ofRatios(rates(one, load), rates(other, load), what);
  }

  /** What should not happen on a quiet machine, in all turns. */
  long disturbances() {
    return rates.values().stream().flatMap(List::stream).mapToLong(Rate::disturbances).sum();
  }
}
