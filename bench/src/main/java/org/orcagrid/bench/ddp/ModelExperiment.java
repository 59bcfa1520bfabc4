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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.orcagrid.bench.compare.ComparePlan;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.compare.ProcessReaper;
import org.orcagrid.bench.compare.ProductProcesses;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.ddp.model.Ddp;

/** Measures models by turns: in every round each has a short one while the others idle. */
public final class ModelExperiment {
  private ModelExperiment() {}

  /**
   * Runs it. Every process that it starts has ended when it returns, however it returns.
   *
   * @param home where the processes' logs go; the caller's to delete
   * @param progress is told what has been done
   */
  public static ModelResult run(ModelPlan plan, Path home, Consumer<String> progress)
      throws IOException, InterruptedException, CommandFailure {
    Files.createDirectories(home);
    List<Integer> ports = FreePorts.find(ComparePlan.NODES, new Random());
    try (ProcessReaper reaper = new ProcessReaper()) {
      ProductProcesses processes = ProductProcesses.start(plan.order(), ports, home, reaper);
      progress.accept(ComparePlan.NODES + " nodes, " + plan.models().size() + " maps, filled");
      return new ModelResult(plan, measure(plan, processes, progress));
    }
  }

  private static Map<Ddp, List<Rate>> measure(
      ModelPlan plan, ProductProcesses processes, Consumer<String> progress)
      throws IOException, InterruptedException {
    Map<Ddp, List<Rate>> measured = new LinkedHashMap<>();
    plan.models().forEach(model -> measured.put(model, new ArrayList<>()));
    int warmUpRounds = plan.time().warmUpRounds();
    int count = plan.models().size();
    for (int round = -warmUpRounds; round < plan.time().rounds(); round++) {
      // Another one first in every round: each finds what whoever was before it has left.
      for (int i = 0; i < count; i++) {
        Ddp model = plan.models().get(Math.floorMod(round + i, count));
        Rate rate = processes.run(model.id(), plan.load(), plan.time().seconds());
        if (round >= 0) {
          measured.get(model).add(rate);
        }
      }
      progress.accept(
          round < 0
              ? "warm-up " + (round + warmUpRounds + 1) + " of " + warmUpRounds
              : "round " + (round + 1) + " of " + plan.time().rounds());
    }
    return measured;
  }
}
