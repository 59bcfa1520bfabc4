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

import java.util.List;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.ReadsFrom;
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

  private OrcaSetting() {}

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
