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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
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
 * that was added are killed, and the last one has it all. And nodes are removed, dead or alive.
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

  @Test
  void aGridOfFiveLosesADeadNodeAndALiveOneAndGetsOneAgain() throws Exception {
    try (GridProcesses grid =
        GridProcesses.start(dir, 3, Ports.base(), Ports.SMALL, Ports.PATIENCE)) {
      String three = grid.clients();
      grid.add(Ports.PATIENCE);
      grid.add(Ports.PATIENCE);
      try (RemoteGrid remote = Grid.connect(three);
          GridSession session = remote.openSession();
          RemoteLoad load = new RemoteLoad(remote)) {
        View<String, Long> keys = session.view(Codec.STRING, Codec.LONG);
        GridMap<String, Long> causal = remote.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
        load.awaitSteps(STEPS);
        grid.kill(5);
        assertTrue(Files.exists(grid.remove(5, Ports.PATIENCE, System.out::println)));
        assertEquals(0, keys.getAndAdd("lost", 1));
        causal.set("without5", 4L);
        load.awaitSteps(STEPS);
        assertTrue(Files.exists(grid.remove(4, Ports.PATIENCE, System.out::println)));
        assertEquals(1, keys.getAndAdd("lost", 1));
        keys.set("size", 3L);
        causal.set("without4", 3L);
        load.awaitSteps(STEPS);
        assertEquals(4, grid.add(Ports.PATIENCE));
        assertEquals(2, keys.getAndAdd("lost", 1));
        causal.set("size5", 4L);
        causal.set("size3", 4L);
        load.awaitSteps(STEPS);
        load.stop();
        String fourth = grid.clients().split(",", -1)[3];
        awaitCausal(fourth);
        // Of the four that there are, three are left: a majority.
        grid.kill(1);
        try (RemoteGrid last = Grid.connect(fourth);
            GridSession there = last.openSession()) {
          View<String, Long> left = there.view(Codec.STRING, Codec.LONG);
          assertEquals(3L, left.getAcquire("lost"));
          assertEquals(3L, left.get("size"), "what was written before that");
          load.judge(last);
          GridMap<String, Long> kept = last.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
          assertEquals(4L, kept.get("without5"));
          assertEquals(3L, kept.get("without4"));
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
