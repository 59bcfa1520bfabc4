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
package org.orcagrid.bench.command;

import picocli.CommandLine.Option;

/** How long the models are tried out, and timed. */
final class DdpOptions {
  /** With fewer, a tick says less than it should. */
  private static final long SEEDS = 20_000;

  private static final long QUICK_SEEDS = 300;

  private static final int TIMED_SEEDS = 3;
  private static final int TIMED_SEEDS_MAX = 1000;

  @Option(
      names = "--seeds",
      description =
          "Seeds of each model: for ddp-table4 20000, with --quick 300; for ddp-fig6 to ddp-fig9 3,"
              + " with --quick 1.")
  private Long seeds;

  /**
   * Returns how many seeds to run.
   *
   * @throws IllegalArgumentException if there are none
   */
  long seeds(boolean quick) {
    if (seeds != null && seeds < 1) {
      throw new IllegalArgumentException("There must be at least 1 seed; change --seeds.");
    }
    return seeds != null ? seeds : quick ? QUICK_SEEDS : SEEDS;
  }

  /**
   * Returns over how many seeds a model is timed.
   *
   * @throws IllegalArgumentException if there are none, or too many to keep what comes out
   */
  int timedSeeds(boolean quick) {
    if (seeds != null && (seeds < 1 || seeds > TIMED_SEEDS_MAX)) {
      throw new IllegalArgumentException(
          "There must be 1 to " + TIMED_SEEDS_MAX + " seeds; change --seeds.");
    }
    return seeds != null ? seeds.intValue() : quick ? 1 : TIMED_SEEDS;
  }
}
