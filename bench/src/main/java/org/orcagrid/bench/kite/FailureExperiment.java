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
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.orcagrid.ddp.node.NodeSession;

/**
 * Loads a grid, puts a node to sleep, and looks at what each node does meanwhile; producers and
 * consumers at all nodes look whether what was released is there.
 */
public final class FailureExperiment implements AutoCloseable {
  private static final int LEAD_MS = 100;
  private static final int SLACK_MS = 1000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String TITLE = "Kite with a node that sleeps";

  // Of each node: a producer, a consumer, and the one that puts the node to sleep.
  private static final int EXTRA_SESSIONS = 3;

  private final FailurePlan plan;
  private final BenchGrid grid;
  private final List<SessionDriver> drivers = new ArrayList<>();
  private final List<FlagProducer> producers = new ArrayList<>();
  private final List<FlagConsumer> consumers = new ArrayList<>();
  private final List<ClosedLoop> loops = new ArrayList<>();
  private final List<Timeline> timelines = new ArrayList<>();
  private final NodeSession sleeping;

  /** What the sleeper's consumer had looked at when it woke; written by that worker. */
  private volatile long checksAtWakeUp;

  private long checksAwake;

  private FailureExperiment(FailurePlan plan) throws IOException {
    this.plan = plan;
    int nodes = plan.grid().nodes();
    FailurePlan.Timing timing = plan.timing();
    long releaseNanos = TimeUnit.MILLISECONDS.toNanos(timing.release());
    grid =
        BenchGrid.start(
            false,
            plan.grid(),
            // Twice the time-out until a message is sent again, as the product has it.
            new BenchGrid.Setting(
                releaseNanos, 2 * releaseNanos, EXTRA_SESSIONS, nodes * CheckingSession.KEYS));
    long firstKey = plan.grid().keys();
    for (int node = 0; node < nodes; node++) {
      Timeline timeline =
          new Timeline(LEAD_MS + timing.before() + timing.sleep() + timing.after() + SLACK_MS);
      timelines.add(timeline);
      for (int i = 0; i < plan.grid().sessions(); i++) {
        drivers.add(
            new SessionDriver(grid.openSession(node), plan.grid(), timeline, drivers.size()));
      }
      producers.add(new FlagProducer(grid.openSession(node), firstKey, node));
      consumers.add(new FlagConsumer(grid.openSession(node), firstKey, nodes, node));
    }
    loops.addAll(drivers);
    loops.addAll(producers);
    loops.addAll(consumers);
    sleeping = grid.openSession(plan.sleeper());
  }

  /**
   * Runs it.
   *
   * @param progress is told what has been done
   */
  public static FailureResult run(FailurePlan plan, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (FailureExperiment experiment = new FailureExperiment(plan)) {
      return experiment.measure(progress);
    }
  }

  private FailureResult measure(Consumer<String> progress) throws InterruptedException {
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    List<FailureResult.Round> rounds = new ArrayList<>();
    for (int number = -plan.warmUpRounds(); number < plan.rounds(); number++) {
      FailureResult.Round round = round();
      if (number >= 0) {
        rounds.add(round);
      }
      progress.accept(number < 0 ? "warm-up" : "round " + (number + 1) + " of " + plan.rounds());
    }
    FailureResult.Checks checks =
        new FailureResult.Checks(
            consumers.stream().mapToLong(FlagConsumer::checks).sum(),
            checksAwake,
            consumers.stream().mapToLong(FlagConsumer::violations).sum());
    return new FailureResult(plan, rounds, checks, loadAverage);
  }

  private FailureResult.Round round() throws InterruptedException {
    FailurePlan.Timing timing = plan.timing();
    FlagConsumer consumer = consumers.get(plan.sleeper());
    Sleeper sleeper =
        new Sleeper(
            sleeping,
            TimeUnit.MILLISECONDS.toNanos(timing.sleep()),
            () -> checksAtWakeUp = consumer.checks());
    int epochs = grid.epoch(plan.sleeper());
    int epochsOfOthers = epochsOfOthers();
    long slow = grid.slowReleases();
    long slowOfSleeper = grid.slowReleases(plan.sleeper());
    long now = System.nanoTime();
    timelines.forEach(timeline -> timeline.reset(now));
    drivers.forEach(driver -> driver.start(plan.load()));
    producers.forEach(CheckingSession::start);
    consumers.forEach(CheckingSession::start);
    TimeUnit.MILLISECONDS.sleep(LEAD_MS + timing.before());
    long slowBefore = grid.slowReleases() - slow;
    long slowOfSleeperBefore = grid.slowReleases(plan.sleeper()) - slowOfSleeper;
    sleeper.begin();
    if (!sleeper.await(PATIENCE_NANOS)) {
      throw new IllegalStateException(TITLE + " has stopped: " + grid.failure(), grid.failure());
    }
    TimeUnit.MILLISECONDS.sleep(timing.after());
    ClosedLoop.stop(loops, grid, TITLE);
    checksAwake += consumer.checks() - checksAtWakeUp;
    long from = sleeper.beganNanos() - TimeUnit.MILLISECONDS.toNanos(timing.before());
    return new FailureResult.Round(
        timelines.stream()
            .map(timeline -> timeline.perSecond(from, timing.bin(), timing.bins()))
            .toList(),
        (sleeper.endedNanos() - sleeper.beganNanos()) / (double) TimeUnit.MILLISECONDS.toNanos(1),
        new FailureResult.Counts(
            slowBefore,
            grid.slowReleases() - slow - slowBefore,
            grid.slowReleases(plan.sleeper()) - slowOfSleeper - slowOfSleeperBefore,
            grid.epoch(plan.sleeper()) - epochs,
            epochsOfOthers() - epochsOfOthers));
  }

  private int epochsOfOthers() {
    int sum = 0;
    for (int node = 0; node < plan.grid().nodes(); node++) {
      sum += node == plan.sleeper() ? 0 : grid.epoch(node);
    }
    return sum;
  }

  @Override
  public void close() {
    grid.close();
  }
}
