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
package org.orcagrid.bench.kite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;

/** A contender: its grid, and the sessions that load it while it is its turn. */
final class GridLoad implements AutoCloseable {
  private static final double RAMP_SHARE = 0.2;
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Contender contender;
  private final BenchGrid grid;
  private final List<SessionDriver> drivers = new ArrayList<>();

  /**
   * What was seen in one turn.
   *
   * @param rate accesses of all nodes
   * @param slowReleases slow releases meanwhile
   * @param dropped messages that found their link full meanwhile
   */
  record Turn(KiteResult.Rate rate, long slowReleases, long dropped) {}

  GridLoad(Contender contender, KitePlan.Grid plan) throws IOException {
    this.contender = contender;
    this.grid = BenchGrid.start(contender.zab(), plan);
    for (int node = 0; node < plan.nodes(); node++) {
      for (int i = 0; i < plan.sessions(); i++) {
        drivers.add(new SessionDriver(grid.openSession(node), plan, null, drivers.size()));
      }
    }
  }

  Contender contender() {
    return contender;
  }

  /** Loads the grid for a while; nothing is under way before and after. */
  Turn run(double writePercent, double seconds) throws InterruptedException {
    long slow = grid.slowReleases();
    long dropped = grid.droppedMessages();
    Mix mix = contender.mix().withWrites(writePercent);
    drivers.forEach(driver -> driver.start(mix));
    pause(seconds * RAMP_SHARE);
    long beginNanos = System.nanoTime();
    long[] beginCpuNanos = grid.cpuNanos();
    long begin = done();
    pause(seconds);
    double made = done() - begin;
    double took = System.nanoTime() - beginNanos;
    long[] cpuNanos = grid.cpuNanos();
    Arrays.setAll(cpuNanos, node -> cpuNanos[node] - beginCpuNanos[node]);
    LongSummaryStatistics cpu = Arrays.stream(cpuNanos).summaryStatistics();
    stop();
    return new Turn(
        new KiteResult.Rate(
            made / took * SECOND_NANOS,
            made / cpu.getSum() * SECOND_NANOS,
            made / cpu.getMax() * SECOND_NANOS),
        grid.slowReleases() - slow,
        grid.droppedMessages() - dropped);
  }

  private static void pause(double seconds) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep((long) (seconds * SECOND_NANOS));
  }

  private long done() {
    return drivers.stream().mapToLong(SessionDriver::done).sum();
  }

  private void stop() throws InterruptedException {
    ClosedLoop.stop(drivers, grid, contender.title());
  }

  @Override
  public void close() {
    grid.close();
  }
}
