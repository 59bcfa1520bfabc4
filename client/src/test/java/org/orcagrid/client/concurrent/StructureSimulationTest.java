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
package org.orcagrid.client.concurrent;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.client.concurrent.SimulatedCells.Fault;
import org.orcagrid.client.concurrent.StructureRun.Structure;

/**
 * The structures are linearizable whatever variables do that keep what {@link Cells} promises, and
 * need each of these promises. {@code -Dseeds=100000} for so many, {@code -Dfirst=N} to begin with
 * that one.
 */
class StructureSimulationTest {
  private static final long FIRST = Long.getLong("first", 1);
  private static final int SEEDS = Integer.getInteger("seeds", 1_000);
  private static final int SEEDS_OF_A_MUTANT_MAX = 5_000;

  @ParameterizedTest
  @EnumSource(Structure.class)
  void isLinearizable(Structure structure) throws InterruptedException {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      assertNull(StructureRun.fault(seed, structure, Fault.NONE));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NONE"},
      mode = EnumSource.Mode.EXCLUDE)
  void needsWhatVariablesPromise(Fault fault) throws InterruptedException {
    Set<Structure> open = EnumSet.allOf(Structure.class);
    if (fault == Fault.NO_MARKS) {
      // Only a set has them.
      open.retainAll(EnumSet.of(Structure.SET));
    } else if (fault == Fault.NO_RELEASE) {
      // A set reads nothing relaxed; a queue looks again with an acquire at what it does not find.
      open.retainAll(EnumSet.of(Structure.STACK));
    }
    for (Structure structure : Set.copyOf(open)) {
      for (long seed = 1; seed <= SEEDS_OF_A_MUTANT_MAX && open.contains(structure); seed++) {
        if (StructureRun.fault(seed, structure, fault) != null) {
          open.remove(structure);
        }
      }
    }
    if (!open.isEmpty()) {
      throw new AssertionError(fault + " was not noticed with " + open);
    }
  }
}
