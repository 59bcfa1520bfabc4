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
package org.orcagrid.bench.compare.sites;

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
 * @param idleCores processor seconds a second of all nodes of a product without any clients' work
 * @param rates by place, a round each
 */
public record SitesResult(
    SitesPlan plan,
    Map<SiteProduct, String> versions,
    Map<SiteProduct, Double> idleCores,
    Map<Place, List<Rate>> rates) {
  private static final double MILLION = 1e6;

  /** A contender in a turn. */
  public record Place(SiteContender contender, SiteTurn turn) {}

  /**
   * A round.
   *
   * @param perSecond operations at home
   * @param nodeMicros processor time of all nodes for an operation, in microseconds
   * @param clientMicros the same of the clients' process
   * @param latencies of operations, or of writes until the other site has them
   */
  public record Rate(
      double perSecond, double nodeMicros, double clientMicros, Latencies latencies) {
    /** Milliseconds that a share of them took at most. */
    double millis(double share) {
      return latencies.quantile(share) / MILLION;
    }
  }

  /** Keeps copies. */
  public SitesResult {
    versions = Map.copyOf(versions);
    idleCores = Map.copyOf(idleCores);
    Map<Place, List<Rate>> copy = new LinkedHashMap<>();
    rates.forEach((place, values) -> copy.put(place, List.copyOf(values)));
    rates = copy;
  }

  /** A measure over the rounds; empty if it was not measured. */
  public Optional<Spread> spread(
      SiteContender contender, SiteTurn turn, ToDoubleFunction<Rate> what) {
    return Spread.of(rates.getOrDefault(new Place(contender, turn), List.of()), what);
  }

  /** The ratio of a measure of two contenders, each round's own. */
  public Optional<Spread> ratio(
      SiteContender one, SiteContender other, SiteTurn turn, ToDoubleFunction<Rate> what) {
    return Spread.ofRatios(
        rates.getOrDefault(new Place(one, turn), List.of()),
        rates.getOrDefault(new Place(other, turn), List.of()),
        what);
  }
}
