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

import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.ddp.model.Ddp;

/**
 * Clients from outside use a durable queue, map and counter, while nodes are killed, stand still
 * and lose power, and while the clients' connections are cut, round after round. {@code
 * -Drounds=50} for so many of each kind, {@code -Dseed=N} for others.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.MethodName.class)
class RemoteRoundsTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 1);
  private static final long SEED = Long.getLong("seed", ROUNDS);
  private static final long STEPS = 10;

  /** So many losses of power at most until one is found that has taken what was forced later. */
  private static final int CONTROLS = 5;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path dir;

  /** Started once, as is what loses power: that takes longer than what happens to them. */
  private static GridProcesses processes;

  private static CutConnections connections;
  private static PowerLosses losses;

  private enum Fault {
    /** All nodes lose power, and what was not forced. */
    POWER_CUT,
    /** kill -9 of one node. */
    KILL,
    /** One node stands still. */
    STOP,
    /** kill -9 of all nodes. */
    KILL_ALL,
    /** The clients' connections to one node or to all are cut, and refused for a while. */
    CUT
  }

  @AfterAll
  static void end() throws Exception {
    endLosses();
    if (connections != null) {
      connections.close();
    }
    if (processes != null) {
      processes.close();
    }
  }

  private static void endLosses() {
    if (losses != null) {
      losses.close();
      losses = null;
    }
  }

  private static PowerLosses losses() throws Exception {
    if (losses == null) {
      losses = new PowerLosses(dir.resolve("losses"));
    }
    return losses;
  }

  /** Those that lose power come first, and are in nobody's way then. */
  private static GridProcesses processes() throws Exception {
    endLosses();
    if (processes == null) {
      processes = FaultyProcesses.start(dir.resolve("processes"));
    }
    return processes;
  }

  private static CutConnections connections() throws Exception {
    if (connections == null) {
      connections = new CutConnections(processes());
    }
    return connections;
  }

  private static FaultyGrid grid(Fault fault) throws Exception {
    return switch (fault) {
      case CUT -> connections();
      case POWER_CUT -> losses();
      default -> new FaultyProcesses(processes(), FaultyProcesses.Fault.valueOf(fault.name()));
    };
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whatWasAcknowledgedIsThereOnceAndInOrder(Fault fault) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    String name = fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    FaultyGrid grid = grid(fault);
    try (RemoteGrid remote = Grid.connect(grid.clients());
        RemoteGrid reading = Grid.connect(grid.clients());
        RemoteLoad load = new RemoteLoad(remote, reading, RemoteLoad.DURABLE, name)) {
      for (int round = 0; round < ROUNDS; round++) {
        load.awaitSteps(STEPS);
        grid.strike(random);
      }
      load.awaitSteps(STEPS);
      load.stop();
      load.judge(remote);
      if (fault == Fault.POWER_CUT) {
        losses.requireSound();
      }
      System.out.println(ROUNDS + " rounds of " + fault + ": " + load);
    }
  }

  /** A loss of power takes what was not forced, and the judge sees it. */
  @Test
  void aModelThatForcesLaterIsFoundToLoseSomething() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    FaultyGrid grid = losses();
    try (RemoteGrid remote = Grid.connect(grid.clients())) {
      for (int round = 0; round < CONTROLS; round++) {
        Ddp later = Ddp.parse("linearizable/eventual");
        try (RemoteLoad load = new RemoteLoad(remote, remote, later, "control" + round)) {
          load.awaitSteps(STEPS);
          grid.strike(random);
          load.stop();
          try {
            load.judge(remote);
          } catch (AssertionError e) {
            return;
          }
        }
      }
    }
    fail("Nothing was lost in " + CONTROLS + " losses of power");
  }
}
