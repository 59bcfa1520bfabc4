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
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.report.Charts;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.workload.Workload;

/** Figure 7(a): mean latency against throughput of reads, for a growing number of clients. */
public record OrcaFig7ReadOnly() implements ExperimentReproduction {
  private static final List<Integer> CLIENTS = List.of(1, 2, 5, 10, 20, 50, 100);
  private static final List<Integer> QUICK_CLIENTS = List.of(1, 10, 40, 100);

  @Override
  public String id() {
    return "orca-fig7a";
  }

  @Override
  public String title() {
    return "ORCA, Figure 7(a): latency against throughput, read-only, strong-ZK, weak-ZK, ORCA";
  }

  @Override
  public ExperimentPlan plan(Effort effort) {
    return OrcaSetting.plan(
        new Effort(effort.quick(), List.of(0.0), effort.servers()),
        OrcaSetting.SYSTEMS,
        ReadsFrom.ANSWERING,
        List.of(Workload.C),
        effort.quick() ? QUICK_CLIENTS : CLIENTS,
        new LoadPlan.Time(0.8, 1.2));
  }

  @Override
  public String page(ExperimentResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append(Conditions.page(result.plan(), machine));
    page.append("Throughput in K requests/s and mean latency in ms.\n\n");
    page.append(OrcaSetting.curves(result, OrcaSetting.SYSTEMS, Workload.C, 0));
    page.append(
        "\nThe paper: strong-ZK saturates, since one server answers all reads; weak-ZK and");
    page.append(" ORCA go on, close to each other. That needs servers with processors of their");
    page.append(" own: where all share one machine, it does not matter which of them answers.\n\n");
    return page.append(OrcaSetting.DIFFERENCES).toString();
  }

  @Override
  public String chart(ExperimentResult result, Machine machine) {
    return new SvgDocument(
            "Read-only: mean latency against throughput",
            List.of(new Charts(result).latencyAgainstThroughput(Workload.C, 0)),
            Conditions.notes(result.plan(), machine))
        .render();
  }
}
