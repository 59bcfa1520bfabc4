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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.orcagrid.bench.faults.FaultRun;
import org.orcagrid.bench.faults.FaultSequence;
import org.orcagrid.bench.faults.SequenceOutcome;
import org.orcagrid.bench.faults.Table3Script;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.reproduce.OrcaTable3;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.examples.ensemble.Folders;

/**
 * Runs every system of Table 3 through the same sequences, one system after the other, and writes
 * what is known after each sequence, so that a run that is broken off has its results.
 */
final class FaultExperiment {
  private final OrcaTable3 table;
  private final int servers;
  private final SortedMap<Long, FaultSequence> sequences;
  private final ResultFolder folder;
  private final Map<String, List<SequenceOutcome>> outcomes;

  /**
   * An experiment.
   *
   * @param sequences by number
   * @param outcomes what is known already, by system; it is gone on from there
   */
  FaultExperiment(
      OrcaTable3 table,
      int servers,
      SortedMap<Long, FaultSequence> sequences,
      Map<String, List<SequenceOutcome>> outcomes,
      ResultFolder folder) {
    this.table = table;
    this.servers = servers;
    this.sequences = new TreeMap<>(sequences);
    this.outcomes = new LinkedHashMap<>(outcomes);
    this.folder = folder;
  }

  /** Returns the outcomes of each system by its id, of those systems that {@code ids} names. */
  Map<String, List<SequenceOutcome>> run(Set<String> ids, Machine machine, Progress progress)
      throws IOException, InterruptedException {
    Set<String> done = new HashSet<>();
    for (OrcaTable3.Row row : table.rows()) {
      SystemSpec system = row.system();
      if (ids.contains(system.id()) && done.add(system.id())) {
        run(system, machine, progress);
      }
    }
    return outcomes;
  }

  private void run(SystemSpec system, Machine machine, Progress progress)
      throws IOException, InterruptedException {
    List<SequenceOutcome> all = new ArrayList<>(outcomes.getOrDefault(system.id(), List.of()));
    outcomes.put(system.id(), all);
    SortedMap<Long, FaultSequence> left = new TreeMap<>(sequences);
    all.forEach(known -> left.remove(known.number()));
    if (left.isEmpty()) {
      write(machine);
      return;
    }
    Files.createDirectories(folder.serverData());
    Path home = Files.createTempDirectory(folder.serverData(), "faults-");
    try (FaultRun<Table3Script> run = FaultRun.start(system, servers, home, Table3Script::new)) {
      for (Map.Entry<Long, FaultSequence> next : left.entrySet()) {
        run.script().begin();
        run.run(next.getValue());
        SequenceOutcome outcome = run.script().outcome(next.getKey(), next.getValue());
        all.add(outcome);
        progress.say(
            String.format(
                Locale.ROOT,
                "%s %d/%d %s: %s, %d reads, %.1f s",
                system.title(),
                all.size(),
                sequences.size(),
                outcome.sequence(),
                outcome.nonMonotonic() ? "NON-MONOTONIC" : "correct",
                outcome.reads(),
                outcome.millis() / 1e3));
        write(machine);
      }
    } finally {
      Folders.delete(home);
    }
  }

  private void write(Machine machine) throws IOException {
    folder.write(
        "README.md", table.page(outcomes, servers, machine) + "\n![The chart](chart.svg)\n");
    folder.write("data.csv", table.csv(outcomes));
    folder.write("chart.svg", table.chart(outcomes, machine));
  }
}
