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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.compare.ComparePlan;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.compare.process.Latencies;
import org.orcagrid.bench.ddp.ModelExperiment;
import org.orcagrid.bench.ddp.ModelPlan;
import org.orcagrid.bench.ddp.ModelResult;
import org.orcagrid.bench.report.Machine;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.ddp.model.Ddp;

/** The pages of the models that run for real, from figures that were made up. */
@Timeout(120)
final class ModelFiguresTest {
  private static final Machine MACHINE = new Machine("cpu", 2, 1, "Linux", "JVM", 1, 1, 1);

  @TempDir private Path folder;

  /** The base has 1000 and 2000 requests a second, each model after it 1000 more. */
  private static ModelResult result(ModelPlan plan) {
    Map<Ddp, List<Rate>> rates = new LinkedHashMap<>();
    double factor = 1;
    for (Ddp model : plan.models()) {
      double more = model.equals(plan.base()) ? 1 : ++factor;
      rates.put(model, List.of(rate(1000 * more, 0), rate(2000 * (more + 1), 3)));
    }
    return new ModelResult(plan, rates);
  }

  private static Rate rate(double perSecond, long disturbances) {
    return new Rate(perSecond, 500, disturbances, Latencies.none());
  }

  private static List<String> lines(String page) {
    return page.lines().map(line -> line.replaceAll(" +", " ")).toList();
  }

  @Test
  void table1HasThePapersRatiosBesideOurs() {
    DdpTable1 table = new DdpTable1();
    ModelResult result = result(table.plan(true));
    List<String> page = lines(table.page(result, MACHINE));
    assertTrue(
        page.contains("| yes | yes | linearizable/synchronous | 2.50 (1.00..4.00) | 1.00 | 1.00 |"),
        page::toString);
    assertTrue(
        page.contains(
            "| yes | no | linearizable/eventual | 4.00 (2.00..6.00) | 1.32 | 1.75 (1.50..2.00) |"),
        page::toString);
    assertTrue(page.stream().anyMatch(line -> line.contains("| 4.08 |")), page::toString);
    assertTrue(table.chart(result, MACHINE).contains("paper"));
  }

  @Test
  void allModelsThatAreBoundAreMeasured() {
    DdpReal figure = new DdpReal();
    ModelPlan plan = figure.plan(true);
    assertEquals(25, plan.models().size());
    ModelResult result = result(plan);
    List<String> page = lines(figure.page(result, MACHINE));
    assertEquals(2, page.stream().filter(line -> line.startsWith("| transactional |")).count());
    assertTrue(
        page.stream().noneMatch(line -> line.startsWith("| release")), "not bound, not measured");
    assertTrue(
        page.contains(
            "Transactions that were aborted, in all turns of all transactional models: 15."),
        page::toString);
    assertEquals(1 + 2 * 25, figure.csv(result).lines().count());
    assertTrue(figure.csv(result).contains("\nlinearizable/synchronous,1,1000,500,0\n"));
    assertTrue(figure.chart(result, MACHINE).contains("read-enforced"));
  }

  @Test
  void theBaseIsMeasuredAndThereAreRounds() {
    ModelPlan plan = new DdpTable1().plan(false);
    assertThrows(IllegalArgumentException.class, () -> plan.withRounds(0));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new ModelPlan(
                List.of(), plan.base(), plan.writePercent(), 10, plan.clients(), plan.time()));
  }

  @Test
  void realNodesServeModelsWithTransactionsAndScopes()
      throws IOException, InterruptedException, CommandFailure {
    List<Ddp> models = new ArrayList<>();
    for (String id : List.of("linearizable/synchronous", "causal/scope", "transactional/scope")) {
      models.add(Ddp.parse(id));
    }
    ModelPlan plan =
        new ModelPlan(models, models.get(0), 50, 300, 2, new ComparePlan.Time(1, 0, 0.3));
    ModelResult result = ModelExperiment.run(plan, folder, said -> {});
    for (Ddp model : models) {
      assertTrue(result.spread(model, Rate::perCpuSecond).orElseThrow().max() > 0, model.id());
    }
  }
}
