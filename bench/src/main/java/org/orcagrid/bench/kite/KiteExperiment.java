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

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures a plan: in every round, at every point, each contender has a short turn, so that what
 * disturbs the machine disturbs all of them alike. Those that do not have their turn sleep.
 */
public final class KiteExperiment {
  private KiteExperiment() {}

  /**
   * Runs it.
   *
   * @param progress is told what has been done
   */
  public static KiteResult run(KitePlan plan, Consumer<String> progress)
      throws IOException, InterruptedException {
    List<GridLoad> loads = new ArrayList<>();
    try {
      for (Contender contender : plan.contenders()) {
        loads.add(new GridLoad(contender, plan.grid()));
      }
      return measure(plan, loads, progress);
    } finally {
      loads.forEach(GridLoad::close);
    }
  }

  private static KiteResult measure(KitePlan plan, List<GridLoad> loads, Consumer<String> progress)
      throws InterruptedException {
    Map<KiteResult.Place, List<KiteResult.Rate>> measured = new LinkedHashMap<>();
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    long slowReleases = 0;
    long dropped = 0;
    for (int round = -plan.warmUpRounds(); round < plan.rounds(); round++) {
      for (double writePercent : plan.writePercents()) {
        // Another one first in every round: whoever comes after ZAB finds other things in the
        // caches than whoever comes after ES.
        for (int i = 0; i < loads.size(); i++) {
          GridLoad load = loads.get(Math.floorMod(round + i, loads.size()));
          GridLoad.Turn turn = load.run(writePercent, plan.seconds());
          if (round >= 0) {
            measured
                .computeIfAbsent(
                    new KiteResult.Place(load.contender().id(), writePercent),
                    place -> new ArrayList<>())
                .add(turn.rate());
            slowReleases += turn.slowReleases();
            dropped += turn.dropped();
          }
        }
      }
      progress.accept(round < 0 ? "warm-up" : "round " + (round + 1) + " of " + plan.rounds());
    }
    return new KiteResult(
        plan, measured, new KiteResult.Trouble(loadAverage, slowReleases, dropped));
  }
}
