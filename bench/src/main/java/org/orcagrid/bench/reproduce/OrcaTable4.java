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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.orcagrid.bench.chart.Axis;
import org.orcagrid.bench.chart.BarChart;
import org.orcagrid.bench.chart.Panel;
import org.orcagrid.bench.chart.Style;
import org.orcagrid.bench.chart.SvgDocument;
import org.orcagrid.bench.faults.CaseStudy.Application;
import org.orcagrid.bench.faults.CaseStudyOutcome;
import org.orcagrid.bench.report.Conditions;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.Systems;

/** The paper's Table 4: what the users of two applications see. */
public record OrcaTable4() implements Reproduction {

  /** One application on one system. */
  public record Case(Application application, SystemSpec system) {}

  /** In percent of all looks. */
  private record Shares(double inconsistent, double old, double latest) {
    static Shares of(CaseStudyOutcome outcome) {
      double looks = outcome.looks();
      return new Shares(
          100 * outcome.inconsistent() / looks,
          100 * outcome.old() / looks,
          100 * outcome.latest() / looks);
    }
  }

  @Override
  public String id() {
    return "orca-table4";
  }

  @Override
  public String title() {
    return "ORCA, Table 4: location tracking and Retwis while servers fail";
  }

  /** Returns what is to be run, in the paper's order. */
  public List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Application application : Application.values()) {
      for (String system : List.of("weak-zk", "strong-zk", "orca")) {
        cases.add(new Case(application, Systems.named(system)));
      }
    }
    return cases;
  }

  private static Shares paper(Case each) {
    boolean location = each.application() == Application.LOCATION;
    return switch (each.system().id()) {
      case "weak-zk" -> location ? new Shares(13, 39, 48) : new Shares(8, 20, 72);
      case "strong-zk" -> new Shares(0, 0, 100);
      case "orca" -> location ? new Shares(0, 7, 93) : new Shares(0, 12, 88);
      default -> throw new IllegalArgumentException(each.system().id());
    };
  }

  /** Returns the page. */
  public String page(
      Map<Case, CaseStudyOutcome> outcomes, int servers, int sequences, Machine machine) {
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append("Machine: ").append(Conditions.machine(machine)).append("\n\n");
    page.append(
        String.format(
            Locale.ROOT,
            "%d servers as processes on this one machine go through %d sequences of faults like"
                + " those of Table 3: crashes that lose what was not forced to disk, and followers"
                + " that are cut off for a while. Each look, at one user's place or at one"
                + " timeline of seven users, goes to a server chosen at random, the one that is cut"
                + " off included.%n%n",
            servers,
            sequences));
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "application",
                "system",
                "looks",
                "inconsistent, %",
                "the paper's",
                "consistent (old), %",
                "the paper's",
                "consistent (latest), %",
                "the paper's",
                "taken to another server",
                "not answered"));
    for (Case each : cases()) {
      CaseStudyOutcome outcome = outcomes.get(each);
      if (outcome != null && outcome.looks() > 0) {
        table.add(cells(each, outcome));
      }
    }
    page.append(table.render());
    page.append(
        "\nInconsistent: older than what somebody had seen before. Old: older than the last");
    page.append(" change that was acknowledged, which nobody had seen yet. The paper does not say");
    page.append(" how often its servers failed; the shares of weak-ZK depend on that.\n");
    return page.toString();
  }

  private static List<String> cells(Case each, CaseStudyOutcome outcome) {
    Shares here = Shares.of(outcome);
    Shares paper = paper(each);
    return List.of(
        each.application().title(),
        each.system().title(),
        Long.toString(outcome.looks()),
        percent(here.inconsistent()),
        percent(paper.inconsistent()),
        percent(here.old()),
        percent(paper.old()),
        percent(here.latest()),
        percent(paper.latest()),
        Long.toString(outcome.movedOn()),
        Long.toString(outcome.unanswered()));
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Returns the counts, one case a line. */
  public String csv(Map<Case, CaseStudyOutcome> outcomes) {
    StringBuilder csv =
        new StringBuilder("application,system,inconsistent,old,latest,moved_on,unanswered\n");
    outcomes.forEach(
        (each, outcome) ->
            csv.append(each.application().name().toLowerCase(Locale.ROOT))
                .append(',')
                .append(each.system().id())
                .append(',')
                .append(outcome.inconsistent())
                .append(',')
                .append(outcome.old())
                .append(',')
                .append(outcome.latest())
                .append(',')
                .append(outcome.movedOn())
                .append(',')
                .append(outcome.unanswered())
                .append('\n'));
    return csv.toString();
  }

  /** Returns the shares as bars, a panel for each application. */
  public String chart(Map<Case, CaseStudyOutcome> outcomes, Machine machine) {
    List<Panel> panels = new ArrayList<>();
    for (Application application : Application.values()) {
      Map<String, List<Optional<Spread>>> bars = new LinkedHashMap<>();
      List<String> systems = new ArrayList<>();
      for (Case each : cases()) {
        if (each.application() == application) {
          systems.add(each.system().title());
          CaseStudyOutcome outcome = outcomes.getOrDefault(each, CaseStudyOutcome.NONE);
          Optional<Shares> shares =
              outcome.looks() == 0 ? Optional.empty() : Optional.of(Shares.of(outcome));
          add(bars, "inconsistent", shares.map(Shares::inconsistent));
          add(bars, "old", shares.map(Shares::old));
          add(bars, "latest", shares.map(Shares::latest));
        }
      }
      panels.add(
          new BarChart(
              application.title(),
              systems,
              "system",
              Axis.fromZero("% of looks", 100),
              List.of(
                  new BarChart.Bars("inconsistent", Style.VERMILION, bars.get("inconsistent")),
                  new BarChart.Bars("old", Style.GREY, bars.get("old")),
                  new BarChart.Bars("latest", Style.BLUE, bars.get("latest")))));
    }
    return new SvgDocument(title(), panels, List.of(Conditions.machine(machine))).render();
  }

  private static void add(
      Map<String, List<Optional<Spread>>> bars, String name, Optional<Double> value) {
    bars.computeIfAbsent(name, any -> new ArrayList<>())
        .add(value.map(share -> Spread.of(List.of(share))));
  }
}
