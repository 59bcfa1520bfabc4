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
import java.util.Set;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;

/** The comparison of what is durable, as a page. */
public final class DurablePages {
  private DurablePages() {}

  /** Returns the page. */
  public static String page(CompareResult result, Machine machine) {
    CompareTables tables = new CompareTables(result);
    StringBuilder page = new StringBuilder("# Orca Grid beside other grids, durable\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append("Load: ").append(ComparePages.load(result.plan())).append("\n\n");
    Set<String> versions = new LinkedHashSet<>(result.versions().values());
    page.append("Products: ").append(String.join(", ", versions));
    page.append(". All write to the same disk; time that waits for it is no processor time.\n\n");
    page.append(ComparePages.figures(tables));
    page.append("\n## What is promised, and what is forced\n\n");
    page.append(tables.guarantees());
    String ratios =
        tables.ratios(
            List.of(
                new CompareTables.Fairness("readers may rely on", Rival::isAtLeastAsStrongAs),
                new CompareTables.Fairness("survives", Rival::isAtLeastAsDurableAs)));
    if (!ratios.isEmpty()) {
      page.append(
          """

          ## Ours beside the others

          Ratios of throughput, each round's own. What we ask of ourselves stands behind, and is
          bold where it is reached. The last two columns compare what readers may rely on while
          nothing fails, and what is there after a crash of all nodes at once: only where neither
          says *less* is the ratio one at equal or stronger guarantees.

          """);
      page.append(ratios);
    }
    page.append(how(result));
    return page.toString();
  }

  private static String how(CompareResult result) {
    Map<Product, String> products =
        Map.of(
            Product.MAPS,
            "- Orca Grid: a member with one worker, views by an ensemble of one server in the first"
                + " process; `GridMap` with `Long` keys, whose stages are completed by"
                + " `Runnable::run`.",
            Product.HAZELCAST_STORE,
            "- Hazelcast: embedded members, `getAsync` and `setAsync`, `get` and"
                + " `set`, `backup-count` 2, in-memory"
                + " format `BINARY`, `Long` keys; `MapStoreConfig` with `write-delay-seconds` 0,"
                + " and else its defaults (stores run off the partition threads).",
            Product.INFINISPAN_STORE,
            "- Infinispan: embedded, its own `tcp` stack of JGroups with fixed members (`TCPPING`),"
                + " replicated caches, `getAsync` and `putAsync`, `get` and `put`, with"
                + " `IGNORE_RETURN_VALUES`;"
                + " `file-store`, without passivation: all entries are in memory, too.",
            Product.ETCD,
            "- etcd: three servers with defaults, each on loopback with its own data folder; its"
                + " Java client in three processes, each connected to its own server; `get`"
                + " (linearizable) and `put` of its `KV`, and `join` of them one at a time."
                + " Processor time is that of servers and clients.");
    List<String> lines = new ArrayList<>();
    for (Product product : result.plan().products()) {
      if (products.containsKey(product)) {
        lines.add(products.get(product));
      }
    }
    lines.add(
        "- Orca Grid's frames that found no room while it was measured: "
            + result.disturbances()
            + ".");
    return "\n## How each is loaded\n\n" + String.join("\n", lines) + "\n";
  }
}
