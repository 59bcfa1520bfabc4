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
package org.orcagrid.bench.command;

import java.io.PrintWriter;
import java.util.Set;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.mixed.run.MixedWorld;
import org.orcagrid.mixed.run.RunRule;
import org.orcagrid.mixed.store.geo.GeoStoreRule;
import org.orcagrid.mixed.track.TrackRule;

/** Runs transactions over stores of different consistency, over seeds. */
final class MixedSimulation {
  private static final int SEEDS_BETWEEN_UPDATES = 20;

  private final Set<RunRule> rules;
  private final Set<TrackRule> trackRules;
  private final Set<GeoStoreRule> geoRules;
  private final PrintWriter console;

  MixedSimulation(
      Set<RunRule> rules,
      Set<TrackRule> trackRules,
      Set<GeoStoreRule> geoRules,
      PrintWriter console) {
    this.rules = rules;
    this.trackRules = trackRules;
    this.geoRules = geoRules;
    this.console = console;
  }

  /**
   * Runs the seeds.
   *
   * @throws CommandFailure if one breaks a promise
   */
  void run(long first, long seeds) throws CommandFailure {
    Progress progress = Progress.of(console);
    long begin = System.nanoTime();
    long attempts = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      MixedWorld world = new MixedWorld(seed, rules, trackRules, geoRules);
      String wrong = world.run();
      if (wrong != null) {
        throw new CommandFailure("Seed " + seed + ": " + wrong);
      }
      attempts += world.attempts();
      if ((seed - first) % SEEDS_BETWEEN_UPDATES == 0) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        progress.update("seed " + seed, (seed - first) / (double) seeds, attempts / seconds);
      }
    }
    progress.say(
        seeds
            + " seeds, "
            + attempts
            + " attempts of transactions over five stores: nobody has seen half of one, or an"
            + " effect without its cause; what was committed is there once, and what was aborted"
            + " is not; each linearizable store has an order.");
  }
}
