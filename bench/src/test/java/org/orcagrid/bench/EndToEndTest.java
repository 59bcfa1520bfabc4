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
package org.orcagrid.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.load.LoadMode;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.LoadResult;
import org.orcagrid.bench.load.LoadRun;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.SystemUnderTest;
import org.orcagrid.bench.system.Systems;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.Workload;

/** One real server process under every kind of load, for about two seconds in total. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
final class EndToEndTest {
  private Path folder;
  private SystemUnderTest system;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException, InterruptedException {
    folder = temporary;
    system =
        new ProcessLauncher(folder)
            .launch(Systems.named("cad"), new ExperimentPlan.Servers(1, 0), 0);
    system.awaitServing();
  }

  @AfterAll
  void stop() throws IOException {
    system.close();
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList(), "files left behind");
    }
  }

  @Test
  void aDelayBetweenServersIsPaidByAWriteThatWaitsForAMajority(@TempDir Path other)
      throws IOException, InterruptedException {
    ExperimentPlan.Servers farApart = new ExperimentPlan.Servers(3, 20);
    try (SystemUnderTest ensemble =
        new ProcessLauncher(other).launch(Systems.named("sync"), farApart, 0)) {
      ensemble.awaitServing();
      LoadPlan plan =
          new LoadPlan(
              Workload.W,
              2,
              LoadPlan.Pacing.closedLoop(),
              ReadsFrom.LEADER,
              new LoadPlan.Time(0.5, 1),
              new LoadPlan.Data(50, 100),
              1);
      LoadResult result = LoadRun.execute(ensemble, plan, "far", (share, rate) -> {});
      assertEquals(0, result.errors(), result.firstError());
      double fastest = result.latencies().of(OperationKind.UPDATE).getMinValue() / 1e6;
      assertTrue(fastest >= 40, "there and back is 40 ms, but one took " + fastest);
    }
  }

  private LoadResult run(Workload workload, LoadPlan.Pacing pacing, double seconds)
      throws IOException, InterruptedException {
    LoadPlan plan =
        new LoadPlan(
            workload,
            2,
            pacing,
            ReadsFrom.LEADER,
            new LoadPlan.Time(0.1, seconds),
            new LoadPlan.Data(50, 100),
            1);
    LoadResult result =
        LoadRun.execute(system, plan, workload + "-" + pacing.mode(), (share, rate) -> {});
    assertEquals(0, result.errors(), result.firstError());
    assertEquals(0, result.missing());
    assertTrue(result.throughput() > 0);
    return result;
  }

  @Test
  void measuresClosedLoopClients() throws IOException, InterruptedException {
    LoadResult result = run(Workload.A, LoadPlan.Pacing.closedLoop(), 0.5);
    assertEquals(List.of(OperationKind.READ, OperationKind.UPDATE), result.latencies().kinds());
  }

  @Test
  void measuresPipelinedClientsThatInsert() throws IOException, InterruptedException {
    LoadResult result = run(Workload.D, new LoadPlan.Pacing(LoadMode.PIPELINED, 8, 0), 0.5);
    assertFalse(result.latencies().of(OperationKind.READ).getTotalCount() == 0);
  }

  @Test
  void keepsARate() throws IOException, InterruptedException {
    LoadResult result = run(Workload.C, new LoadPlan.Pacing(LoadMode.RATE, 100, 200), 1);
    // Answers of a stalled machine may be late, but more than the rate cannot come.
    assertTrue(result.throughput() <= 260, "throughput: " + result.throughput());
  }

  @Test
  void measuresReadModifyWrites() throws IOException, InterruptedException {
    LoadResult result = run(Workload.F, LoadPlan.Pacing.closedLoop(), 0.3);
    assertTrue(result.latencies().kinds().contains(OperationKind.READ_MODIFY_WRITE));
  }
}
