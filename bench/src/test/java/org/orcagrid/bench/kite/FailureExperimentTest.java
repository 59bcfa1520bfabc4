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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;

final class FailureExperimentTest {
  private static final KitePlan.Grid SMALL = new KitePlan.Grid(3, 2, 4, 50, 32);
  private static final FailureResult.Counts NOTHING = new FailureResult.Counts(0, 0, 0, 0, 0);

  @Test
  void aNodeSleepsAndNobodySeesWhatIsWrong() throws IOException, InterruptedException {
    FailurePlan plan =
        new FailurePlan(SMALL, FailurePlan.PAPER, new FailurePlan.Timing(2, 20, 40, 40, 5), 2, 1);
    List<String> said = new ArrayList<>();
    FailureResult result = FailureExperiment.run(plan, said::add);
    assertEquals(List.of("warm-up", "round 1 of 2", "round 2 of 2"), said);
    assertEquals(0, result.checks().violations());
    assertTrue(result.checks().all() > 0, "values were looked at");
    assertTrue(result.checks().bySleeperAwake() > 0, "also by the node that slept");
    for (FailureResult.Round round : result.rounds()) {
      assertTrue(round.sleptMs() >= 40, "it slept " + round.sleptMs() + " ms");
      assertEquals(20, round.rates().get(0).size());
      // What it did in the milliseconds in which it fell asleep is in the first point.
      assertEquals(Collections.nCopies(7, 0.0), round.rates().get(plan.sleeper()).subList(5, 12));
    }
  }

  private static FailureResult of(Double... others) {
    FailurePlan plan =
        new FailurePlan(SMALL, FailurePlan.PAPER, new FailurePlan.Timing(10, 20, 40, 10, 5), 1, 0);
    List<Double> sleeper = new ArrayList<>(Collections.nCopies(others.length, 0.0));
    // Before its sleep, and in the last point after it.
    Collections.fill(sleeper.subList(0, 4), 10.0);
    sleeper.set(others.length - 1, 10.0);
    return new FailureResult(
        plan,
        List.of(
            new FailureResult.Round(
                List.of(List.of(others), List.of(others), sleeper), 40, NOTHING)),
        new FailureResult.Checks(1, 1, 0),
        1);
  }

  @Test
  void theOthersAreBackWhenTheyHaveFourFifthsAgain() {
    FailureResult result =
        of(
            10., 10., 5., 10., /* sleeps */ 7., 10., 0., 8., 10., 10., 10., 1., /* awake */ 10.,
            10.);
    assertEquals(List.of(15.0), result.backMs());
    assertEquals(15, result.backMsOfMedians());
    assertEquals(List.of(5.0), result.longestMs(true));
    assertEquals(List.of(5.0), result.longestMs(false));
    assertEquals(List.of(5.0), result.sleeperBackMs());
    assertEquals(new Spread(20, 20, 20), result.during(result.others(), 0, 2));
  }

  @Test
  void aDipLongAfterTheTimeOutIsNotTheSleepers() {
    assertEquals(
        List.of(0.0),
        of(10., 10., 10., 10., 10., 10., 10., 10., 10., 10., 10., 0., 10., 10.).backMs());
  }

  @Test
  void othersThatDoNotComeBackAreSeen() {
    assertEquals(
        List.of(50.0), of(10., 10., 10., 10., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.).backMs());
  }

  @Test
  void twoNodesCannotGoOnWithoutOne() {
    KitePlan.Grid two = new KitePlan.Grid(2, 2, 4, 50, 32);
    FailurePlan.Timing timing = new FailurePlan.Timing(10, 20, 40, 10, 5);
    assertThrows(
        IllegalArgumentException.class,
        () -> new FailurePlan(two, FailurePlan.PAPER, timing, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new FailurePlan.Timing(0, 20, 40, 10, 5));
  }

  @Test
  void aConsumerFindsThatWhatWasReleasedIsNotThere() throws IOException, InterruptedException {
    long firstKey = SMALL.keys();
    BenchGrid.Setting setting =
        new BenchGrid.Setting(10_000_000, 20_000_000, 2, CheckingSession.KEYS);
    try (BenchGrid grid = BenchGrid.start(false, SMALL, setting);
        NodeSession liar = grid.openSession(0)) {
      // A flag that says that batches were written; none was.
      Request release = liar.next();
      release.kind(OperationKind.RELEASE);
      release.key().room(Long.BYTES).putLong(0, firstKey);
      release.key().length(Long.BYTES);
      release.value().room(Long.BYTES).putLong(0, 1000);
      release.value().length(Long.BYTES);
      liar.submit(release);
      assertTrue(liar.await(release, TimeUnit.SECONDS.toNanos(60)));
      FlagConsumer consumer = new FlagConsumer(grid.openSession(1), firstKey, 1, 1);
      consumer.start();
      while (consumer.checks() < 100 && grid.failure() == null) {
        Thread.onSpinWait();
      }
      ClosedLoop.stop(List.of(consumer), grid, "the consumer");
      assertTrue(consumer.violations() > 0);
    }
  }
}
