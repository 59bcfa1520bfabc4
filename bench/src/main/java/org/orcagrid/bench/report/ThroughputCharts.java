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
package org.orcagrid.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.SvgDocument;

/** The chart of any experiment: throughput bars, a panel per added delay and number of clients. */
public final class ThroughputCharts {
  private ThroughputCharts() {}

  /** Returns the picture as SVG. */
  public static String render(ExperimentResult result, Machine machine) {
    List<Panel> panels = new ArrayList<>();
    for (double delay : result.plan().fsyncDelaysMs()) {
      for (int clients : result.plan().clientCounts()) {
        panels.add(new Charts(result).throughput(clients, delay));
      }
    }
    return new SvgDocument(
            "Throughput by workload and system", panels, Conditions.notes(result.plan(), machine))
        .render();
  }
}
