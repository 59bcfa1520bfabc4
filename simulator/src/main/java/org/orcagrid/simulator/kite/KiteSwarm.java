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
package org.orcagrid.simulator.kite;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.orcagrid.ddp.kite.KiteRule;

/** Many seeds one after the other; and a failing one made small. For one thread. */
public final class KiteSwarm {
  // No schedule has more.
  private static final int OPERATIONS_MAX = 40;
  private static final int FAULTS_MAX = 4;

  private final int nodesMax;
  private final Set<KiteRule> rules;
  private final KiteRun.Equipment equipment = new KiteRun.Equipment();

  /**
   * What was found.
   *
   * @param seed the seed
   * @param violations what was wrong
   */
  public record Failure(long seed, List<String> violations) {}

  /** Runs of up to {@code nodesMax} nodes that keep these rules. */
  public KiteSwarm(int nodesMax, Set<KiteRule> rules) {
    if (nodesMax < 3 || nodesMax > 9) {
      throw new IllegalArgumentException("Runs have 3 to 9 nodes, not " + nodesMax);
    }
    this.nodesMax = nodesMax;
    this.rules = rules;
  }

  /** Runs a seed. */
  public KiteRun.Result run(long seed) {
    return run(seed, schedule -> schedule, null);
  }

  private KiteRun.Result run(
      long seed, UnaryOperator<KiteSchedule> change, Consumer<String> trace) {
    try {
      return KiteRun.of(seed, nodesMax, change, rules, equipment, trace);
    } catch (IllegalStateException e) {
      // An invariant of the protocols themselves: as good as a violation.
      return KiteRun.Result.failed(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Runs a failing seed with fewer operations and faults as long as it still fails, and tells what
   * happens in the smallest run that was found.
   *
   * @return what is wrong in that run
   */
  public List<String> explain(long seed, Consumer<String> trace) {
    UnaryOperator<KiteSchedule> smallest = schedule -> schedule;
    for (UnaryOperator<KiteSchedule> smaller : smallerOnes()) {
      if (!run(seed, smaller, null).violations().isEmpty()) {
        smallest = smaller;
        break;
      }
    }
    return run(seed, smallest, trace).violations();
  }

  /** What to try, the smallest first. */
  private static List<UnaryOperator<KiteSchedule>> smallerOnes() {
    List<UnaryOperator<KiteSchedule>> tries = new ArrayList<>();
    for (int operations = 2; operations < OPERATIONS_MAX; operations++) {
      int count = operations;
      for (int kept = 0; kept <= FAULTS_MAX; kept++) {
        int faults = kept;
        tries.add(
            schedule ->
                schedule.smaller(
                    Math.min(count, schedule.operations()), fewer(schedule.faults(), faults)));
      }
    }
    return tries;
  }

  private static KiteSchedule.Faults fewer(KiteSchedule.Faults all, int kept) {
    return new KiteSchedule.Faults(
        Math.min(all.pauses(), kept),
        Math.min(all.cuts(), kept),
        Math.min(all.crashes(), kept),
        all.followed(),
        all.badLinks(),
        all.lengthNanosMax(),
        all.fastestClock(),
        all.full(),
        Math.min(all.changes(), kept),
        all.added(),
        Math.min(all.removed(), kept));
  }
}
