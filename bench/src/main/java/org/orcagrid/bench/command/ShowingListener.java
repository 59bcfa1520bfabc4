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

import java.util.Locale;
import org.orcagrid.bench.Cell;
import org.orcagrid.bench.ExperimentListener;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.Measurement;

/** Shows an experiment's progress, one lasting line per measurement. */
final class ShowingListener implements ExperimentListener {
  private final Progress progress;
  private final int total;
  private int done;

  ShowingListener(Progress progress, ExperimentPlan plan) {
    this.progress = progress;
    this.total = plan.measurements();
  }

  @Override
  public void starting(double fsyncDelayMs) {
    progress.say("Starting the ensembles, added fsync delay " + fsyncDelayMs + " ms ...");
  }

  @Override
  public void heating(Cell cell, double share, double requestsPerSecond) {
    progress.update("warming up " + cell.system(), share, requestsPerSecond);
  }

  @Override
  public void progress(Cell cell, int round, double share, double requestsPerSecond) {
    progress.update(what(cell, round), share, requestsPerSecond);
  }

  @Override
  public void measured(Measurement measurement) {
    done++;
    String errors =
        measurement.result().errors() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                ", %d errors (first: %s)",
                measurement.result().errors(),
                measurement.result().firstError());
    progress.say(
        String.format(
            Locale.ROOT,
            "%3d/%d %-34s %8.0f requests/s%s",
            done,
            total,
            what(measurement.cell(), measurement.round()),
            measurement.result().throughput(),
            errors));
  }

  private static String what(Cell cell, int round) {
    return String.format(
        Locale.ROOT,
        "%s, %s, %d clients, round %d",
        cell.workload(),
        cell.system(),
        cell.clients(),
        round);
  }
}
