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
 * What was measured.
 *
 * @param plan how
 */
public record KiteResult(KitePlan plan, Map<Place, List<Rate>> rates, Trouble trouble) {

  /**
   * One turn.
   *
   * @param perSecond accesses per second
   * @param perCpuSecond accesses per second of the workers' processor time
   * @param perBusiestSecond accesses, of all nodes, per second of the processor time of the node
   *     whose worker had most of it: with a machine for each node this one would be the limit
   */
  public record Rate(double perSecond, double perCpuSecond, double perBusiestSecond) {}

  /** A point of a figure: a contender and a share of writes in percent. */
  public record Place(String contender, double writePercent) {}

  /**
   * What should not happen on a machine with nothing else to do.
   *
   * @param loadAverage the machine's load average before; negative if it is not known
   * @param slowReleases slow releases while it was measured
   * @param dropped messages that found their link full and were sent again
   */
  public record Trouble(double loadAverage, long slowReleases, long dropped) {}

  /** Keeps a copy. */
  public KiteResult {
    Map<Place, List<Rate>> copy = new LinkedHashMap<>();
    rates.forEach((place, values) -> copy.put(place, List.copyOf(values)));
    rates = copy;
  }

  /** Returns accesses per second at a point over the rounds; empty if it was not measured. */
  public Optional<Spread> throughput(Contender contender, double writePercent) {
    return spread(contender, writePercent, Rate::perSecond);
  }

  /** Returns accesses per second of processor time; empty if it was not measured. */
  public Optional<Spread> efficiency(Contender contender, double writePercent) {
    return spread(contender, writePercent, Rate::perCpuSecond);
  }

  /** Returns accesses per second of the busiest node's processor time; empty if not measured. */
  public Optional<Spread> ofBusiest(Contender contender, double writePercent) {
    return spread(contender, writePercent, Rate::perBusiestSecond);
  }

  private Optional<Spread> spread(
      Contender contender, double writePercent, ToDoubleFunction<Rate> what) {
    return Spread.of(rates(contender, writePercent), what);
  }

  private List<Rate> rates(Contender contender, double writePercent) {
    return rates.getOrDefault(new Place(contender.id(), writePercent), List.of());
  }

  /**
   * Returns the ratio of two contenders at a point, each round's own, so that what disturbs a round
   * disturbs both.
   */
  public Optional<Spread> ratio(
      Contender one, Contender other, double writePercent, ToDoubleFunction<Rate> what) {
    return Spread.ofRatios(rates(one, writePercent), rates(other, writePercent), what);
  }
}
