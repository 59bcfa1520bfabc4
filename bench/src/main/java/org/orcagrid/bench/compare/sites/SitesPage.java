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
package org.orcagrid.bench.compare.sites;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.orcagrid.bench.compare.process.SiteLayout;
import org.orcagrid.bench.compare.process.SiteLoad;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/** The comparison of stores over two sites, as a page. */
public final class SitesPage {
  private static final double MEDIAN = 0.5;
  private static final double MOST = 0.99;
  private static final List<SiteTurn> LOADS =
      Stream.of(SiteTurn.values()).filter(each -> !each.lags()).toList();
  private static final List<SiteTurn> LAGS =
      Stream.of(SiteTurn.values()).filter(SiteTurn::lags).toList();

  private SitesPage() {}

  /** Returns the page. */
  public static String page(SitesResult result, Machine machine) {
    SitesPlan plan = result.plan();
    StringBuilder page = new StringBuilder("# The geo store beside Infinispan's two sites\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append(
        String.format(
            Locale.ROOT,
            """
            Products: %s. Two sites of three nodes, each node a process (heap 512 MB), over
            loopback; a round trip between the sites takes %d ms more. Every node has every key of
            its contender: %d keys of 16 bytes, values of %d. Clients are %d threads in a process
            of their own, each with one operation under way by the product's remote client, at
            home in one site. %d %s of %s s for each turn, by turns; medians, with their range.

            """,
            String.join(", ", result.versions().values().stream().sorted().toList()),
            SiteLayout.WAN_MILLIS,
            plan.data().keys(),
            plan.data().valueBytes(),
            plan.threads(),
            plan.rounds(),
            plan.rounds() == 1 ? "round" : "rounds",
            Numbers.setting(plan.seconds())));
    page.append("## What is promised\n\n");
    plan.contenders()
        .forEach(each -> page.append("- **" + each.title() + "**: " + each.promise() + "\n"));
    page.append(
        """

        Writes go to the other site some time, in both products; of two that know nothing of each
        other the later wins in ours, and in Infinispan the one of the site whose name comes first.

        ## Operations per second at home

        """);
    atHome(result, page);
    page.append(
        """
        .

        ## When the other site has a write

        From the call of the write to the first read by a client at home in the other site that
        sees it, in ms. Half a round trip between the sites is part of it.

        Half of them:

        """);
    page.append(table(result, LAGS, rate -> rate.millis(MEDIAN), 1));
    page.append("\n99 in a hundred:\n\n");
    page.append(table(result, LAGS, rate -> rate.millis(MOST), 1));
    page.append(how());
    return page.toString();
  }

  private static void atHome(SitesResult result, StringBuilder page) {
    page.append(table(result, LOADS, SitesResult.Rate::perSecond, 1));
    ratios(result, page);
    page.append("\n## Latency at home in ms: half of them\n\n");
    page.append(table(result, LOADS, rate -> rate.millis(MEDIAN), 1));
    page.append("\n## Latency at home in ms: 99 in a hundred\n\n");
    page.append(table(result, LOADS, rate -> rate.millis(MOST), 1));
    page.append("\n## Processor time of all six nodes for an operation, in microseconds\n\n");
    page.append(table(result, LOADS, SitesResult.Rate::nodeMicros, 1));
    page.append("\nOf the clients' process, in microseconds:\n\n");
    page.append(table(result, LOADS, SitesResult.Rate::clientMicros, 1));
    page.append("\nOf all nodes while nobody asks for anything, in percent of a processor: ");
    page.append(
        String.join(
            ", ",
            result.plan().products().stream()
                .map(
                    each ->
                        result.versions().get(each)
                            + " "
                            + Numbers.plain(100 * result.idleCores().get(each)))
                .toList()));
  }

  private static void ratios(SitesResult result, StringBuilder page) {
    List<SiteContender> ours =
        result.plan().contenders().stream().filter(SiteContender::isOurs).toList();
    List<SiteContender> others =
        result.plan().contenders().stream().filter(each -> !each.isOurs()).toList();
    if (ours.isEmpty() || others.isEmpty()) {
      return;
    }
    page.append("\nOurs divided by the other's, each round's own:\n\n");
    MarkdownTable table = new MarkdownTable(headings("ratio", LOADS));
    for (SiteContender one : ours) {
      for (SiteContender other : others) {
        List<String> cells = new ArrayList<>(List.of(one.title() + " / " + other.title()));
        for (SiteTurn turn : LOADS) {
          cells.add(cell(result.ratio(one, other, turn, SitesResult.Rate::perSecond)));
        }
        table.add(cells);
      }
    }
    page.append(table.render());
  }

  private static String cell(Optional<Spread> spread) {
    return spread
        .map(
            each ->
                String.format(
                    Locale.ROOT, "%.2f (%.2f..%.2f)", each.median(), each.min(), each.max()))
        .orElse(Numbers.NOT_AVAILABLE);
  }

  private static List<String> headings(String first, List<SiteTurn> turns) {
    List<String> headings = new ArrayList<>(List.of(first));
    turns.forEach(each -> headings.add(each.title()));
    return headings;
  }

  private static String table(
      SitesResult result,
      List<SiteTurn> turns,
      ToDoubleFunction<SitesResult.Rate> what,
      double unit) {
    MarkdownTable table = new MarkdownTable(headings("contender", turns));
    for (SiteContender each : result.plan().contenders()) {
      List<String> cells = new ArrayList<>(List.of(each.title()));
      for (SiteTurn turn : turns) {
        cells.add(Numbers.spread(result.spread(each, turn, what), unit));
      }
      table.add(cells);
    }
    return table.render();
  }

  private static String how() {
    return String.format(
        Locale.ROOT,
        """

        ## How each is loaded

        - Orca geo: 32 partitions, one worker a node; `RemoteGeo` with a session for each thread,
          `get` and `put`. Nodes hold back by themselves what they send to the other site.
        - Infinispan: a Hot Rod server in each node, Hot Rod clients that know a key's owner;
          replicated caches of octet streams with an `ASYNC` backup at the other site. JGroups'
          `tcp` stack with fixed members (`TCPPING`), sites joined by `RELAY2` over a `tcp` bridge
          through a relay that holds bytes back. The relay's processor time is nobody's.
        - The pace is %d writes a second of all threads together. Two threads look for their
          writes at the other site, every half millisecond, for %d s at most.
        """,
        SiteLoad.PACE_PER_SECOND,
        SiteLoad.LAG_SECONDS_MAX);
  }

  /** Returns the rounds, one a line. */
  public static String csv(SitesResult result) {
    StringBuilder csv =
        new StringBuilder(
            "contender,turn,round,per_second,p50_ms,p99_ms,node_micros,client_micros\n");
    result
        .rates()
        .forEach(
            (place, rates) -> {
              for (int round = 0; round < rates.size(); round++) {
                SitesResult.Rate rate = rates.get(round);
                csv.append(
                    String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.0f,%.3f,%.3f,%.1f,%.1f\n",
                        place.contender().id(),
                        place.turn().id(),
                        round + 1,
                        rate.perSecond(),
                        rate.millis(MEDIAN),
                        rate.millis(MOST),
                        rate.nodeMicros(),
                        rate.clientMicros()));
              }
            });
    return csv.toString();
  }
}
