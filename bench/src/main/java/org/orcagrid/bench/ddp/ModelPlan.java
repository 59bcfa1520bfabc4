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

import java.util.List;
import org.orcagrid.bench.compare.ComparePlan;
import org.orcagrid.bench.compare.Load;
import org.orcagrid.bench.compare.Product;
import org.orcagrid.bench.compare.ProductProcesses;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.Manner;
import org.orcagrid.ddp.model.Ddp;

/**
 * Models that are measured for real: three nodes in three processes, with closed-loop clients
 * beside them.
 *
 * @param models which; each has a map of its own
 * @param base the one that the others are measured by
 * @param writePercent 50 for YCSB's workload A, 100 for writes only, of keys chosen uniformly
 * @param keys keys of each map
 * @param clients of each node
 * @param time how often and how long
 */
public record ModelPlan(
    List<Ddp> models, Ddp base, double writePercent, int keys, int clients, ComparePlan.Time time) {
  /** Bytes of a value. */
  public static final int VALUE_BYTES = 32;

  /** Keeps a copy; refuses what cannot be measured, and names the option to change. */
  public ModelPlan {
    models = List.copyOf(models);
    if (time.rounds() < 1) {
      throw new IllegalArgumentException("There must be at least 1 round; change --rounds.");
    }
    if (!models.contains(base)) {
      throw new IllegalArgumentException(base + " is measured, too: the others are beside it");
    }
  }

  /** The same with another number of rounds. */
  public ModelPlan withRounds(int rounds) {
    return new ModelPlan(
        models,
        base,
        writePercent,
        keys,
        clients,
        new ComparePlan.Time(rounds, time.warmUpRounds(), time.seconds()));
  }

  Load load() {
    return new Load(Manner.PIPELINED, writePercent);
  }

  ProductProcesses.Order order() {
    return new ProductProcesses.Order(
        Product.MODELS,
        models.stream().map(Ddp::id).toList(),
        new LoadSettings.Data(keys, VALUE_BYTES),
        new LoadSettings.Pressure(clients, 1));
  }
}
