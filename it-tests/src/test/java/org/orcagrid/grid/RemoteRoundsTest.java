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

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;

/**
 * Clients from outside use a durable queue, map and counter, while the nodes' processes are killed
 * or stand still, one or all, round after round. {@code -Drounds=50} for so many of each kind.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class RemoteRoundsTest {
  private static final int NODES = 3;
  private static final int ROUNDS = Integer.getInteger("rounds", 2);
  private static final long STEPS = 10;

  /** Longer than the others wait for a node. */
  private static final long STANDS_NANOS_MAX = 3 * Ports.LEASE.leaseNanos();

  @TempDir private Path dir;

  private enum Fault {
    /** kill -9 of one node. */
    KILL,
    /** One node stands still. */
    STOP,
    /** kill -9 of all nodes. */
    KILL_ALL
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whatWasAcknowledgedIsThereOnceAndInOrder(Fault fault) throws Exception {
    SplittableRandom random = new SplittableRandom(ROUNDS);
    try (GridProcesses grid =
            GridProcesses.start(dir, NODES, Ports.base(), Ports.SMALL, Ports.PATIENCE);
        RemoteGrid remote = Grid.connect(grid.clients());
        RemoteLoad load = new RemoteLoad(remote)) {
      for (int round = 0; round < ROUNDS; round++) {
        load.awaitSteps(STEPS);
        round(fault, grid, random);
      }
      load.awaitSteps(STEPS);
      load.stop();
      load.judge(remote);
      System.out.println(ROUNDS + " rounds of " + fault + ": " + load);
    }
  }

  private static void round(Fault fault, GridProcesses grid, SplittableRandom random)
      throws Exception {
    int node = 1 + random.nextInt(NODES);
    switch (fault) {
      case KILL -> {
        grid.kill(node);
        LockSupport.parkNanos(random.nextLong(STANDS_NANOS_MAX));
        grid.start(node);
      }
      case STOP -> {
        grid.pause(node);
        LockSupport.parkNanos(random.nextLong(STANDS_NANOS_MAX));
        grid.resume(node);
      }
      case KILL_ALL -> {
        for (int each = 1; each <= NODES; each++) {
          grid.kill(each);
        }
        for (int each = 1; each <= NODES; each++) {
          grid.start(each);
        }
      }
    }
    for (int each = 1; each <= NODES; each++) {
      grid.awaitServing(each, Ports.PATIENCE);
    }
  }
}
