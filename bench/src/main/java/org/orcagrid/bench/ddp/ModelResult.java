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
package org.orcagrid.bench.ddp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.ddp.model.Ddp;

/**
 * What was measured of models.
 *
 * @param plan how
 * @param rates the turns of each model, in the order of the rounds; their disturbances are
 *     transactions that were aborted
 */
public record ModelResult(ModelPlan plan, Map<Ddp, List<Rate>> rates) {

  /** Keeps a copy. */
  public ModelResult {
    Map<Ddp, List<Rate>> copy = new LinkedHashMap<>();
    rates.forEach((model, turns) -> copy.put(model, List.copyOf(turns)));
    rates = copy;
  }

  /** Returns a measure of a model over the rounds; empty if it was not measured. */
  public Optional<Spread> spread(Ddp model, ToDoubleFunction<Rate> what) {
    return Spread.of(rates.getOrDefault(model, List.of()), what);
  }

  /** Returns a model's throughput beside the base's, each round's own; empty if not measured. */
  public Optional<Spread> normalised(Ddp model) {
    List<Rate> turns = rates.getOrDefault(model, List.of());
    return turns.isEmpty()
        ? Optional.empty()
        : Spread.ofRatios(turns, rates.getOrDefault(plan.base(), List.of()), Rate::perSecond);
  }

  /** Returns how many transactions of a model were aborted, in all turns. */
  public long aborted(Ddp model) {
    return rates.getOrDefault(model, List.of()).stream().mapToLong(Rate::disturbances).sum();
  }
}
