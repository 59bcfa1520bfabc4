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
package org.orcagrid.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/** The comparison of what is durable, as a page. */
public final class DurablePages {
  private DurablePages() {}

  /** Returns the page. */
  public static String page(CompareResult result, Machine machine) {
    StringBuilder page = new StringBuilder("# Orca Grid's maps beside other grids, durable\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append("Load: ").append(ComparePages.load(result.plan())).append("\n\n");
    Set<String> versions = new LinkedHashSet<>(result.versions().values());
    page.append("Products: ").append(String.join(", ", versions));
    page.append(
        """
        .

        All write to the same disk. Figures are medians over the rounds, with their range. The second
        table counts operations by the processor time of all processes of the product, which what
        else runs on the machine disturbs little; but time that waits for the disk is not in it.

        Thousand operations per second, of all processes:

        """);
    page.append(ComparePages.table(result, Rate::perSecond));
    page.append("\nThousand operations per second of processor time:\n\n");
    page.append(ComparePages.table(result, Rate::perCpuSecond));
    page.append("\n## What is promised, and what is forced\n\n");
    page.append(ComparePages.guarantees(result.plan()));
    page.append(ratios(result));
    page.append(how(result));
    return page.toString();
  }

  private static String ratios(CompareResult result) {
    return ComparePages.ratios(
        result,
        "Twice the throughput of Hazelcast and Infinispan with their persistence on. Ratios are"
            + " those of the rounds, each of its own. The last two columns compare what readers may"
            + " rely on while nothing fails, and what is there after a crash of all nodes at once:"
            + " only where neither says *less* is the ratio one at equal or stronger guarantees.",
        List.of(
            "Orca Grid",
            "beside",
            "writes",
            "asked",
            "here",
            "reached",
            "readers may rely on",
            "survives"),
        DurablePages::ratio);
  }

  private static List<String> ratio(
      CompareResult result, Rival ours, Rival other, double writePercent) {
    Optional<Spread> here = result.ratio(ours, other, writePercent, Rate::perSecond);
    return List.of(
        ours.title().replace("Orca Grid ", ""),
        other.title(),
        Numbers.setting(writePercent) + " %",
        Numbers.plain(other.goal()),
        Numbers.spread(here, 1),
        here.map(spread -> spread.median() >= other.goal() ? "yes" : "no")
            .orElse(Numbers.NOT_AVAILABLE),
        ours.isAtLeastAsStrongAs(other) ? "as much or more" : "less",
        ours.isAtLeastAsDurableAs(other) ? "as much or more" : "less");
  }

  private static String how(CompareResult result) {
    Map<Product, String> products =
        Map.of(
            Product.MAPS,
            "- Orca Grid: `GridMember` with one worker, a log for each map, views by an ensemble of"
                + " one server in the first process; `GridMap.getAsync` and `setAsync` with `Long`"
                + " keys.",
            Product.HAZELCAST_STORE,
            "- Hazelcast: embedded members, `getAsync` and `setAsync`, `backup-count` 2, in-memory"
                + " format `BINARY`, `Long` keys; `MapStoreConfig` with `write-delay-seconds` 0,"
                + " and else its defaults (stores run off the partition threads).",
            Product.INFINISPAN_STORE,
            "- Infinispan: embedded, its own `tcp` stack of JGroups with fixed members (`TCPPING`),"
                + " replicated caches, `getAsync` and `putAsync` with `IGNORE_RETURN_VALUES`;"
                + " `file-store`, without passivation: all entries are in memory, too.");
    List<String> lines = new ArrayList<>();
    for (Product product : result.plan().products()) {
      lines.add(products.get(product));
    }
    lines.add(
        "- All: one thread or more begin operations, each up to its depth, and count them when the"
            + " product's own threads end them; `--threads` and `--depth` change that. Orca Grid's"
            + " frames that found no room while it was measured: "
            + result.disturbances()
            + ".");
    return "\n## How each is loaded\n\n" + String.join("\n", lines) + "\n";
  }
}
