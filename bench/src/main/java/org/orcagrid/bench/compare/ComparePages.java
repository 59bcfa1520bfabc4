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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.Numbers;

/** The comparison in memory as a page, and the turns of any as a table. */
public final class ComparePages {
  private ComparePages() {}

  static String load(ComparePlan plan) {
    int threads = plan.pressure().threads();
    return String.format(
        Locale.ROOT,
        "%d processes a product on loopback TCP, each a JVM with 1 GB of heap that holds a node and"
            + " its clients; %d calling %s in each, which use the product's own interface:"
            + " pipelined, each with up to %d operations under way by asynchronous forms, and one"
            + " at a time, by forms that wait; %d keys of 8 bytes, chosen uniformly, values of %d"
            + " bytes, 3 copies of each; %d %s of %s s for each contender and load, by turns, while"
            + " the others idle. One operation of 16 is timed.",
        ComparePlan.NODES,
        threads,
        threads == 1 ? "thread" : "threads",
        plan.pressure().depthOfThread(),
        plan.data().keys(),
        plan.data().valueBytes(),
        plan.time().rounds(),
        plan.time().rounds() == 1 ? "round" : "rounds",
        Numbers.setting(plan.time().seconds()));
  }

  /** Returns the page. */
  public static String page(CompareResult result, Machine machine) {
    CompareTables tables = new CompareTables(result);
    StringBuilder page = new StringBuilder("# Orca Grid beside other data grids\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append("Load: ").append(load(result.plan())).append("\n\n");
    page.append("Products: ")
        .append(String.join(", ", new LinkedHashSet<>(result.versions().values())))
        .append(".\n\n");
    page.append(figures(tables));
    page.append("\n## What reads and writes guarantee\n\n").append(tables.guarantees());
    page.append("\nNothing is durable in any of them.\n");
    String ratios =
        tables.ratios(
            List.of(new CompareTables.Fairness("readers may rely on", Rival::isAtLeastAsStrongAs)));
    if (!ratios.isEmpty()) {
      page.append(
          """

          ## Ours beside the others

          Ratios of throughput, each round's own. What we ask of ourselves stands behind, and is
          bold where it is reached. The last column compares what readers may rely on while nothing
          fails; when something does, Orca Grid keeps its guarantee and the others do not.

          """);
      page.append(ratios);
    }
    page.append(how(result));
    return page.toString();
  }

  /** Throughput and latencies. */
  static String figures(CompareTables tables) {
    return """
    Figures are medians over the rounds, with their range. A floor is no product: it is what ours
    cannot be faster than, or what they do without a caller.

    Thousand operations per second, of all processes:

    """
        + tables.rates(Rate::perSecond)
        + """

        Thousand operations per second of processor time of all processes of the product, which what
        else runs on the machine disturbs little:

        """
        + tables.rates(Rate::perCpuSecond)
        + """

        How long an operation takes, in microseconds: half of them at most, and 99 of 100:

        """
        + tables.latencies();
  }

  private static String how(CompareResult result) {
    ComparePlan plan = result.plan();
    StringBuilder how = new StringBuilder("\n## How each is loaded\n\n");
    Map<Product, String> products =
        Map.of(
            Product.WORKER,
            "- The floor in the worker's thread: "
                + plan.pressure().depth()
                + " sessions a node, each with one operation under way, which make up to 16"
                + " relaxed accesses to the node's copy in one go.\n",
            Product.MAPS,
            "- Orca Grid: a member with default settings but for a lease of 10 s, views by an"
                + " ensemble of one server in the first process; `GridMap`, a session's `View` and"
                + " `Grid.view` with `Long` keys, whose stages are completed by `Runnable::run`.\n",
            Product.HAZELCAST,
            "- Hazelcast: embedded members, `getAsync` and `setAsync`, `get` and `set`,"
                + " `backup-count` 2, in-memory format `BINARY`, `Long` keys.\n",
            Product.INFINISPAN,
            "- Infinispan: embedded, its own `tcp` stack of JGroups with fixed members (`TCPPING`),"
                + " `getAsync` and `putAsync`, `get` and `put`, with `IGNORE_RETURN_VALUES`.\n",
            Product.IGNITE,
            "- Apache Ignite: embedded, an `ATOMIC` cache, `getAsync` and `putAsync`, `get` and"
                + " `put`.\n",
            Product.REDIS,
            "- Redis: a master and two replicas with defaults (`io-threads` too), `save \"\"`,"
                + " `appendonly no`. Each of three client processes has its own server for reads"
                + " and writes to the master (RESP over `SocketChannel`); pipelined, a thread sends"
                + " half of its depth together. Processor time is that of servers and clients.\n");
    for (Product product : plan.products()) {
      how.append(products.getOrDefault(product, ""));
    }
    how.append("\nSlow releases while it was measured, and frames that found no room: ");
    how.append(result.disturbances()).append(".\n");
    return how.toString();
  }

  /** Returns the turns, one a line. */
  public static String csv(CompareResult result) {
    StringBuilder csv =
        new StringBuilder(
            "contender,manner,write_percent,round,per_second,per_cpu_second,p50_us,p99_us\n");
    result
        .rates()
        .forEach(
            (place, rates) -> {
              for (int round = 0; round < rates.size(); round++) {
                Rate rate = rates.get(round);
                csv.append(
                    String.format(
                        Locale.ROOT,
                        "%s,%s,%s,%d,%.0f,%.0f,%.2f,%.2f\n",
                        place.rival().id(),
                        place.load().manner().id(),
                        Numbers.setting(place.load().writePercent()),
                        round + 1,
                        rate.perSecond(),
                        rate.perCpuSecond(),
                        rate.micros(0.5),
                        rate.micros(0.99)));
              }
            });
    return csv.toString();
  }
}
