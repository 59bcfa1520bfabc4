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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;

/**
 * Three processes with nodes of maps and clients are killed and stand still, one, two or all of
 * them, for longer than a lease; nothing that was acknowledged is lost, and no half transaction is
 * seen. {@code -Drounds=N} for more rounds, {@code -Dseed=N} for others.
 */
class MapProcessesTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 3);
  private static final long SEED = Long.getLong("seed", 1);

  /** Longer than a lease and than whoever waits for its end, twice. */
  private static final long STANDSTILL_NANOS = TimeUnit.SECONDS.toNanos(9);

  private enum Fault {
    PAUSE_ONE,
    KILL_TWO,
    KILL_ALL,
    KILL_ONE,
    PAUSE_TWO,
    PAUSE_ALL,
    PAUSE_ONE_KILL_ONE
  }

  @TempDir private Path dir;

  private final List<MapProcess> processes = new ArrayList<>();
  private OrcaServer server;

  @BeforeEach
  void start() throws Exception {
    server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("server")));
    for (int i = 0; i < MapLoad.SIZE; i++) {
      processes.add(new MapProcess(i, dir.resolve("node" + i), server.connectString()));
    }
  }

  @AfterEach
  void end() throws Exception {
    for (MapProcess process : processes) {
      if (process.isAlive()) {
        process.kill();
      }
    }
    server.close();
  }

  @Test
  void whatWasAcknowledgedOutlivesKillsAndStandstills() throws Exception {
    for (MapProcess process : processes) {
      process.start();
    }
    MapProgress.await(processes);
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      Fault fault = Fault.values()[round % Fault.values().length];
      List<MapProcess> order = new ArrayList<>(processes);
      Collections.shuffle(order, random);
      inject(fault, order);
      MapProgress.await(processes);
      if (round % 20 == 19) {
        System.getLogger(MapProcessesTest.class.getName())
            .log(System.Logger.Level.INFO, "{0} rounds", round + 1);
      }
    }
    MapProgress.stop(processes);
    MapLedger ledger = new MapLedger();
    for (MapProcess process : processes) {
      ledger.add(process.ledger());
    }
    assertEquals(List.of(), ledger.judge());
    assertTrue(ledger.acknowledged() > 0 && ledger.reads() > 0);
    System.getLogger(MapProcessesTest.class.getName())
        .log(
            System.Logger.Level.INFO,
            "{0} rounds, {1} writes acknowledged, {2} reads",
            ROUNDS,
            ledger.acknowledged(),
            ledger.reads());
  }

  private void inject(Fault fault, List<MapProcess> order)
      throws IOException, InterruptedException {
    switch (fault) {
      case PAUSE_ONE -> pause(order.subList(0, 1), order.subList(1, 3));
      case PAUSE_TWO -> pause(order.subList(0, 2), order.subList(2, 3));
      case PAUSE_ALL -> pause(order, List.of());
      case KILL_ONE -> kill(order.subList(0, 1), order.subList(1, 3));
      case KILL_TWO -> kill(order.subList(0, 2), order.subList(2, 3));
      case KILL_ALL -> kill(order, List.of());
      case PAUSE_ONE_KILL_ONE -> {
        order.get(0).pause();
        kill(order.subList(1, 2), order.subList(2, 3));
        MapProgress.await(order.subList(2, 3), 6 * MapLoad.KEYS);
        order.get(0).resume();
      }
    }
  }

  /** Until the others go on without them. */
  private static void pause(List<MapProcess> which, List<MapProcess> others)
      throws IOException, InterruptedException {
    for (MapProcess each : which) {
      each.pause();
    }
    if (others.isEmpty()) {
      long end = System.nanoTime() + STANDSTILL_NANOS;
      MapProgress.await(() -> System.nanoTime() - end > 0, "time passes");
    } else {
      // So much that who stood still knows nothing of most keys, should it still answer.
      MapProgress.await(others, 6 * MapLoad.KEYS);
    }
    for (MapProcess each : which) {
      each.resume();
    }
  }

  private static void kill(List<MapProcess> which, List<MapProcess> others)
      throws IOException, InterruptedException {
    for (MapProcess each : which) {
      each.kill();
    }
    MapProgress.await(others);
    for (MapProcess each : which) {
      each.start();
    }
  }
}
