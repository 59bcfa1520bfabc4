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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.bench.Fabricated;
import org.orcagrid.bench.nukv.NukvCase;
import org.orcagrid.bench.nukv.NukvPlan;
import org.orcagrid.bench.nukv.NukvResult;

class NukvFigureTest {
  private static NukvResult fabricated(NukvPlan plan) {
    Map<NukvResult.Place, List<NukvResult.Rate>> rates = new LinkedHashMap<>();
    for (int lag : plan.lagsMillis()) {
      for (NukvPlan.Point point : plan.points()) {
        for (NukvCase line : NukvCase.values()) {
          rates.put(
              new NukvResult.Place(lag, line, point),
              List.of(new NukvResult.Rate(1.5 + lag, 3, 1_000, 2)));
        }
      }
    }
    return new NukvResult(plan, rates);
  }

  @ParameterizedTest
  @EnumSource
  void eachIsDrawnAsItIsAndSlowedDown(NukvFigure figure) {
    NukvPlan plan = figure.plan(false);
    NukvResult result = fabricated(plan);
    String page = figure.page(result, Fabricated.MACHINE);
    assertTrue(page.startsWith("# NuKV, Figure "), page);
    assertTrue(page.contains("## As it is") && page.contains("slowed down by"), page);
    assertTrue(page.contains("without a result: " + result.failed()), page);
    String chart = figure.chart(result, Fabricated.MACHINE);
    assertTrue(chart.contains("M/E HLC"), "the chart has all cases");
    int places = plan.points().size() * NukvCase.values().length * plan.lagsMillis().size();
    assertEquals(places + 1, figure.csv(result).lines().count());
  }

  @ParameterizedTest
  @EnumSource
  void quickIsQuick(NukvFigure figure) {
    NukvPlan plan = figure.plan(true);
    double seconds = plan.seconds() + plan.warmUpSeconds();
    assertTrue(plan.points().size() * NukvCase.values().length * seconds < 45, plan::toString);
  }
}
