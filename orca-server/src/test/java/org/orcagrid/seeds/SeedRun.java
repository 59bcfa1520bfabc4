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
package org.orcagrid.seeds;

import java.util.List;
import java.util.function.Consumer;

/**
 * A kind of simulated run, with its judge: a seed decides all that happens in it.
 *
 * @param name what it is called on the command line
 * @param weight its share of all seeds
 * @param judge runs a seed
 */
record SeedRun(String name, int weight, Judge judge) {
  /** Runs a seed and says what is wrong with it. */
  @FunctionalInterface
  interface Judge {
    /**
     * Runs a seed.
     *
     * @param trace is told what happens, null if nobody is; some kinds tell nothing
     * @return what is wrong
     */
    List<String> run(long seed, Consumer<String> trace);
  }

  /** What is wrong with a seed; also what the protocols' own invariants say. */
  List<String> run(long seed, Consumer<String> trace) {
    try {
      return judge.run(seed, trace);
    } catch (RuntimeException | AssertionError e) {
      return List.of(e + " at " + List.of(e.getStackTrace()));
    }
  }
}
