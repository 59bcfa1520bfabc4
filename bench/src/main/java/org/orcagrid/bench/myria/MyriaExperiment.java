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
package org.orcagrid.bench.myria;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a plan, on virtual time. */
public final class MyriaExperiment {
  private static final double COMPLETED = 0.95;
  private static final double FIRST = 400;
  private static final long SEED = 20_210_423;

  private final MyriaPlan plan;
  private final Consumer<String> progress;

  private MyriaExperiment(MyriaPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Measures everything in the plan.
   *
   * @param progress gets a line for each highest rate
   */
  public static MyriaResult run(MyriaPlan plan, Consumer<String> progress) {
    return new MyriaExperiment(plan, progress).run();
  }

  private MyriaResult run() {
    Map<Load, Double> highest = new LinkedHashMap<>();
    Map<Load, Measured> closely = new LinkedHashMap<>();
    Map<Load, Measured> atPapersRate = new LinkedHashMap<>();
    Map<Load, List<Measured>> curves = new LinkedHashMap<>();
    for (Load tracked : plan.loads()) {
      for (Load each : List.of(tracked, tracked.untracked())) {
        double rate = highest(each);
        highest.put(each, rate);
        progress.accept(String.format(Locale.ROOT, "%s: %.0f a second", each, rate));
        if (!plan.curve().isEmpty() && each.isTracked()) {
          curves.put(
              each, plan.curve().stream().map(share -> measure(each, rate * share)).toList());
        }
      }
      if (plan.atShare() > 0) {
        // Both at one rate, so that they are compared.
        double rate = highest.get(tracked) * plan.atShare();
        closely.put(tracked, measure(tracked, rate));
        closely.put(tracked.untracked(), measure(tracked.untracked(), rate));
        double papers = MyriaPlan.PAPERS_RATE * plan.atShare();
        atPapersRate.put(tracked, measure(tracked, papers));
        atPapersRate.put(tracked.untracked(), measure(tracked.untracked(), papers));
      }
    }
    return new MyriaResult(plan, highest, closely, atPapersRate, curves);
  }

  private Measured measure(Load load, double rate) {
    return new MyriaWorld(load, rate, plan.seconds(), MyriaPlan.BUSY, SEED).run();
  }

  private boolean completes(Load load, double rate) {
    return measure(load, rate).completedShare() >= COMPLETED;
  }

  private double highest(Load load) {
    double low = FIRST;
    double high = 2 * FIRST;
    while (completes(load, high)) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < plan.steps(); i++) {
      double middle = (low + high) / 2;
      if (completes(load, middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
