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

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.simulator.timing.TimingResult;

/**
 * What has come out, of each case as many results as there were seeds.
 *
 * @param results the results of a case in the order of the seeds; the cases in the order of the
 *     figure
 */
public record TimingFindings(Map<TimingCase.Place, List<TimingResult>> results) {

  /** Keeps a copy, in its order. */
  public TimingFindings {
    Map<TimingCase.Place, List<TimingResult>> copy = new LinkedHashMap<>();
    results.forEach((place, each) -> copy.put(place, List.copyOf(each)));
    results = Collections.unmodifiableMap(copy);
  }

  /** The results of a case; none if it was not run. */
  public List<TimingResult> of(TimingCase.Place place) {
    return results.getOrDefault(place, List.of());
  }

  /** A measure of a case over the seeds; empty if it was not run. */
  public Optional<Spread> spread(TimingCase.Place place, ToDoubleFunction<TimingResult> measure) {
    return Spread.of(of(place), measure);
  }

  /** A measure of one case to that of another one, seed by seed. */
  public Optional<Spread> relative(
      TimingCase.Place one, TimingCase.Place other, ToDoubleFunction<TimingResult> measure) {
    return Spread.ofRatios(of(one), of(other), measure);
  }
}
