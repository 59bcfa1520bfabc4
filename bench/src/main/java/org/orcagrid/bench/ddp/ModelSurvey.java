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

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Level;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.simulator.ddp.DdpVerdict;

/**
 * What the seeds have shown of a model.
 *
 * @param model the model
 * @param seeds how many were run
 * @param operations operations that ended in all of them
 * @param missed the promises that some seeds would not have kept
 * @param broken what no model may do, if a seed has shown it
 */
public record ModelSurvey(
    Ddp model,
    long seeds,
    long operations,
    Map<Promise, Finding> missed,
    Optional<Finding> broken) {

  /** Keeps a copy. */
  public ModelSurvey {
    Map<Promise, Finding> copy = new EnumMap<>(Promise.class);
    copy.putAll(missed);
    missed = copy;
  }

  /** Returns what no seed has shown anything of. */
  static ModelSurvey none(Ddp model) {
    return new ModelSurvey(model, 0, 0, Map.of(), Optional.empty());
  }

  static ModelSurvey of(Ddp model, long seed, DdpVerdict verdict) {
    Map<Promise, Finding> missed = new EnumMap<>(Promise.class);
    verdict.missed().forEach((promise, example) -> missed.put(promise, Finding.of(seed, example)));
    return new ModelSurvey(
        model,
        1,
        verdict.operations(),
        missed,
        verdict.broken().stream().findFirst().map(reason -> Finding.of(seed, reason)));
  }

  /** Returns this and what later seeds have shown. */
  ModelSurvey and(ModelSurvey later) {
    Map<Promise, Finding> both = new EnumMap<>(Promise.class);
    both.putAll(missed);
    later.missed.forEach((promise, finding) -> both.merge(promise, finding, Finding::and));
    return new ModelSurvey(
        model,
        seeds + later.seeds,
        operations + later.operations,
        both,
        broken.isEmpty() ? later.broken : later.broken.map(broken.get()::and).or(() -> broken));
  }

  /** Returns the promises that the model makes and that every seed has kept. */
  public Set<Promise> kept() {
    Set<Promise> kept = EnumSet.noneOf(Promise.class);
    kept.addAll(Promise.of(model));
    kept.removeAll(missed.keySet());
    return kept;
  }

  /** Returns the promises that the model makes and that some seed has not kept: failures. */
  public Set<Promise> failed() {
    Set<Promise> failed = EnumSet.noneOf(Promise.class);
    failed.addAll(Promise.of(model));
    failed.retainAll(missed.keySet());
    return failed;
  }

  /** Returns the promises that the model does not make, though no seed has shown why. */
  public Set<Promise> open() {
    Set<Promise> open = EnumSet.allOf(Promise.class);
    open.removeAll(Promise.of(model));
    open.removeAll(missed.keySet());
    return open;
  }

  /** Returns the durability that follows from what was kept. */
  public Level durability() {
    return Level.durability(kept());
  }
}
