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
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.bench.ddp.ModelSurvey;
import org.orcagrid.bench.ddp.PromiseSurvey;
import org.orcagrid.bench.reproduce.DdpTable4;
import org.orcagrid.cli.CommandFailure;

/** Fills Table 4 of DDP, with progress, and writes what has come out. */
final class PromiseExperiment {
  private final DdpTable4 table;
  private final long seeds;
  private final ResultFolder folder;
  private final long beginNanos = System.nanoTime();
  private long operations;
  private ModelSurvey last;

  PromiseExperiment(DdpTable4 table, long seeds, ResultFolder folder) {
    this.table = table;
    this.seeds = seeds;
    this.folder = folder;
  }

  /**
   * Runs all models.
   *
   * @throws CommandFailure if one of them has not kept what it promises, after all was written
   */
  void run(String howTo, Progress progress, PrintWriter console)
      throws IOException, InterruptedException, CommandFailure {
    List<ModelSurvey> surveys =
        PromiseSurvey.run(PromiseSurvey.models(), seeds, survey -> tell(survey, progress));
    String page = table.page(surveys);
    folder.write("README.md", page + "\n" + howTo);
    folder.write("data.csv", table.csv(surveys));
    folder.finish(page, console);
    List<String> failures = table.failures(surveys);
    if (!failures.isEmpty()) {
      throw new CommandFailure(
          failures.get(0)
              + (failures.size() > 1 ? " There are " + failures.size() + " such cases." : ""));
    }
  }

  private void tell(ModelSurvey survey, Progress progress) {
    boolean same = last != null && last.model().equals(survey.model());
    operations += survey.operations() - (same ? last.operations() : 0);
    last = survey;
    double seconds = (System.nanoTime() - beginNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    progress.update(survey.model().id(), survey.seeds() / (double) seeds, operations / seconds);
    if (survey.seeds() == seeds) {
      progress.say(table.line(survey));
    }
  }
}
