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
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;

/**
 * Measures lock-free structures on Kite, and ZAB with the accesses that they would be: all of them
 * by turns.
 */
public final class StructureExperiment implements AutoCloseable {
  private static final int VALUE_BYTES_MAX = 64;
  private static final long BYTES_MAX = 1L << 30;

  private final StructurePlan plan;
  private final EmbeddedGrid kite;
  private final List<StructureClient> clients = new ArrayList<>();
  private final GridLoad zab;
  private final BenchGrid zabOfThreads;
  private final List<ZabClient> zabClients = new ArrayList<>();

  private StructureExperiment(StructurePlan plan) throws IOException {
    this.plan = plan;
    int nodes = plan.grid().nodes();
    kite =
        Grid.embedded(new EmbeddedGrid.Settings(nodes, plan.clients(), VALUE_BYTES_MAX, BYTES_MAX));
    zab = new GridLoad(Contender.ZAB, plan.grid());
    KitePlan.Grid grid = plan.grid();
    KitePlan.Grid ofThreads =
        new KitePlan.Grid(nodes, plan.clients(), grid.burst(), grid.keys(), grid.valueBytes());
    zabOfThreads = BenchGrid.start(true, ofThreads);
    for (int node = 0; node < nodes; node++) {
      for (int i = 0; i < plan.clients(); i++) {
        clients.add(new StructureClient(kite.openSession(node), clients.size(), plan.shared()));
        zabClients.add(new ZabClient(zabOfThreads.openSession(node), ofThreads, zabClients.size()));
      }
    }
  }

  /**
   * Runs it.
   *
   * @param progress is told what has been done
   */
  public static StructureResult run(StructurePlan plan, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (StructureExperiment experiment = new StructureExperiment(plan)) {
      return experiment.measure(progress);
    }
  }

  private StructureResult measure(Consumer<String> progress) throws InterruptedException {
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Map<StructureResult.Place, List<StructureResult.Rate>> rates = new LinkedHashMap<>();
    StructureResult.Line[] lines = StructureResult.Line.values();
    for (int round = -plan.warmUpRounds(); round < plan.rounds(); round++) {
      for (Structure structure : plan.structures()) {
        for (int i = 0; i < lines.length; i++) {
          StructureResult.Line line = lines[Math.floorMod(round + i, lines.length)];
          StructureResult.Rate rate = turn(structure, line);
          if (round >= 0) {
            rates
                .computeIfAbsent(
                    new StructureResult.Place(structure, line), place -> new ArrayList<>())
                .add(rate);
          }
        }
      }
      progress.accept(round < 0 ? "warm-up" : "round " + (round + 1) + " of " + plan.rounds());
    }
    return new StructureResult(
        plan,
        rates,
        clients.stream().mapToLong(StructureClient::checks).sum(),
        clients.stream().mapToLong(StructureClient::violations).sum(),
        loadAverage);
  }

  /** One turn, in operations on structures. */
  private StructureResult.Rate turn(Structure structure, StructureResult.Line line)
      throws InterruptedException {
    switch (line) {
      case KITE, KITE_IDEAL -> {
        boolean alone = line == StructureResult.Line.KITE_IDEAL;
        clients.forEach(client -> client.choose(structure, alone));
        return ClientThreads.run(clients, plan.seconds());
      }
      case ZAB_IDEAL -> {
        GridLoad.Turn turn = zab.run(structure.writePercent(), plan.seconds());
        return operations(
            structure,
            new StructureResult.Rate(turn.rate().perSecond(), turn.rate().perCpuSecond()));
      }
      case ZAB_THREADS -> {
        Mix mix = new Mix(structure.writePercent(), 0, 0);
        zabClients.forEach(client -> client.mix(mix));
        return operations(structure, ClientThreads.run(zabClients, plan.seconds()));
      }
    }
    throw new IllegalStateException("There is no " + line);
  }

  /** What accesses would be worth if nothing conflicted (section 7.3, ZAB-ideal). */
  private static StructureResult.Rate operations(
      Structure structure, StructureResult.Rate accesses) {
    return new StructureResult.Rate(
        accesses.perSecond() / structure.accesses(),
        accesses.perCpuSecond() / structure.accesses());
  }

  @Override
  public void close() {
    kite.close();
    zab.close();
    zabOfThreads.close();
  }
}
