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
package org.orcagrid.bench.watches;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.system.SystemLauncher;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.SystemUnderTest;

/**
 * Storms at several systems. Each has its ensemble alone: sessions that idle send pings. The first
 * round of each is to warm up, and is dropped.
 */
public final class StormExperiment {
  private StormExperiment() {}

  /**
   * Runs all rounds.
   *
   * @param say told of each storm
   * @throws IOException if a system cannot be started, or a client fails
   */
  public static List<StormResult> run(
      StormPlan plan, List<SystemSpec> systems, SystemLauncher launcher, Consumer<String> say)
      throws IOException, InterruptedException {
    List<StormResult> results = new ArrayList<>();
    for (int turn = 0; turn < 2; turn++) {
      // There and back: a slow drift of the machine meets all systems alike.
      for (int i = 0; i < systems.size(); i++) {
        SystemSpec spec = systems.get(turn == 0 ? i : systems.size() - 1 - i);
        try (SystemUnderTest system =
            launcher.launch(spec, new ExperimentPlan.Servers(plan.servers(), 0), 0)) {
          system.awaitServing();
          results.addAll(storms(plan, system, turn, say));
        }
      }
    }
    return results;
  }

  private static List<StormResult> storms(
      StormPlan plan, SystemUnderTest system, int turn, Consumer<String> say)
      throws IOException, InterruptedException {
    List<StormResult> results = new ArrayList<>();
    try (WatchStorm storm = new WatchStorm(plan, system)) {
      storm.run(0);
      for (int round = 1; round <= plan.rounds(); round++) {
        StormResult result = storm.run(turn * plan.rounds() + round);
        say.accept(
            result.system()
                + " round "
                + result.round()
                + ": "
                + plan.watches()
                + " events in "
                + Math.round(result.firingMillis())
                + " ms");
        results.add(result);
      }
      say.accept(
          system.spec().id() + ": connections lost beside the storms: " + storm.connectionsLost());
    }
    return results;
  }
}
