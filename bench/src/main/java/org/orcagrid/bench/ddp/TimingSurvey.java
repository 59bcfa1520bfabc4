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
package org.orcagrid.bench.ddp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.orcagrid.simulator.timing.TimingResult;
import org.orcagrid.simulator.timing.TimingRun;

/** Times models over several seeds. */
public final class TimingSurvey {

  /** Is told of what has ended. */
  public interface Listener {
    /** A case has ended with all its seeds. */
    void ended(TimingCase.Place place, List<TimingResult> results);
  }

  private TimingSurvey() {}

  /**
   * Runs each case over the seeds from 1 to {@code seeds}, on all processors. What comes out is the
   * same however many there are.
   *
   * @param listener told in this thread, in the order of the cases
   */
  public static TimingFindings run(List<TimingCase> cases, int seeds, Listener listener)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<List<Future<TimingResult>>> tasks =
          cases.stream().map(each -> tasks(each, seeds, pool)).toList();
      Map<TimingCase.Place, List<TimingResult>> results = new LinkedHashMap<>();
      for (int i = 0; i < cases.size(); i++) {
        List<TimingResult> ofCase = new ArrayList<>();
        for (Future<TimingResult> task : tasks.get(i)) {
          ofCase.add(task.get());
        }
        results.put(cases.get(i).place(), ofCase);
        listener.ended(cases.get(i).place(), ofCase);
      }
      return new TimingFindings(results);
    } catch (ExecutionException e) {
      throw new IllegalStateException("A run has ended by itself", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static List<Future<TimingResult>> tasks(
      TimingCase timed, int seeds, ExecutorService pool) {
    List<Future<TimingResult>> tasks = new ArrayList<>();
    for (int seed = 1; seed <= seeds; seed++) {
      long of = seed;
      tasks.add(
          pool.submit(
              () ->
                  TimingRun.without(timed.without(), of, timed.place().model(), timed.settings())));
    }
    return tasks;
  }
}
