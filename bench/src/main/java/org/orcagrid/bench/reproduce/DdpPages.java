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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.simulator.timing.TimingResult;
import org.orcagrid.simulator.timing.TimingSettings;

/** What the pages and charts of the DDP paper's figures have in common. */
final class DdpPages {
  /** All bars of the paper are normalised to it. */
  static final Ddp BASE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  static final TimingCase.Place BASE_PLACE = new TimingCase.Place(DdpFigure.DEFAULT, BASE);

  static final String NOTE =
      "Virtual time; the same on any machine. Where nothing else is said: 5 servers, 20 clients"
          + " each, 1 us round trip, 200 Gb/s, NVM of 16 banks and 400 ns a write, as in the"
          + " paper's Table 5.";

  private static final String OPENING =
      """
      The replicas that ship (`org.orcagrid.ddp.replica.Replica`), unchanged, on the paper's servers in
      virtual time (`org.orcagrid.simulator.timing`). Messages are sent, versions persisted and clients
      answered when and because the replicas say so; NIC, network, NVM and the clients' cores take the
      time that Table 5 gives them. The result is the same on any machine.
      """;

  /**
   * Something that the paper says.
   *
   * @param what it says
   * @param paper its figure
   * @param here ours
   * @param reached whether ours is what was asked for
   */
  record Claim(String what, String paper, String here, boolean reached) {}

  private DdpPages() {}

  static String opening(Reproduction figure, TimingFindings findings) {
    int seeds = findings.of(BASE_PLACE).size();
    return "# "
        + figure.title()
        + "\n\n"
        + OPENING
        + String.format(
            Locale.ROOT,
            "%s, each figure the median over them; all bars are normalised to %s.\n\n",
            seeds == 1 ? "One seed" : "Seeds 1 to " + seeds,
            BASE.id());
  }

  /** What the paper says, what of it is met, and why. */
  static String beside(List<Claim> claims, String why) {
    return "\n## What the paper says of it\n\n" + claims(claims) + "\n## Why\n\n" + why;
  }

  static String claims(List<Claim> claims) {
    MarkdownTable table = new MarkdownTable(List.of("what the paper says", "paper", "here", "met"));
    for (Claim claim : claims) {
      table.add(
          List.of(claim.what(), claim.paper(), claim.here(), claim.reached() ? "yes" : "**no**"));
    }
    return table.render();
  }

  static List<Consistency> consistencies() {
    return Ddp.ofPaper().stream().map(Ddp::consistency).distinct().toList();
  }

  /** What is written under a group of bars, where there is little room. */
  static String label(Consistency consistency) {
    return switch (consistency) {
      case LINEARIZABLE -> "linear";
      case READ_ENFORCED -> "read-enf.";
      case TRANSACTIONAL -> "transact.";
      default -> consistency.id();
    };
  }

  /** The median, or NaN if there is none. */
  static double median(Optional<Spread> spread) {
    return spread.map(Spread::median).orElse(Double.NaN);
  }

  static String number(double value) {
    return Double.isNaN(value) ? Numbers.NOT_AVAILABLE : Numbers.plain(value);
  }

  static String percent(double share) {
    return Double.isNaN(share)
        ? Numbers.NOT_AVAILABLE
        : String.format(Locale.ROOT, "%.0f %%", share * 100);
  }

  /** How much more one is than another, in percent with its sign. */
  static String change(double ratio) {
    return Double.isNaN(ratio)
        ? Numbers.NOT_AVAILABLE
        : String.format(Locale.ROOT, "%+d %%", Math.round((ratio - 1) * 100));
  }

  /** Settings of a model, with records of their own where it has transactions. */
  static TimingSettings settings(Ddp model, TimingSettings settings) {
    return model.consistency() == Consistency.TRANSACTIONAL
        ? settings.with(settings.load().with(TimingSettings.Records.TRANSACTIONAL))
        : settings;
  }

  static String csv(TimingFindings findings) {
    StringBuilder csv =
        new StringBuilder(
            "setting,model,seed,per_second,reads,read_mean_ns,read_p95_ns,writes,write_mean_ns,write_p95_ns,reads_stalled,transactions_conflicted,aborts_per_transaction,updates_held,nvm_use,network_use\n");
    findings
        .results()
        .forEach(
            (place, results) -> {
              for (int seed = 1; seed <= results.size(); seed++) {
                csv.append(line(place, seed, results.get(seed - 1)));
              }
            });
    return csv.toString();
  }

  private static String line(TimingCase.Place place, int seed, TimingResult result) {
    return String.format(
        Locale.ROOT,
        "%s,%s,%d,%.0f,%d,%.2f,%.0f,%d,%.2f,%.0f,%.5f,%.5f,%.5f,%.4f,%.4f,%.5f\n",
        place.setting(),
        place.model().id(),
        seed,
        result.perSecond(),
        result.reads().count(),
        result.reads().meanNanos(),
        result.reads().tailNanos(),
        result.writes().count(),
        result.writes().meanNanos(),
        result.writes().tailNanos(),
        result.waits().readsStalled(),
        result.waits().conflicted(),
        result.waits().abortsPerTransaction(),
        result.waits().held(),
        result.use().nvm(),
        result.use().network());
  }

  /** A value of a persistency in a group. */
  interface Value {
    Optional<Spread> of(int group, Persistency persistency);
  }

  /**
   * One bar for each persistency in each group, as in the paper.
   *
   * @param top the axis goes at least to here
   */
  static BarChart bars(String title, List<String> groups, double top, Value value) {
    List<BarChart.Bars> bars = new ArrayList<>();
    double highest = top;
    for (Persistency persistency : Persistency.ofPaper()) {
      List<Optional<Spread>> values = new ArrayList<>();
      for (int group = 0; group < groups.size(); group++) {
        Optional<Spread> each = value.of(group, persistency);
        values.add(each);
        highest = Math.max(highest, each.map(Spread::max).orElse(0.0));
      }
      bars.add(new BarChart.Bars(persistency.id(), Style.at(bars.size()), values));
    }
    return new BarChart(title, groups, "", Axis.fromZero("to " + BASE.id(), highest), bars);
  }
}
