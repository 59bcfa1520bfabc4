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
import java.util.Map;
import org.orcagrid.bench.faults.Outage;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.Systems;

/** Not in the paper: how long the clients of the servers that are left wait after a crash. */
public record OrcaOutage() implements Reproduction {
  @Override
  public String id() {
    return "orca-outage";
  }

  @Override
  public String title() {
    return "ORCA: how long a crash stops the clients of the servers that are left";
  }

  /** Returns what is measured, side by side. */
  public List<SystemSpec> systems() {
    return List.of(
        Systems.named("orca"), Systems.named(OrcaSetting.ACTIVE_SET), Systems.named("strong-zk"));
  }

  /** Returns the page. */
  public String page(Map<SystemSpec, Map<Outage, List<Double>>> results, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append("Three servers, one of which is killed, with default times (heartbeat 100 ms,");
    page.append(
        " mark-out 200 ms, removal 1000 ms, promise 600 ms). Six clients on the two others write"
            + " and read");
    page.append(" all the time; a client that loses its connection opens a new one. The figure is");
    page.append(" the operation that took longest, in ms: median over the rounds and range.\n\n");
    MarkdownTable table =
        new MarkdownTable(List.of("crash", "operations", "system", "longest, ms"));
    for (Outage.Crash crash : Outage.Crash.values()) {
      for (Outage.Operation operation : Outage.Operation.values()) {
        results.forEach(
            (system, outages) -> {
              List<Double> millis = outages.get(new Outage(crash, operation));
              if (millis != null) {
                table.add(
                    List.of(
                        crash.title(),
                        operation.title(),
                        system.title(),
                        Numbers.spread(Spread.of(millis), 1)));
              }
            });
      }
    }
    return page.append(table.render()).toString();
  }
}
