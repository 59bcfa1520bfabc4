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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.orcagrid.bench.ddp.Finding;
import org.orcagrid.bench.ddp.ModelSurvey;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.model.Table4;

/** DDP's Table 4: what each model keeps when nodes and power fail, found out in the simulator. */
public record DdpTable4() implements Reproduction {
  private static final int REASON_LENGTH_MAX = 160;

  private static final String HOW_TO_READ =
      """
      - **Tick**: the model promises it, and no seed has shown otherwise. **Cross**: so many seeds
        have shown a violation; in brackets the first of them. **?**: not promised, and no seed of
        these has shown why. With fewer than 20,000 seeds a tick says less than it should.
      - **Durability** is high if what has completed survives, otherwise medium if what was read
        survives, otherwise low. Where there are scopes, a write has completed when its scope was
        persisted; where there are transactions, with its transaction.
      - **Monotonic reads** are ordered by what happened before: a read shows no older version of a
        key than one that its client has read before, at whatever node, or can know of through what
        it has read. Crashes are included: what a crash takes after it was read is a violation.
      - **For all** is the stricter reading: of two reads anywhere, the later one in real time shows
        no older version. The paper words it that way and gives a tick to Causal. But a causal read
        answers from its node's own copy, and another node may have shown more already: nobody can
        rule that out without waiting for other nodes, which Causal does not do. So the paper's
        column stands beside the first reading, and the second one has a column of its own.
      - **Not stale**: a read shows what had completed before it began.
      - With **release** consistency all this is said of any read and write, relaxed ones included.
        What acquires and releases promise is judged besides: where nothing can have been lost, the
        axioms of release consistency; with strict and synchronous persistency, that a release which
        has completed survives with all that its session had written before.
      - All this assumes that the nodes which served last come back with their durable media.
      - **none** persistency, memory only, is ours: the paper has no row for it, so it stands in the
        table of all models alone. It promises nothing here, since the loss of all nodes takes all;
        that nothing is there then, and that what waits for all nodes survives while one that serves
        is left, is judged besides.
      - The paper's column on performance is `orca reproduce ddp-fig6`.
      """;

  @Override
  public String id() {
    return "ddp-table4";
  }

  @Override
  public String title() {
    return "DDP, Table 4: what the models keep when nodes and power fail";
  }

  /** Returns the command that runs a seed again and tells what happens. */
  public static String replay(Ddp model, long seed) {
    return "orca simulate --model " + model.id() + " --first " + seed + " --seeds 1 --trace";
  }

  /** Returns what has come out of a model, in one line. */
  public String line(ModelSurvey survey) {
    return survey.model().id()
        + ": "
        + survey.seeds()
        + " seeds, "
        + survey.operations()
        + " operations, durability "
        + survey.durability()
        + survey.broken().map(each -> ", BROKEN by seed " + each.firstSeed()).orElse("")
        + (survey.failed().isEmpty() ? "" : ", NOT KEPT: " + survey.failed());
  }

  /** Returns the page. */
  public String page(List<ModelSurvey> surveys) {
    long seeds = surveys.get(0).seeds();
    StringBuilder page = new StringBuilder("# " + title() + "\n\n");
    page.append(
        "Each model runs over the seeds 1 to "
            + seeds
            + " in the simulator: 1 to 5 nodes, clients that move from one to another, nodes that"
            + " lose power one by one and all at once, links that are cut and that lose, double and"
            + " delay messages. Every history is judged. The result is the same on any"
            + " machine.\n\n");
    page.append("## The paper's rows\n\n").append(paperTable(surveys)).append('\n');
    for (ModelSurvey survey : surveys) {
      if (Table4.of(survey.model()).map(row -> isStronger(survey, row)).orElse(false)) {
        page.append(survey.model().id()).append(": ").append(reason(survey.model())).append("\n\n");
      }
    }
    page.append("## All models\n\n").append(allTable(surveys)).append('\n');
    page.append(failureList(surveys));
    page.append("## How to read it\n\n").append(HOW_TO_READ).append('\n');
    page.append("## A seed again\n\n").append(replayExample(surveys)).append('\n');
    return page.toString();
  }

