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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.orcagrid.bench.compare.CompareResult.Place;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;

/**
 * Measures a plan: all processes are there all the time; in every round, under every load, each
 * contender has a short turn while the others have nothing to do.
 */
public final class CompareExperiment {
  private CompareExperiment() {}

  /**
   * Runs it. Every process that it starts has ended when it returns, however it returns.
   *
   * @param home where the processes' logs go; the caller's to delete
   * @param progress is told what has been done
   */
  public static CompareResult run(ComparePlan plan, Path home, Consumer<String> progress)
      throws IOException, InterruptedException, CommandFailure {
    Files.createDirectories(home);
    List<Integer> ports = FreePorts.find(ComparePlan.NODES * plan.products().size(), new Random());
    try (ProcessReaper reaper = new ProcessReaper()) {
      Map<Product, ProductProcesses> running = new EnumMap<>(Product.class);
      Map<Product, String> versions = new EnumMap<>(Product.class);
      for (Product product : plan.products()) {
        int first = ComparePlan.NODES * running.size();
        ProductProcesses processes =
            ProductProcesses.start(
                plan.order(product), ports.subList(first, first + ComparePlan.NODES), home, reaper);
        running.put(product, processes);
        versions.put(product, processes.version());
        progress.accept(processes.version() + ": " + ComparePlan.NODES + " nodes, filled");
      }
      return new CompareResult(plan, versions, measure(plan, running, progress));
    }
  }

  private static Map<Place, List<Rate>> measure(
      ComparePlan plan, Map<Product, ProductProcesses> running, Consumer<String> progress)
      throws IOException, InterruptedException {
    Map<Place, List<Rate>> measured = new LinkedHashMap<>();
    int warmUpRounds = plan.time().warmUpRounds();
    List<Rival> rivals = plan.rivals();
    for (int round = -warmUpRounds; round < plan.time().rounds(); round++) {
      for (Load load : plan.loads()) {
        // Another one first in every round: each finds the caches of the one before it.
        for (int i = 0; i < rivals.size(); i++) {
          Rival rival = rivals.get(Math.floorMod(round + i, rivals.size()));
          if (!rival.takesPart(load.manner())) {
            continue;
          }
          Rate rate =
              running.get(rival.product()).run(rival.variant(), load, plan.time().seconds());
          if (round >= 0) {
            measured.computeIfAbsent(new Place(rival, load), place -> new ArrayList<>()).add(rate);
          }
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
