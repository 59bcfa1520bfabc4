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
package org.orcagrid.ddp.model;

import static org.orcagrid.ddp.model.Level.HIGH;
import static org.orcagrid.ddp.model.Level.LOW;
import static org.orcagrid.ddp.model.Level.MEDIUM;
import static org.orcagrid.ddp.model.Level.VERY_LOW;

import java.util.List;
import java.util.Optional;

/**
 * A row of DDP's Table 4, as the paper has it. What our models promise is {@link Promise}; the two
 * are compared, neither is derived from the other. {@link Persistency#NONE} is not the paper's and
 * has no row here.
 *
 * @param number the row's number in the paper
 * @param model the model
 * @param durability how much survives a failure that takes some or all of the volatile state
 * @param performance what it costs
 * @param intuition what a programmer can expect of reads
 * @param effort how easy it is
 */
public record Table4(
    int number,
    Ddp model,
    Level durability,
    Performance performance,
    Intuition intuition,
    Effort effort) {

  /**
   * What a model costs.
   *
   * @param writesOptimized whether writes do not wait
   * @param readsOptimized whether reads do not wait
   * @param traffic how much goes over the network
   * @param overall all of it together
   */
  public record Performance(
      boolean writesOptimized, boolean readsOptimized, Level traffic, Level overall) {}

  /**
   * What a programmer can expect of reads.
   *
   * @param monotonicReads whether a later read never shows less than an earlier one
   * @param nonStaleReads whether a read shows what was written before it
   * @param overall how far the model is as one would expect
   */
  public record Intuition(boolean monotonicReads, boolean nonStaleReads, Level overall) {}

  /**
   * How easy a model is.
   *
   * @param programmability to write programs for
   * @param implementability to build
   */
  public record Effort(Level programmability, Level implementability) {}

  /** Returns the ten rows in the paper's order. */
  public static List<Table4> rows() {
    Intuition neither = new Intuition(false, false, LOW);
    Intuition monotonic = new Intuition(true, false, MEDIUM);
    Intuition both = new Intuition(true, true, HIGH);
    // Reads of a scope may be undone; the paper calls it intuitive since a scope is never split.
    Intuition scope = new Intuition(false, false, HIGH);
    Effort easy = new Effort(HIGH, HIGH);
    Effort hardToBuild = new Effort(HIGH, LOW);
    Effort hard = new Effort(LOW, LOW);
    Effort veryHard = new Effort(VERY_LOW, VERY_LOW);
    return List.of(
        row(1, "linearizable/synchronous", HIGH, cost(false, false, MEDIUM, LOW), both, easy),
        row(
            2,
            "read-enforced/synchronous",
            MEDIUM,
            cost(true, false, MEDIUM, MEDIUM),
            monotonic,
            easy),
        row(3, "transactional/synchronous", HIGH, cost(true, true, HIGH, HIGH), both, hard),
        row(4, "causal/synchronous", MEDIUM, cost(true, true, HIGH, HIGH), monotonic, hardToBuild),
        row(5, "eventual/synchronous", LOW, cost(true, true, LOW, HIGH), neither, easy),
        row(
            6,
            "linearizable/read-enforced",
            MEDIUM,
            cost(true, false, HIGH, MEDIUM),
            monotonic,
            easy),
        row(
            7,
            "causal/read-enforced",
            MEDIUM,
            cost(true, false, HIGH, HIGH),
            monotonic,
            hardToBuild),
        row(8, "linearizable/eventual", LOW, cost(true, true, LOW, HIGH), neither, easy),
        row(9, "linearizable/scope", HIGH, cost(true, true, HIGH, HIGH), scope, hard),
        row(10, "transactional/scope", HIGH, cost(true, true, HIGH, HIGH), scope, veryHard));
  }

  private static Table4 row(
      int number,
      String model,
      Level durability,
      Performance performance,
      Intuition intuition,
      Effort effort) {
    return new Table4(number, Ddp.parse(model), durability, performance, intuition, effort);
  }

  private static Performance cost(
      boolean writesOptimized, boolean readsOptimized, Level traffic, Level overall) {
    return new Performance(writesOptimized, readsOptimized, traffic, overall);
  }

  /** Returns the row of a model, if the paper has one. */
  public static Optional<Table4> of(Ddp model) {
    return rows().stream().filter(row -> row.model().equals(model)).findFirst();
  }
}
