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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Ddp;

/**
 * Nodes are added while clients use the grid. Then one that was there from the beginning and one
 * that was added are killed, and the last one has it all.
 */
@Timeout(300)
class GridGrowthTest {
  private static final Ddp CAUSAL = Ddp.parse("causal/synchronous");
  private static final long STEPS = 30;

  @TempDir private Path dir;

  @Test
  void whatIsAcknowledgedWhileAGridGrowsIsAtTheNodesThatWereAdded() throws Exception {
    try (GridProcesses grid =
            GridProcesses.start(dir, 3, Ports.base(), Ports.SMALL, Ports.PATIENCE);
        RemoteGrid remote = Grid.connect(grid.clients());
        GridSession session = remote.openSession();
        RemoteLoad load = new RemoteLoad(remote)) {
      View<String, Long> keys = session.view(Codec.STRING, Codec.LONG);
      GridMap<String, Long> causal = remote.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
      for (long number = 3; number <= 5; number++) {
        if (number > 3) {
          assertEquals(number, grid.add(Ports.PATIENCE));
        }
        keys.set("size", number);
        assertEquals(number - 3, keys.getAndAdd("grown", 1));
        causal.set("size" + number, number);
        load.awaitSteps(STEPS);
      }
      load.stop();
      String fifth = grid.clients().split(",", -1)[4];
      awaitCausal(fifth);
      // One of the ensemble's three servers, and one that was added: a majority is left.
      grid.kill(1);
      grid.kill(4);
      try (RemoteGrid last = Grid.connect(fifth);
          GridSession there = last.openSession()) {
        View<String, Long> left = there.view(Codec.STRING, Codec.LONG);
        assertEquals(3L, left.getAcquire("grown"));
        assertEquals(5L, left.get("size"), "what was written before that");
        load.judge(last);
        GridMap<String, Long> kept = last.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
        for (long number = 3; number <= 5; number++) {
          assertEquals(number, kept.get("size" + number));
        }
      }
    }
  }

  /** What is causal gets to a node some time after it was acknowledged. */
  private static void awaitCausal(String node) {
    try (RemoteGrid grid = Grid.connect(node)) {
      GridMap<String, Long> causal = grid.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
      while (causal.get("size5") == null) {
        Thread.onSpinWait();
      }
      assertNotNull(causal.get("size3"), "what was written before it");
    }
  }
}
