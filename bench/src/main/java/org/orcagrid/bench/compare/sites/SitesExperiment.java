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
package org.orcagrid.bench.compare.sites;

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
import org.orcagrid.bench.compare.ProcessReaper;
import org.orcagrid.bench.compare.process.SiteLayout;
import org.orcagrid.bench.system.DelayedLinks;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;

/**
 * Measures a plan: all processes are there all the time; in every round each contender has a short
 * turn of each kind while the others have nothing to do.
 */
public final class SitesExperiment {
  private static final double IDLE_SECONDS = 3;

  private final SitesPlan plan;
  private final Consumer<String> progress;
  private final Map<SiteProduct, SiteProcesses> running = new EnumMap<>(SiteProduct.class);
  private final Map<SitesResult.Place, List<SitesResult.Rate>> rates = new LinkedHashMap<>();

  private SitesExperiment(SitesPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs it. Every process that it starts has ended when it returns, however it returns.
   *
   * @param home where the processes' files go; the caller's to delete
   * @param progress is told what has been done
   */
  public static SitesResult run(SitesPlan plan, Path home, Consumer<String> progress)
      throws IOException, InterruptedException, CommandFailure {
    Files.createDirectories(home);
    SitesExperiment experiment = new SitesExperiment(plan, progress);
    try (ProcessReaper reaper = new ProcessReaper();
        DelayedLinks links = new DelayedLinks(SiteLayout.WAN_MILLIS / 2.0)) {
      Map<SiteProduct, String> versions = new EnumMap<>(SiteProduct.class);
      for (SiteProduct product : plan.products()) {
        SiteProcesses processes =
            SiteProcesses.start(plan, product, ports(product, links), home, reaper);
        experiment.running.put(product, processes);
        versions.put(product, processes.version());
        progress.accept(processes.version() + ": 2 sites of 3 nodes, filled");
      }
      experiment.measure();
      return new SitesResult(plan, versions, experiment.idle(), experiment.rates);
    }
  }

  /** A last purpose is that of relays: to the ports of the one before it. */
  private static List<Integer> ports(SiteProduct product, DelayedLinks links)
      throws IOException, CommandFailure {
    List<Integer> ports =
        new ArrayList<>(FreePorts.find(SiteLayout.ALL * product.ports(), new Random()));
    if (product.ports() > 1) {
      for (int port : new SiteLayout(ports).forPurpose(product.ports() - 1)) {
        ports.add(links.port(0, 1, port));
      }
    }
    return ports;
  }

  private void measure() throws IOException, InterruptedException {
    List<SiteContender> contenders = plan.contenders();
    for (int round = -plan.warmUpRounds(); round < plan.rounds(); round++) {
      for (SiteTurn turn : SiteTurn.values()) {
        for (int i = 0; i < contenders.size(); i++) {
          // Another one first in every round: each finds the caches of the one before it.
          SiteContender each = contenders.get(Math.floorMod(round + i, contenders.size()));
          SitesResult.Rate rate = running.get(each.product()).run(each, turn, plan.seconds());
          if (round >= 0) {
            rates
                .computeIfAbsent(new SitesResult.Place(each, turn), none -> new ArrayList<>())
                .add(rate);
          }
        }
      }
      progress.accept(round < 0 ? "warm-up" : "round " + (round + 1) + " of " + plan.rounds());
    }
  }

  private Map<SiteProduct, Double> idle() throws InterruptedException {
    Map<SiteProduct, Double> idle = new EnumMap<>(SiteProduct.class);
    for (Map.Entry<SiteProduct, SiteProcesses> each : running.entrySet()) {
      idle.put(each.getKey(), each.getValue().idleCores(IDLE_SECONDS));
    }
    return idle;
  }
}
