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
package org.orcagrid.bench.start;

import java.util.List;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/**
 * One start.
 *
 * @param system whose server it was
 * @param seconds from the start of the process to its first answer
 * @param processorSeconds that it had used by then
 * @param peakMegabytes the most that it had in memory until then
 * @param liveMegabytes objects in use afterwards, after a collection
 */
public record StartResult(
    String system,
    double seconds,
    double processorSeconds,
    double peakMegabytes,
    double liveMegabytes) {

  /** A table with a line for each system: medians over its rounds, and ranges. */
  public static String table(List<StartResult> results) {
    MarkdownTable table =
        new MarkdownTable(
            List.of("system", "first answer, s", "processor, s", "peak, MB", "live, MB"));
    for (String system : results.stream().map(StartResult::system).distinct().toList()) {
      List<StartResult> its = results.stream().filter(r -> r.system.equals(system)).toList();
      table.add(
          List.of(
              system,
              Numbers.spread(Spread.of(its, StartResult::seconds), 1),
              Numbers.spread(Spread.of(its, StartResult::processorSeconds), 1),
              Numbers.spread(Spread.of(its, StartResult::peakMegabytes), 1),
              Numbers.spread(Spread.of(its, StartResult::liveMegabytes), 1)));
    }
    return table.render();
  }
}
