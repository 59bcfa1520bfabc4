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
package org.orcagrid.bench.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.orcagrid.bench.faults.CaseStudy;
import org.orcagrid.bench.faults.CaseStudyOutcome;
import org.orcagrid.bench.faults.FaultRun;
import org.orcagrid.bench.faults.FaultSequence;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.reproduce.OrcaTable4;
import org.orcagrid.examples.ensemble.Folders;

/** Runs the case studies of Table 4, with progress, and writes the results so far as it goes. */
final class CaseStudyExperiment {
  private final OrcaTable4 table;
  private final int servers;
  private final int sequences;
  private final long first;
  private final ResultFolder folder;
  private final Map<OrcaTable4.Case, CaseStudyOutcome> outcomes = new LinkedHashMap<>();

  CaseStudyExperiment(
      OrcaTable4 table, int servers, int sequences, long first, ResultFolder folder) {
    this.table = table;
    this.servers = servers;
    this.sequences = sequences;
    this.first = first;
    this.folder = folder;
  }

  /** Returns the page, which is written as well. */
  String run(Machine machine, Progress progress) throws IOException, InterruptedException {
    for (OrcaTable4.Case each : table.cases()) {
      run(each, machine, progress);
    }
    return table.page(outcomes, servers, sequences, machine);
  }

  private void run(OrcaTable4.Case each, Machine machine, Progress progress)
      throws IOException, InterruptedException {
    Files.createDirectories(folder.serverData());
    Path home = Files.createTempDirectory(folder.serverData(), "cases-");
    try (FaultRun<CaseStudy> run =
        FaultRun.start(each.system(), servers, home, each.application().script(first))) {
      for (int n = 0; n < sequences; n++) {
        FaultSequence sequence = FaultSequence.of(first + n, servers);
        run.run(sequence);
        CaseStudyOutcome soFar = run.script().outcome();
        outcomes.put(each, soFar);
        progress.say(
            String.format(
                Locale.ROOT,
                "%s on %s %d/%d %s: so far %d inconsistent, %d old, %d latest",
                each.application().title(),
                each.system().title(),
                n + 1,
                sequences,
                sequence,
                soFar.inconsistent(),
                soFar.old(),
                soFar.latest()));
        write(machine);
      }
    } finally {
      Folders.delete(home);
    }
  }

  private void write(Machine machine) throws IOException {
    folder.write(
        "README.md",
        table.page(outcomes, servers, sequences, machine) + "\n![The chart](chart.svg)\n");
    folder.write("data.csv", table.csv(outcomes));
    folder.write("chart.svg", table.chart(outcomes, machine));
  }
}
