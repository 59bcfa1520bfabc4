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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.Fabricated;
import org.orcagrid.bench.Golden;
import org.orcagrid.bench.chart.Point;
import org.orcagrid.bench.reproduce.Reproduction.Effort;

final class ReproductionTest {
  private static final double SECONDS_PER_RUN_OVERHEAD = 0.5;

  static List<ExperimentReproduction> all() {
    return Reproduction.all().stream()
        .flatMap(each -> each instanceof OrcaFig7 both ? both.parts().stream() : Stream.of(each))
        .filter(ExperimentReproduction.class::isInstance)
        .map(ExperimentReproduction.class::cast)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("all")
  void writesItsPageAndChart(ExperimentReproduction reproduction) throws IOException {
    ExperimentPlan plan =
        reproduction.plan(new Effort(true, List.of(0.0, 2.0), new ExperimentPlan.Servers(3, 0)));
    ExperimentResult result = Fabricated.of(plan);
    Golden.check(reproduction.id() + ".md", reproduction.page(result, Fabricated.MACHINE));
    Golden.check(reproduction.id() + ".svg", reproduction.chart(result, Fabricated.MACHINE));
  }

  @ParameterizedTest
  @MethodSource("all")
  void needsLessThanAMinuteWhenQuick(ExperimentReproduction reproduction) {
    ExperimentPlan plan =
        reproduction.plan(new Effort(true, List.of(0.0), new ExperimentPlan.Servers(3, 0)));
    double each =
        plan.load().time().warmUpSeconds()
            + plan.load().time().measuredSeconds()
            + SECONDS_PER_RUN_OVERHEAD;
    assertTrue(plan.measurements() * each < 45, plan.measurements() + " runs of " + each + " s");
  }

  @Test
  void scalingIsJudgedByTheBusiestServer() throws IOException {
    OrcaScaling scaling = new OrcaScaling();
    Map<Integer, ExperimentResult> results = new LinkedHashMap<>();
    for (int size : scaling.sizes(true)) {
      results.put(size, Fabricated.of(scaling.plan(true, size)));
    }
    Golden.check("orca-scaling.md", scaling.page(results, Fabricated.MACHINE));
    Golden.check("orca-scaling.csv", scaling.csv(results));
  }

  @Test
  void interpolatesACurve() {
    Curve curve = new Curve(List.of(new Point(2, 1), new Point(4, 3), new Point(3.5, 10)));
    assertEquals(new Point(4, 3), curve.peak());
    assertEquals(OptionalDouble.of(2), curve.latencyAt(3));
    assertEquals(OptionalDouble.of(1), curve.latencyAt(1));
    assertEquals(OptionalDouble.empty(), curve.latencyAt(5));
  }
}
