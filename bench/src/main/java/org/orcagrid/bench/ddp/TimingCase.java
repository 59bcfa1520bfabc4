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

import java.util.Set;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.simulator.timing.TimingSettings;

/**
 * A model to be timed.
 *
 * @param place what it is called
 * @param settings on what machines, under what load, how long
 * @param without rules that its replicas leave out, to see what they cost
 */
public record TimingCase(Place place, TimingSettings settings, Set<ReplicaRule> without) {

  /** Keeps a copy. */
  public TimingCase {
    without = Set.copyOf(without);
  }

  /** One with all rules. */
  public static TimingCase of(String setting, Ddp model, TimingSettings settings) {
    return new TimingCase(new Place(setting, model), settings, Set.of());
  }

  /**
   * Where a figure has it.
   *
   * @param setting what is other than by default, for people
   * @param model the model
   */
  public record Place(String setting, Ddp model) {}
}
