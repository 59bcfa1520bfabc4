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
package org.orcagrid.bench.nukv;

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
 * @param rates by place, a round each
 */
public record NukvResult(NukvPlan plan, Map<Place, List<Rate>> rates) {

  /** A point of a line, with forwarding as it is or slowed down. */
  public record Place(int lagMillis, NukvCase line, NukvPlan.Point point) {}

  /**
   * A round.
   *
   * @param meanMillis of an operation
   * @param p99Millis the same, of 99 in a hundred
   * @param perSecond operations of one datacenter's clients
   * @param failed operations that had no result
   */
  public record Rate(double meanMillis, double p99Millis, double perSecond, long failed) {}

  /** Keeps a copy. */
  public NukvResult {
    Map<Place, List<Rate>> copy = new LinkedHashMap<>();
    rates.forEach((place, values) -> copy.put(place, List.copyOf(values)));
    rates = copy;
  }

  /** Returns a measure over the rounds; empty if it was not measured. */
  public Optional<Spread> spread(Place place, ToDoubleFunction<Rate> what) {
    return Spread.of(rates.getOrDefault(place, List.of()), what);
  }

  /** Returns operations that had no result. */
  public long failed() {
    return rates.values().stream().flatMap(List::stream).mapToLong(Rate::failed).sum();
  }
}
