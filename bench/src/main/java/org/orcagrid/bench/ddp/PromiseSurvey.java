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
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.simulator.ddp.DdpRun;
import org.orcagrid.simulator.ddp.DdpVerdict;

/** Runs models over many seeds. */
public final class PromiseSurvey {
  private static final int SEEDS_OF_A_TASK = 250;

  private PromiseSurvey() {}

  /** Returns the models that can be run. */
  public static List<Ddp> models() {
    return Ddp.all();
  }

  /**
   * Runs each model over the seeds from 1 to {@code seeds}, on all processors. What comes out is in
   * the order of the models and the seeds, however many threads there were.
   *
   * @param progress told now and then, in this thread, what the seeds of a model have shown so far
   */
  public static List<ModelSurvey> run(List<Ddp> models, long seeds, Consumer<ModelSurvey> progress)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<List<Future<ModelSurvey>>> tasks =
          models.stream().map(model -> tasks(model, seeds, pool)).toList();
      List<ModelSurvey> surveys = new ArrayList<>();
      for (int i = 0; i < tasks.size(); i++) {
        ModelSurvey survey = ModelSurvey.none(models.get(i));
        for (Future<ModelSurvey> task : tasks.get(i)) {
          survey = survey.and(task.get());
          progress.accept(survey);
        }
        surveys.add(survey);
      }
      return surveys;
    } catch (ExecutionException e) {
      throw new IllegalStateException("A run has ended by itself", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static List<Future<ModelSurvey>> tasks(Ddp model, long seeds, ExecutorService pool) {
    return LongStream.iterate(1, first -> first <= seeds, first -> first + SEEDS_OF_A_TASK)
        .mapToObj(
            first ->
                pool.submit(
                    () -> survey(model, first, Math.min(first + SEEDS_OF_A_TASK, seeds + 1))))
        .collect(Collectors.toList());
  }

  private static ModelSurvey survey(Ddp model, long first, long end) {
    ModelSurvey survey = ModelSurvey.none(model);
    for (long seed = first; seed < end && !Thread.currentThread().isInterrupted(); seed++) {
      survey = survey.and(ModelSurvey.of(model, seed, verdict(model, seed)));
    }
    return survey;
  }

  private static DdpVerdict verdict(Ddp model, long seed) {
    try {
      return DdpRun.of(seed, model, ReplicaRule.all());
    } catch (RuntimeException e) {
      throw new IllegalStateException("Seed " + seed + " of " + model + " has not ended", e);
    }
  }
}
