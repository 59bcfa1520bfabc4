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
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

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
    awaitProgress(processes);
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      Fault fault = Fault.values()[round % Fault.values().length];
      List<MapProcess> order = new ArrayList<>(processes);
      Collections.shuffle(order, random);
      inject(fault, order);
      awaitProgress(processes);
      if (round % 20 == 19) {
        System.getLogger(MapProcessesTest.class.getName())
            .log(System.Logger.Level.INFO, "{0} rounds", round + 1);
      }
    }
    stopAll();
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
        awaitProgress(order.subList(2, 3), 6 * MapLoad.KEYS);
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
      await(() -> System.nanoTime() - end > 0, "time passes");
    } else {
      // So much that who stood still knows nothing of most keys, should it still answer.
      awaitProgress(others, 6 * MapLoad.KEYS);
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
    awaitProgress(others);
    for (MapProcess each : which) {
      each.start();
    }
  }

  private static void awaitProgress(List<MapProcess> which) {
    awaitProgress(which, 1);
  }

  /** So many writes that begin from now on are acknowledged by each, for each of the maps. */
  private static void awaitProgress(List<MapProcess> which, int writes) {
    long now = System.nanoTime();
    for (MapProcess each : which) {
      long mark = each.mark();
      for (MapLoad.Which map : MapLoad.Which.values()) {
        await(
            () -> {
              requireAlive(each);
              return each.linesSince(mark).stream()
                      .filter(line -> isWriteSince(line, map, now))
                      .count()
                  >= writes;
            },
            each.ledger() + " goes on with " + map);
      }
    }
  }

  private static void requireAlive(MapProcess process) {
    if (!process.isAlive()) {
      throw new AssertionError("The process of " + process.ledger() + " has ended");
    }
  }

  private static boolean isWriteSince(String line, MapLoad.Which map, long nanos) {
    String[] words = line.split(" ", -1);
    if (words[0].equals("FAILED")) {
      throw new AssertionError(line);
    }
    return words[0].equals("WROTE")
        && words[1].equals(map.toString())
        && Long.parseLong(words[5]) > nanos;
  }

  private void stopAll() throws IOException, InterruptedException {
    for (MapProcess each : processes) {
      each.stop();
    }
    for (MapProcess each : processes) {
      await(
          () -> {
            requireAlive(each);
            return each.linesSince(0).stream().anyMatch(line -> line.startsWith("STOPPED"));
          },
          each.ledger() + " has stopped");
    }
    for (MapProcess each : processes) {
      each.close();
    }
  }

  private static void await(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("It has not come true that " + what);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }
}
