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
package org.orcagrid.bench.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.orcagrid.bench.CellSummary;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.reproduce.Reproduction.Effort;
import org.orcagrid.bench.system.Systems;
import org.orcagrid.bench.workload.Workload;

/** What the experiments of the ORCA paper's section 5.1 have in common. */
final class OrcaSetting {
  /** The three durability layers, in the paper's order. */
  static final List<String> LAYERS = List.of("sync", "async", "cad");

  /** "We run this experiment with 10 clients" (section 5.1.2). */
  static final int CLIENTS = 10;

  /** What a reader must know before comparing the two. */
  static final String DIFFERENCES =
      """
      ## What differs from the paper

      The paper used five servers on separate machines (20 cores, SSD, 10 Gbps network), and means \
      of five runs. Here all servers and clients share one machine, so processors, not disks, are \
      the limit at high load, and a replication round trip costs little. Compare the ratios and the \
      shape, not the absolute figures. Where a delay was added to each fsync, the heading says so: \
      it stands in for a slower disk and is no property of this machine.
      """;

  private static final int FULL_ROUNDS = 5;
  private static final LoadPlan.Data DATA = new LoadPlan.Data(1_000, 100);
  private static final long SEED = 20;

  /** strong-ZK, weak-ZK and ORCA, as in section 5.2; the latter two also replicating first. */
  static final List<String> SYSTEMS = List.of("strong-zk", "weak-zk", "orca");

  /** ORCA with linearizable reads at every server. */
  static final String ACTIVE_SET = "orca:orca.replication=active-set";

  private static final double PER_THOUSAND = 1_000;

  private OrcaSetting() {}

  /**
   * Returns throughput in K requests/s and mean latency in ms, a row for each number of clients.
   */
  static String curves(
      ExperimentResult result, List<String> systems, Workload workload, double delay) {
    List<String> headings = new ArrayList<>(List.of("clients"));
    for (String system : systems) {
      headings.add(system + " K/s");
      headings.add(system + " ms");
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (int clients : result.plan().clientCounts()) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(clients)));
      for (String system : systems) {
        Optional<CellSummary> summary = result.summary(system, workload, clients, delay);
        row.add(Numbers.spread(summary.map(CellSummary::throughput), PER_THOUSAND));
        row.add(
            Numbers.spread(
                summary
                    .flatMap(s -> s.writeLatency().or(s::readLatency))
                    .map(latency -> latency.mean()),
                PER_THOUSAND));
      }
      table.add(row);
    }
    return table.render();
  }

  static ExperimentPlan plan(
      Effort effort, List<Workload> workloads, List<Integer> clients, LoadPlan.Time quickTime) {
    return plan(effort, LAYERS, ReadsFrom.LEADER, workloads, clients, quickTime);
  }

  static ExperimentPlan plan(
      Effort effort,
      List<String> systems,
      ReadsFrom reads,
      List<Workload> workloads,
      List<Integer> clients,
      LoadPlan.Time quickTime) {
    return new ExperimentPlan(
        systems.stream().map(Systems::named).toList(),
        workloads,
        clients,
        effort.fsyncDelaysMs(),
        effort.quick() ? 1 : FULL_ROUNDS,
        effort.servers(),
        new ExperimentPlan.Load(
            LoadPlan.Pacing.closedLoop(),
            reads,
            effort.quick() ? quickTime : new LoadPlan.Time(2, 5),
            DATA,
            SEED));
  }
}