  private static String paperTable(List<ModelSurvey> surveys) {
    Map<Integer, List<String>> rows = new TreeMap<>();
    for (ModelSurvey survey : surveys) {
      Table4.of(survey.model()).ifPresent(row -> rows.put(row.number(), cells(survey, row)));
    }
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "model",
                "row",
                "durability",
                "the paper's",
                "monotonic reads",
                "the paper's",
                "not stale",
                "the paper's",
                "beside the paper"));
    rows.values().forEach(table::add);
    return table.render();
  }

  private static List<String> cells(ModelSurvey survey, Table4 row) {
    return List.of(
        survey.model().id(),
        Integer.toString(row.number()),
        survey.durability().toString(),
        row.durability().toString(),
        mark(survey, Promise.MONOTONIC_READS),
        tick(row.intuition().monotonicReads()),
        mark(survey, Promise.NON_STALE_READS),
        tick(row.intuition().nonStaleReads()),
        isWeaker(survey, row) ? "WEAKER" : isStronger(survey, row) ? "stronger" : "equal");
  }

  private static boolean isWeaker(ModelSurvey survey, Table4 row) {
    Set<Promise> kept = survey.kept();
    return survey.durability().compareTo(row.durability()) < 0
        || (row.intuition().monotonicReads() && !kept.contains(Promise.MONOTONIC_READS))
        || (row.intuition().nonStaleReads() && !kept.contains(Promise.NON_STALE_READS));
  }

  private static boolean isStronger(ModelSurvey survey, Table4 row) {
    Set<Promise> kept = survey.kept();
    return survey.durability().compareTo(row.durability()) > 0
        || (!row.intuition().monotonicReads() && kept.contains(Promise.MONOTONIC_READS))
        || (!row.intuition().nonStaleReads() && kept.contains(Promise.NON_STALE_READS));
  }

  private static String reason(Ddp model) {
    return switch (model.id()) {
      case "eventual/synchronous" ->
          "durability is medium here and low in the paper, which counts that nobody knows when a"
              + " write reaches the other nodes. Ours persists a version at a node before it shows"
              + " it there, and when all nodes come back, those that served last put their media"
              + " together and keep the latest version of each key: what was read is never lost.";
      default -> "stronger than the paper's row, and nobody has said why yet.";
    };
  }

  private static String allTable(List<ModelSurvey> surveys) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "model",
                "completed survives",
                "read survives",
                "monotonic reads",
                "for all",
                "not stale",
                "durability"));
    for (Ddp model : Ddp.all()) {
      for (ModelSurvey survey : surveys) {
        if (survey.model().equals(model)) {
          List<String> row = new ArrayList<>(List.of(model.id()));
          for (Promise promise : Promise.values()) {
            row.add(mark(survey, promise));
          }
          row.add(survey.durability().toString());
          table.add(row);
        }
      }
    }
    return table.render();
  }

  private static String mark(ModelSurvey survey, Promise promise) {
    Finding finding = survey.missed().get(promise);
    if (finding != null) {
      return tick(false) + " " + finding.seeds() + " (" + finding.firstSeed() + ")";
    }
    return survey.open().contains(promise) ? "?" : tick(true);
  }

  private static String tick(boolean yes) {
    return yes ? "✔" : "✘";
  }

  private String failureList(List<ModelSurvey> surveys) {
    List<String> failures = failures(surveys);
    return failures.isEmpty()
        ? ""
        : failures.stream().collect(Collectors.joining("\n- ", "## Failures\n\n- ", "\n\n"));
  }

  /** Returns what must not be, one sentence each with how to see it again. */
  public List<String> failures(List<ModelSurvey> surveys) {
    List<String> failures = new ArrayList<>();
    for (ModelSurvey survey : surveys) {
      Ddp model = survey.model();
      survey
          .broken()
          .ifPresent(each -> failures.add(failure(model, each, "does what no model may")));
      for (Promise promise : survey.failed()) {
        Finding finding = survey.missed().get(promise);
        failures.add(failure(model, finding, "does not keep that " + promise.sentence()));
      }
    }
    return failures;
  }

  private static String failure(Ddp model, Finding finding, String what) {
    String reason = finding.example().lines().findFirst().orElse("");
    String brief =
        reason.length() > REASON_LENGTH_MAX ? reason.substring(0, REASON_LENGTH_MAX) + "…" : reason;
    return String.format(
        "%s %s; seeds: %d, the first %d (%s); '%s' tells it.",
        model.id(),
        what,
        finding.seeds(),
        finding.firstSeed(),
        brief,
        replay(model, finding.firstSeed()));
  }

  private static String replayExample(List<ModelSurvey> surveys) {
    for (ModelSurvey survey : surveys) {
      Finding stale = survey.missed().get(Promise.NON_STALE_READS);
      if (stale != null) {
        return "The first cross of "
            + survey.model().id()
            + " under \"not stale\", with all that happens:\n\n    "
            + replay(survey.model(), stale.firstSeed())
            + "\n\n"
            + "Any other one likewise, with its model and its seed; `data.csv` has an example of"
            + " each.\n";
      }
    }
    return "    " + replay(surveys.get(0).model(), 1) + "\n";
  }

  /** Returns what was found, one model and promise a line. */
  public String csv(List<ModelSurvey> surveys) {
    StringBuilder csv =
        new StringBuilder("model,paper_row,promise,promised,seeds,missed,first_seed,example\n");
    for (ModelSurvey survey : surveys) {
      Ddp model = survey.model();
      for (Promise promise : Promise.values()) {
        line(csv, survey, promise.name(), promise.isMadeBy(model), survey.missed().get(promise));
      }
      line(csv, survey, "WHAT_ALL_MUST", true, survey.broken().orElse(null));
    }
    return csv.toString();
  }

  private static void line(
      StringBuilder csv, ModelSurvey survey, String what, boolean promised, Finding finding) {
    String row = Table4.of(survey.model()).map(each -> "" + each.number()).orElse("");
    String head =
        String.join(
            ",",
            survey.model().id(),
            row,
            what.toLowerCase(Locale.ROOT),
            Boolean.toString(promised),
            Long.toString(survey.seeds()));
    csv.append(head);
    csv.append(
        finding == null
            ? ",0,,"
            : "," + finding.seeds() + "," + finding.firstSeed() + "," + quoted(finding.example()));
    csv.append('\n');
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"").replace('\n', ' ') + '"';
  }
}
