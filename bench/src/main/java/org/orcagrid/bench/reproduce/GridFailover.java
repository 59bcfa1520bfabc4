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
import java.util.function.Function;
import org.orcagrid.bench.failover.FailoverPlan;
import org.orcagrid.bench.failover.FailoverPlan.Ensemble;
import org.orcagrid.bench.failover.FailoverPlan.Timing;
import org.orcagrid.bench.failover.FailoverResult;
import org.orcagrid.bench.failover.FailoverResult.Round;
import org.orcagrid.bench.failover.Seen;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Tail;

/** Not in a paper: how long clients of a grid of maps wait when a node is killed. */
public record GridFailover() implements Reproduction {
  private static final int KILLS = 50;
  private static final int QUICK_KILLS = 2;

  @Override
  public String id() {
    return "grid-failover";
  }

  @Override
  public String title() {
    return "Grid: how long a killed node stops the clients of the nodes that are left";
  }

  /**
   * Returns what is measured.
   *
   * @param kills beside each kind of ensemble; null for as many as usual
   * @param quick whether to take few kills, beside an ensemble that stays
   */
  public FailoverPlan plan(Integer kills, boolean quick) {
    return new FailoverPlan(
        kills != null ? kills : quick ? QUICK_KILLS : KILLS,
        quick ? List.of(Ensemble.STAYS) : List.of(Ensemble.values()),
        Timing.DEFAULT);
  }

  /** Returns the page. */
  public String page(FailoverResult result, Machine machine) {
    Tail load =
        Tail.of(
            result.series().values().stream()
                .flatMap(each -> each.rounds().stream())
                .map(Round::load)
                .toList());
    return "# "
        + title()
        + "\n\nMachine: "
        + Conditions.machine(machine)
        + String.format(
            Locale.ROOT,
            " Its load average at the kills: median %.1f, max %.1f.\n\n",
            load.median(),
            load.max())
        + """
        Three nodes of maps, each a process, with the default lease of 800 ms. Each has a writer with
        keys of its own and a reader of all keys, on a map that is linearizable/synchronous. A client
        rests 1 ms after each operation and waits 10 s for an answer. The nodes are killed in turn
        (SIGKILL) and started again on their folders. Views are agreed on by one ORCA server, which
        stays, or by three, whose leader is killed at the same moment as the node. Default times.

        Each surviving node gives one value a kill: the longest time between two acknowledgements, of
        those that end after the kill and before the node is started again ('after the kill'), or
        from then until 1 s after it serves ('while it comes back'). Milliseconds:

        """
        + times(result)
        + "\nWhat clients of surviving nodes have got, in both parts together:\n\n"
        + counts(result)
        + brokenOff(result);
  }

  private static String brokenOff(FailoverResult result) {
    StringBuilder text = new StringBuilder();
    result
        .series()
        .forEach(
            (ensemble, series) -> {
              if (!series.brokenOff().isEmpty()) {
                text.append("\nBROKEN OFF where the ensemble ")
                    .append(ensemble.title())
                    .append(": ")
                    .append(series.brokenOff())
                    .append('\n');
              }
            });
    return text.toString();
  }

  private static String times(FailoverResult result) {
    MarkdownTable table =
        new MarkdownTable(
            List.of("longest time, ms", "the ensemble", "values", "median", "p90", "max"));
    result
        .series()
        .forEach(
            (ensemble, series) -> {
              List<Round> rounds = series.rounds();
              add(
                  table,
                  "no write, after the kill",
                  ensemble,
                  all(rounds, Round::killed, Seen::writeMillis));
              add(
                  table,
                  "no read, after the kill",
                  ensemble,
                  all(rounds, Round::killed, Seen::readMillis));
              add(
                  table,
                  "no write, while it comes back",
                  ensemble,
                  all(rounds, Round::back, Seen::writeMillis));
              add(
                  table,
                  "no read, while it comes back",
                  ensemble,
                  all(rounds, Round::back, Seen::readMillis));
              add(
                  table,
                  "start of the process until it serves",
                  ensemble,
                  rounds.stream().map(Round::servesMillis).toList());
            });
    return table.render();
  }

  private static List<Double> all(
      List<Round> rounds, Function<Round, List<Seen>> part, Function<Seen, Double> what) {
    return rounds.stream().flatMap(round -> part.apply(round).stream()).map(what).toList();
  }

  private static void add(
      MarkdownTable table, String what, Ensemble ensemble, List<Double> millis) {
    Tail tail = Tail.of(millis);
    table.add(
        List.of(
            what,
            ensemble.title(),
            Integer.toString(millis.size()),
            Numbers.plain(tail.median()),
            Numbers.plain(tail.p90()),
            Numbers.plain(tail.max())));
  }

  private static String counts(FailoverResult result) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "the ensemble", "kills", "OutcomeUnknownException", "other failures", "the first"));
    result
        .series()
        .forEach(
            (ensemble, series) ->
                table.add(
                    List.of(
                        ensemble.title(),
                        Integer.toString(series.rounds().size()),
                        Long.toString(series.sum(Seen::unknown)),
                        Long.toString(series.sum(Seen::failed)),
                        series.all().stream()
                            .map(Seen::first)
                            .filter(first -> !first.isEmpty())
                            .findFirst()
                            .orElse(""))));
    return table.render();
  }

  /** Returns a line for each surviving node and kill. */
  public String csv(FailoverResult result) {
    StringBuilder csv =
        new StringBuilder(
            "ensemble,kill,victim,load,serves_ms,part,no_write_ms,no_read_ms,unknown,failed\n");
    result
        .series()
        .forEach(
            (ensemble, series) -> {
              List<Round> rounds = series.rounds();
              for (int kill = 0; kill < rounds.size(); kill++) {
                Round round = rounds.get(kill);
                String place =
                    String.format(
                        Locale.ROOT,
                        "%s,%d,%d,%.2f,%.1f",
                        ensemble.name().toLowerCase(Locale.ROOT),
                        kill + 1,
                        round.victim(),
                        round.load(),
                        round.servesMillis());
                round.killed().forEach(seen -> csv.append(line(place, "killed", seen)));
                round.back().forEach(seen -> csv.append(line(place, "back", seen)));
              }
            });
    return csv.toString();
  }

  private static String line(String place, String part, Seen seen) {
    return String.format(
        Locale.ROOT,
        "%s,%s,%.1f,%.1f,%d,%d%n",
        place,
        part,
        seen.writeMillis(),
        seen.readMillis(),
        seen.unknown(),
        seen.failed());
  }
}
