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
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.cli.GridProcesses;

/** The processes of {@code orca grid start}, of which one or all are killed, or stand still. */
final class FaultyProcesses implements FaultyGrid {
  static final int NODES = 3;

  /** Longer than the others wait for a node. */
  static final long AWAY_NANOS_MAX = 3 * Ports.LEASE.leaseNanos();

  private final GridProcesses grid;
  private final Fault fault;

  /** What happens. */
  enum Fault {
    /** kill -9 of one node. */
    KILL,
    /** One node stands still. */
    STOP,
    /** kill -9 of all nodes. */
    KILL_ALL
  }

  /** A grid that runs, and is to go on after this. */
  FaultyProcesses(GridProcesses grid, Fault fault) {
    this.grid = grid;
    this.fault = fault;
  }

  static GridProcesses start(Path dir) throws Exception {
    return GridProcesses.start(dir, NODES, Ports.base(), Ports.SMALL, Ports.PATIENCE);
  }

  @Override
  public String clients() {
    return grid.clients();
  }

  @Override
  public void strike(SplittableRandom random) throws Exception {
    int node = 1 + random.nextInt(NODES);
    switch (fault) {
      case KILL -> {
        grid.kill(node);
        LockSupport.parkNanos(random.nextLong(AWAY_NANOS_MAX));
        grid.start(node);
      }
      case STOP -> {
        grid.pause(node);
        LockSupport.parkNanos(random.nextLong(AWAY_NANOS_MAX));
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
