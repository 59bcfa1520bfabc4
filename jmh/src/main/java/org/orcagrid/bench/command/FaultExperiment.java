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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.orcagrid.bench.faults.FaultRun;
import org.orcagrid.bench.faults.FaultSequence;
import org.orcagrid.bench.faults.SequenceOutcome;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.bench.reproduce.OrcaTable3;
import org.orcagrid.bench.system.SystemSpec;

/**
 * Runs every system of Table 3 through the same sequences, one system after the other, and writes
 * what is known after each sequence, so that a run that is broken off has its results.
 */
final class FaultExperiment {
  private final OrcaTable3 table;
  private final int servers;
  private final int sequences;
  private final long first;
  private final ResultFolder folder;
  private final Map<String, List<SequenceOutcome>> outcomes = new LinkedHashMap<>();

  FaultExperiment(OrcaTable3 table, int servers, int sequences, long first, ResultFolder folder) {
    this.table = table;
    this.servers = servers;
    this.sequences = sequences;
    this.first = first;
    this.folder = folder;
  }

  /** Returns the outcomes of each system by its id. */
  Map<String, List<SequenceOutcome>> run(Machine machine, Progress progress)
      throws IOException, InterruptedException {
    for (OrcaTable3.Row row : table.rows()) {
      if (!outcomes.containsKey(row.system().id())) {
        outcomes.put(row.system().id(), new ArrayList<>());
        run(row.system(), machine, progress);
      }
    }
    return outcomes;
  }

  private void run(SystemSpec system, Machine machine, Progress progress)
      throws IOException, InterruptedException {
    Files.createDirectories(folder.serverData());
    Path home = Files.createTempDirectory(folder.serverData(), "faults-");
    List<SequenceOutcome> all = outcomes.get(system.id());
    try (FaultRun run = FaultRun.start(system, servers, home)) {
      for (int n = 0; n < sequences; n++) {
        all.add(run.run(FaultSequence.of(first + n, servers)));
        SequenceOutcome last = all.get(all.size() - 1);
        progress.say(
            String.format(
                java.util.Locale.ROOT,
                "%s %d/%d %s: %s, %d reads, %.1f s",
                system.title(),
                n + 1,
                sequences,
                last.sequence(),
                last.nonMonotonic() ? "NON-MONOTONIC" : "correct",
                last.reads(),
                last.millis() / 1e3));
        write(machine);
      }
    } finally {
      delete(home);
    }
  }

  private void write(Machine machine) throws IOException {
    folder.write(
        "README.md", table.page(outcomes, servers, machine) + "\n![The chart](chart.svg)\n");
    folder.write("data.csv", table.csv(outcomes));
    folder.write("chart.svg", table.chart(outcomes, machine));
  }

  private static void delete(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
