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
package org.orcagrid.medium.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.durable.segment.CrashableFiles.Fault;

/**
 * Media that die at every operation on the files of their maps and of their log. And with each of
 * the rules broken, which must be found.
 */
@Timeout(300)
class KeyedCrashTest {
  private static final long SEEDS = Long.getLong("seeds", 1);
  private static final long FIRST = Long.getLong("first", 1);
  private static final long MUTANT_SEEDS = Long.getLong("mutantSeeds", 60);

  /** The log by itself dies at every operation elsewhere. */
  private static final int LOG_STRIDE = Integer.getInteger("logStride", 7);

  @TempDir(factory = FoldersInMemory.class)
  private Path folder;

  @ParameterizedTest
  @EnumSource
  void whateverHappensThePromisesAreKept(Fault fault) throws IOException {
    int runs = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      runs += everyPoint(seed, fault, MapRule.all());
    }
    System.out.println(fault + ": " + runs + " runs");
  }

  private int everyPoint(long seed, Fault fault, Set<MapRule> rules) throws IOException {
    KeyedRun.Operations operations = run(seed, fault, KeyedRun.Point.NOWHERE, rules);
    int runs = 1;
    for (int at = 1; at <= operations.ofMaps(); at++) {
      run(seed, fault, new KeyedRun.Point(true, at), rules);
      runs++;
    }
    for (int at = 1 + (int) (seed % LOG_STRIDE); at <= operations.ofLog(); at += LOG_STRIDE) {
      run(seed, fault, new KeyedRun.Point(false, at), rules);
      runs++;
    }
    return runs;
  }

  private KeyedRun.Operations run(long seed, Fault fault, KeyedRun.Point point, Set<MapRule> rules)
      throws IOException {
    try {
      return KeyedRun.of(folder, seed, fault, point, rules);
    } catch (KeyedRun.Violation e) {
      throw new AssertionError("Seed " + seed + ", " + fault + " at " + point, e);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REFUSE_DAMAGE"}) // What no crash does: ChronicleMediumTest brings it about.
  void aBrokenRuleIsFound(MapRule broken) throws IOException {
    Set<MapRule> rules = MapRule.without(broken);
    // From one on with which all are found soon.
    for (long seed = 7; seed < 7 + MUTANT_SEEDS; seed++) {
      for (Fault fault : new Fault[] {Fault.POWER_CUT, Fault.KILL}) {
        try {
          everyPoint(seed, fault, rules);
        } catch (AssertionError | RuntimeException e) {
          System.out.println(broken + " is found: " + e.getMessage() + ", " + e.getCause());
          return;
        }
      }
    }
    throw new AssertionError("Nothing was found without " + broken);
  }

  @Test
  void aRunOfOneSeedIsAlwaysTheSame() throws IOException {
    KeyedRun.Point point = new KeyedRun.Point(true, 4);
    assertEquals(
        KeyedRun.of(folder, 7, Fault.POWER_CUT, point, MapRule.all()),
        KeyedRun.of(folder, 7, Fault.POWER_CUT, point, MapRule.all()));
  }
}
