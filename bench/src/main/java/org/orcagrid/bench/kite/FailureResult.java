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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.orcagrid.bench.stats.Spread;

/**
 * What a failure study has shown.
 *
 * @param plan how
 * @param rounds each sleep
 * @param checks what was looked at, in all rounds and before them
 * @param loadAverage the machine's load average before; negative if it is not known
 */
public record FailureResult(
    FailurePlan plan, List<Round> rounds, Checks checks, double loadAverage) {
  /** Throughput is back when it has this share of its median before the sleep. */
  public static final double BACK_SHARE = 0.8;

  /** A dip that begins later than this after the time-out is something else. */
  private static final int GRACE_MS = 20;

  /**
   * One sleep.
   *
   * @param rates accesses per second of each node, bin by bin
   * @param sleptMs how long the node slept, as measured
   * @param counts what the protocol did
   */
  public record Round(List<List<Double>> rates, double sleptMs, Counts counts) {
    /** Keeps copies. */
    public Round {
      rates = rates.stream().map(List::copyOf).toList();
    }
  }

  /**
   * What the protocol did in a round.
   *
   * @param slowBefore slow releases before the sleep
   * @param slow slow releases from its begin on
   * @param slowOfSleeper those of them that are the sleeper's own, once it is awake
   * @param epochsOfSleeper how often the sleeper has found that it had missed something
   * @param epochsOfOthers how often others have
   */
  public record Counts(
      long slowBefore, long slow, long slowOfSleeper, int epochsOfSleeper, int epochsOfOthers) {}

  /**
   * What was looked at.
   *
   * @param all values that had to be at least as new as something
   * @param bySleeperAwake those of them that the sleeper looked at after it woke
   * @param violations those that were older
   */
  public record Checks(long all, long bySleeperAwake, long violations) {}

  /** Keeps a copy. */
  public FailureResult {
    rounds = List.copyOf(rounds);
  }

  /** Returns accesses per second of some nodes together, bin by bin, over the rounds. */
  public List<Spread> rates(List<Integer> nodes) {
    List<List<Double>> sums = rounds.stream().map(round -> sum(round, nodes)).toList();
    return IntStream.range(0, plan.timing().bins())
        .mapToObj(bin -> Spread.of(sums.stream().map(sum -> sum.get(bin)).toList()))
        .toList();
  }

  private static List<Double> sum(Round round, List<Integer> nodes) {
    return IntStream.range(0, round.rates().get(0).size())
        .mapToObj(bin -> nodes.stream().mapToDouble(n -> round.rates().get(n).get(bin)).sum())
        .toList();
  }

  /** The nodes that do not sleep. */
  public List<Integer> others() {
    return IntStream.range(0, plan.grid().nodes())
        .filter(node -> node != plan.sleeper())
        .boxed()
        .toList();
  }

  /**
   * Returns how long after the sleep's begin the other nodes were back, in ms, for each round: 0 if
   * they were never gone.
   */
  public List<Double> backMs() {
    return rounds.stream().map(round -> backMs(sum(round, others()))).toList();
  }

  /** The same of the medians over the rounds, which what else runs on the machine disturbs less. */
  public double backMsOfMedians() {
    return backMs(rates(others()).stream().map(Spread::median).toList());
  }

  /** When the last dip ends that has begun so early that it may be the sleep's doing. */
  private double backMs(List<Double> rates) {
    FailurePlan.Timing timing = plan.timing();
    double enough = enough(rates);
    int begin = timing.binsBefore();
    int latest = begin + (timing.release() + GRACE_MS) / timing.bin();
    int back = begin;
    boolean gone = false;
    for (int bin = begin; bin < rates.size() && (gone || bin <= latest); bin++) {
      gone = rates.get(bin) < enough;
      back = gone ? bin + 1 : back;
    }
    return (double) (back - begin) * timing.bin();
  }

  /**
   * Returns how long after it woke the sleeper had enough throughput again, in ms, for each round;
   * all that was measured if it had not.
   */
  public List<Double> sleeperBackMs() {
    FailurePlan.Timing timing = plan.timing();
    int awake = timing.binsBefore() + timing.binsOfSleep();
    return rounds.stream()
        .map(
            round -> {
              List<Double> rates = round.rates().get(plan.sleeper());
              int back = awake;
              while (back < rates.size() && rates.get(back) < enough(rates)) {
                back++;
              }
              return (double) (back - awake) * timing.bin();
            })
        .toList();
  }

  private double enough(List<Double> rates) {
    return BACK_SHARE * Spread.of(rates.subList(0, plan.timing().binsBefore())).median();
  }

  /**
   * Returns the longest time without enough throughput of the other nodes, in ms, for each round.
   *
   * @param asleep whether during the sleep, or before it: what the machine does by itself
   */
  public List<Double> longestMs(boolean asleep) {
    FailurePlan.Timing timing = plan.timing();
    int from = asleep ? timing.binsBefore() : 0;
    int to = asleep ? timing.binsBefore() + timing.binsOfSleep() : timing.binsBefore();
    List<Double> longest = new ArrayList<>();
    for (Round round : rounds) {
      List<Double> rates = sum(round, others());
      double enough = enough(rates);
      int run = 0;
      int most = 0;
      for (double rate : rates.subList(from, to)) {
        run = rate < enough ? run + 1 : 0;
        most = Math.max(most, run);
      }
      longest.add((double) most * timing.bin());
    }
    return longest;
  }

  /** Returns the median throughput of some nodes in a period, for each round. */
  public Spread during(List<Integer> nodes, int fromBin, int toBin) {
    return Spread.of(
        rounds.stream()
            .map(round -> Spread.of(sum(round, nodes).subList(fromBin, toBin)).median())
            .toList());
  }
}
