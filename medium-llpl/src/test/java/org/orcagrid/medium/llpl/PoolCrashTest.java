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
package org.orcagrid.medium.llpl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.intel.pmem.llpl.Heap;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.durable.segment.CrashRun;
import org.orcagrid.ddp.durable.segment.CrashableFiles;
import org.orcagrid.needs.Needs;

/** Logs in a pool that die at every operation: by power cuts, and by the end of their process. */
@Needs(Pmdk.class)
class PoolCrashTest {
  private static final long SEEDS = Long.getLong("seeds", 10);
  private static final long FIRST = Long.getLong("first", 1);
  private static final long POOL_BYTES = 64 << 20;

  @TempDir private Path folder;

  // A flush cannot fail: a device that refuses ends the process.
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REFUSAL"})
  void whateverHappensThePromisesAreKept(CrashableFiles.Fault fault) throws IOException {
    Heap heap = Heap.createHeap(folder.resolve("pool").toString(), POOL_BYTES);
    int runs = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      int operations = run(heap, seed, fault, Integer.MAX_VALUE);
      for (int at = 1; at <= operations; at++) {
        run(heap, seed, fault, at);
      }
      runs += operations + 1;
    }
    System.out.println(fault + ": " + runs + " runs");
    assertTrue(runs > SEEDS * 50, "Each log writes: " + runs);
  }

  @Test
  void aLogThatDoesNotForceIsFound() throws IOException {
    Heap heap = Heap.createHeap(folder.resolve("pool").toString(), POOL_BYTES);
    for (long seed = FIRST; seed < FIRST + 100; seed++) {
      try {
        int operations =
            CrashRun.withoutForce(
                new FaultyPool(heap, seed),
                seed,
                CrashableFiles.Fault.POWER_CUT,
                Integer.MAX_VALUE);
        assertTrue(operations > 0);
      } catch (CrashRun.Violation e) {
        System.out.println("Seed " + seed + ": " + e.getMessage());
        return;
      }
    }
    throw new AssertionError("Nothing was found");
  }

  private static int run(Heap heap, long seed, CrashableFiles.Fault fault, int at)
      throws IOException {
    try {
      return CrashRun.of(new FaultyPool(heap, seed * 1_000_003 + at), seed, fault, at);
    } catch (CrashRun.Violation e) {
      throw new AssertionError("Seed " + seed + ", " + fault + " at operation " + at, e);
    }
  }
}
