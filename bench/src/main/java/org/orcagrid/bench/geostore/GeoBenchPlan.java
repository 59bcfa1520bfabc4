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
package org.orcagrid.bench.geostore;

/**
 * What is measured.
 *
 * @param partitions of the store
 * @param keys that a node is to come back with
 * @param threads of the clients of other partitions
 * @param rounds of a while without a stall and one with
 * @param seconds of each
 * @param settleSeconds from the start until rest is measured; what it left to the compiler is done
 *     in a minute
 * @param idleSeconds for which rest is measured
 */
public record GeoBenchPlan(
    int partitions,
    int keys,
    int threads,
    int rounds,
    double seconds,
    int settleSeconds,
    double idleSeconds) {
  private static final int PARTITIONS_MAX = 4096;

  /** Refuses what cannot be measured, naming the option to change. */
  public GeoBenchPlan {
    require(
        partitions >= 2 && partitions <= PARTITIONS_MAX,
        "There are 2 to 4096 partitions",
        "partitions");
    require(keys >= 0 && keys <= 100_000_000, "There are 0 to 100000000 keys", "keys");
    require(threads >= 1 && threads <= 256, "There are 1 to 256 threads", "threads");
    require(rounds >= 0, "There cannot be fewer than 0 rounds", "rounds");
    require(seconds > 0 && seconds <= 600, "A while takes up to 600 s", "seconds");
    require(
        settleSeconds >= 0 && settleSeconds <= 600,
        "Nodes settle down in 0 to 600 s",
        "settle-seconds");
  }

  private static void require(boolean condition, String what, String option) {
    if (!condition) {
      throw new IllegalArgumentException(what + "; change --" + option + ".");
    }
  }
}
