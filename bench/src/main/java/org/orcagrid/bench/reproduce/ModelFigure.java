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
import java.util.Locale;
import java.util.Map;
import org.orcagrid.bench.compare.ComparePlan;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.ddp.ModelPlan;
import org.orcagrid.bench.ddp.ModelResult;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.ddp.model.Ddp;

/** A table or figure of the DDP paper that shows throughput, measured for real. */
public sealed interface ModelFigure extends Reproduction permits DdpTable1, DdpReal {

  /** As in the paper, whose servers have 20 clients each. */
  int CLIENTS = 20;

  /**
   * Returns what is measured.
   *
   * @param quick whether to take short rounds, for about a minute
   */
  ModelPlan plan(boolean quick);

  /** Returns the page. */
  String page(ModelResult result, Machine machine);

  /** Returns the chart. */
  String chart(ModelResult result, Machine machine);

  /** Returns the figures, one turn a line. */
  default String csv(ModelResult result) {
    StringBuilder csv = new StringBuilder("model,round,per_second,per_cpu_second,aborted\n");
    for (Map.Entry<Ddp, List<Rate>> each : result.rates().entrySet()) {
      int round = 0;
      for (Rate rate : each.getValue()) {
        round++;
        csv.append(
            String.format(
                Locale.ROOT,
                "%s,%d,%.0f,%.0f,%d\n",
                each.getKey().id(),
                round,
                rate.perSecond(),
                rate.perCpuSecond(),
                rate.disturbances()));
      }
    }
    return csv.toString();
  }

  /** Returns what was done, in one line. */
  static String load(ModelPlan plan) {
    return String.format(
        Locale.ROOT,
        "%d nodes in %d processes on loopback TCP, each with the `log` medium on the same disk; %d"
            + " closed-loop clients in each node's process, %s, %d keys of 8 bytes for each model,"
            + " values of %d bytes, a copy on each node; %d %s of %s s for each model, by turns,"
            + " while the others idle.",
        ComparePlan.NODES,
        ComparePlan.NODES,
        plan.clients(),
        plan.writePercent() == 100
            ? "all of whose requests are writes of keys chosen uniformly"
            : "YCSB's workload A (half writes, zipfian)",
        plan.keys(),
        ModelPlan.VALUE_BYTES,
        plan.time().rounds(),
        plan.time().rounds() == 1 ? "round" : "rounds",
        Numbers.setting(plan.time().seconds()));
  }

  /** Returns the first paragraphs of a page. */
  default String opening(ModelResult result, Machine machine) {
    return "# "
        + title()
        + "\n\nMachine: "
        + Conditions.machine(machine)
        + "\n\nLoad: "
        + load(result.plan())
        + "\n\nFigures are medians over the rounds, with their range. All nodes, their clients and"
        + " whatever else runs share this machine's processors and its disk.\n\n";
  }
}
