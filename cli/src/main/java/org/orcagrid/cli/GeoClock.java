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
package org.orcagrid.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.orcagrid.geo.clock.HybridClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code orca geo clock}. */
@Command(
    name = "clock",
    description = {
      "Show how far the nodes' clocks are from this machine's.",
      "hybrid: how far a partition's hybrid clock is ahead of its node's own, at most; that of a"
          + " node whose clock is slow follows the others."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:no two clocks are more than 500 ms apart",
      "1:some are, so that writes may be refused; or no node answers"
    })
final class GeoClock implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int TRIES = 5;

  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  /** The answer that came soonest says most. */
  private record Reading(long aheadMillis, long errorMillis, long hybridMillis) {}

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GeoFolder.Node> nodes = folder.get().requireNodes();
    TextTable table = new TextTable(List.of("node", "datacenter", "ahead", "hybrid"));
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    try (GeoProbe probe = GeoProbe.connect(nodes, LIMIT)) {
      for (GeoFolder.Node each : nodes) {
        Reading reading = read(probe, each);
        String number = Integer.toString(each.number() + 1);
        if (reading == null) {
          table.add(List.of(number, each.datacenter(), "no answer", "-"));
        } else {
          least = Math.min(least, reading.aheadMillis() + reading.errorMillis());
          most = Math.max(most, reading.aheadMillis() - reading.errorMillis());
          table.add(
              List.of(
                  number,
                  each.datacenter(),
                  reading.aheadMillis() + " ± " + reading.errorMillis() + " ms",
                  reading.hybridMillis() + " ms"));
        }
      }
    }
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().flush();
    if (most - least > HybridClock.AHEAD_MILLIS_MAX) {
      throw new CommandFailure(
          "Clocks are "
              + (most - least)
              + " ms apart; more than "
              + HybridClock.AHEAD_MILLIS_MAX
              + " ms, and writes are refused that depend on the faster one: set the clocks.");
    }
    return 0;
  }

  private static Reading read(GeoProbe probe, GeoFolder.Node node) throws InterruptedException {
    Reading best = null;
    for (int i = 0; i < TRIES; i++) {
      long begun = System.nanoTime();
      long before = System.currentTimeMillis();
      GeoProbe.Said said = probe.ask(node.config().plan().nodes().get(node.number()));
      long error = 1 + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / 2;
      if (said != null && (best == null || error < best.errorMillis())) {
        long ahead = Long.parseLong(said.node().get("millis")) - (before + error);
        long hybrid =
            said.partitions().stream()
                .mapToLong(each -> Long.parseLong(each.get("ahead")))
                .max()
                .orElse(0);
        best = new Reading(ahead, error, hybrid);
      }
    }
    return best;
  }
}
