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
package org.orcagrid.simulator.ddp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.orcagrid.ddp.durable.segment.PoweredDevice;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/**
 * Nodes of maps with real threads and logs lose power under load, and each model keeps what it
 * promises. {@code -Drounds=10000} for so many rounds, {@code -Dfirst=N} to begin with that seed.
 * Alone, as its threads are real and their leases are as well.
 */
@Isolated
class PowerCutRoundsTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 26);
  private static final long FIRST = Long.getLong("first", 1);
  private static final int ROUNDS_OF_A_LIAR_MAX = 40;
  private static final int ROUNDS_PER_LINE = 500;

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "client");
            thread.setDaemon(true);
            return thread;
          });

  @TempDir private Path dir;

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private PowerCutRound.Result round(long seed, List<Ddp> models, PoweredDevice.Honesty honesty)
      throws IOException, InterruptedException {
    return PowerCutRound.of(seed, models, threads, dir.resolve("round" + seed), honesty);
  }

  @Test
  void eachModelKeepsWhatItPromises() throws Exception {
    System.Logger log = System.getLogger(PowerCutRoundsTest.class.getName());
    List<String> faults = new ArrayList<>();
    long cuts = 0;
    long operations = 0;
    long landed = 0;
    for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
      PowerCutRound.Result result =
          round(seed, PowerCutRound.models(seed), PoweredDevice.Honesty.HONEST);
      faults.addAll(result.faults());
      cuts += result.cuts();
      operations += result.operations();
      landed += result.landed();
      if ((seed - FIRST + 1) % ROUNDS_PER_LINE == 0) {
        log.log(
            System.Logger.Level.INFO,
            "{0} rounds, {1} nodes lost power, {2} operations, {3} faults",
            seed - FIRST + 1,
            cuts,
            operations,
            faults.size());
      }
    }
    assertEquals(List.of(), faults);
    // Half of the grids have zones, and a third of the models use them.
    assertTrue(landed > 0 || ROUNDS < 20, "Nothing has landed");
    assertTrue(cuts >= ROUNDS, "Only " + cuts + " nodes have lost power");
  }

  @Test
  void aDeviceThatLiesIsCaught() throws Exception {
    List<Ddp> safe =
        List.of(
            Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS),
            Ddp.of(Consistency.CAUSAL, Persistency.STRICT));
    for (long seed = FIRST; seed < FIRST + ROUNDS_OF_A_LIAR_MAX; seed++) {
      try {
        PowerCutRound.Result result = round(seed, safe, PoweredDevice.Honesty.FORCES_LATER);
        if (result.faults().stream().anyMatch(fault -> fault.contains("COMPLETED_SURVIVES"))) {
          return;
        }
      } catch (AssertionError e) {
        // The log has noticed by itself, and its node does not start.
        assertTrue(e.getMessage().contains("is damaged"), e.getMessage());
        return;
      }
    }
    throw new AssertionError("Nobody has noticed that what was said to be durable was not");
  }
}
