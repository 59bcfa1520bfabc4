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
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProbe;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;

/**
 * Three processes with nodes and clients are killed and stand still, one, two or all of them, for
 * longer than a lease, under load on Kite's keys and on durable maps at once. Nothing that was
 * acknowledged of the maps is lost, and nothing of the keys while enough processes hold it. {@code
 * -Drounds=N} for more rounds, {@code -Dseed=N} for others.
 */
class MapProcessesTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 3);
  private static final long SEED = Long.getLong("seed", 1);

  /**
   * Longer than a lease and than whoever waits for its end, twice. {@code -Dstandstill=N} is for so
   * many seconds.
   */
  private static final long STANDSTILL_NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("standstill", 5));

  private enum Fault {
    PAUSE_ONE,
    KILL_TWO,
    KILL_ALL,
    KILL_ONE,
    PAUSE_TWO,
    PAUSE_ALL,
    PAUSE_ONE_KILL_ONE
  }

  /** The leader's kill and the power cut of all come first. */
  private static final List<Fault> OF_CARRIED =
      List.of(
          Fault.KILL_ONE,
          Fault.KILL_ALL,
          Fault.PAUSE_ONE_KILL_ONE,
          Fault.PAUSE_ONE,
          Fault.KILL_TWO,
          Fault.PAUSE_TWO,
          Fault.PAUSE_ALL);

  /** The ledgers of a run with a fault stay. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private final MapLedger ledger = new MapLedger();
  private final List<MapProcess> processes = new ArrayList<>();

  /** Of the servers that the processes carry; empty if they carry none. */
  private List<EnsembleMember> carried = List.of();

  @AfterEach
  void end() throws Exception {
    for (MapProcess process : processes) {
      if (process.isAlive()) {
        process.kill();
      }
    }
  }

  @Test
  void whatWasAcknowledgedOutlivesKillsAndStandstills() throws Exception {
    try (OrcaServer server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("server")))) {
      MapProcess.Servers servers = new MapProcess.Servers(server.connectString(), null);
      for (int i = 0; i < MapLoad.SIZE; i++) {
        processes.add(new MapProcess(i, dir.resolve("node" + i), servers));
      }
      run(List.of(Fault.values()));
    }
  }

  /**
   * Each process carries a server of the ensemble, as {@code orca grid start} has it. What a killed
   * process has not forced is lost, of its maps and of its server: when all are killed, it is a
   * power cut of all.
   */
  @Test
  void soItDoesWhereTheProcessesCarryTheEnsembleAndLosePower() throws Exception {
    EnsembleSpec spec =
        EnsembleSpec.of(MapLoad.SIZE, dir.resolve("ensemble"))
            .withSettings(Map.of("orca.test.loseUnforced", "true"));
    // Its files are wanted; their servers are in the processes of the load.
    try (EnsembleProcesses files = EnsembleProcesses.prepare(spec)) {
      carried = files.members();
      for (int i = 0; i < MapLoad.SIZE; i++) {
        MapProcess.Servers own = new MapProcess.Servers(null, carried.get(i).zooCfg());
        processes.add(new MapProcess(i, dir.resolve("node" + i), own));
      }
      run(OF_CARRIED);
    }
  }

  private void run(List<Fault> faults) throws IOException, InterruptedException {
    for (MapProcess process : processes) {
      process.start();
    }
    MapProgress.await(processes);
    Random random = new Random(SEED);
    System.Logger log = System.getLogger(MapProcessesTest.class.getName());
    for (int round = 0; round < ROUNDS; round++) {
      Fault fault = faults.get(round % faults.size());
      List<MapProcess> order = new ArrayList<>(processes);
      Collections.shuffle(order, random);
      if (fault == Fault.KILL_ONE) {
        leaderFirst(order);
      }
      inject(fault, order);
      MapProgress.await(processes);
      if (round % 20 == 19) {
        log.log(System.Logger.Level.INFO, "{0} rounds", round + 1);
      }
    }
    MapProgress.stop(processes);
    for (MapProcess process : processes) {
      ledger.add(process.ledger());
    }
    assertEquals(List.of(), ledger.judge());
    assertTrue(ledger.isOfAll());
    log.log(
        System.Logger.Level.INFO,
        "{0} rounds, {1} writes acknowledged, {2} reads; {3} additions, {4} acquires, {5} memories",
        ROUNDS,
        ledger.acknowledged(),
        ledger.reads(),
        ledger.keys().additions(),
        ledger.keys().acquires(),
        ledger.keys().memories());
  }

  private void leaderFirst(List<MapProcess> order) {
    for (int i = 0; i < carried.size(); i++) {
      MapProcess process = processes.get(i);
      if (ServerProbe.of(carried.get(i).clientAddress()).leads()) {
        order.remove(process);
        order.add(0, process);
      }
    }
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
        // One has missed something, and one of the two that have it is lost.
        goOn(order.subList(1, 3), 6 * MapLoad.KEYS);
        order.get(1).kill();
        goOn(order.subList(2, 3), 6 * MapLoad.KEYS);
        order.get(0).resume();
        order.get(1).start();
      }
    }
  }

  /**
   * Waits until these go on without the others, if they can: with so many writes to the maps. One
   * alone has no majority for keys, and none for an ensemble that the processes carry.
   */
  private void goOn(List<MapProcess> which, int writes) throws IOException {
    boolean isMajority = which.size() > MapLoad.SIZE / 2;
    if (which.isEmpty() || !(isMajority || carried.isEmpty())) {
      long end = System.nanoTime() + STANDSTILL_NANOS;
      MapProgress.await(() -> System.nanoTime() - end > 0, "time passes");
      return;
    }
    MapProgress.await(which, writes);
    if (isMajority) {
      MapProgress.awaitKeys(which);
    }
  }

  /** Until the others go on without them. */
  private void pause(List<MapProcess> which, List<MapProcess> others)
      throws IOException, InterruptedException {
    for (MapProcess each : which) {
      each.pause();
    }
    // So much that who stood still knows nothing of most keys, should it still answer.
    goOn(others, 6 * MapLoad.KEYS);
    for (MapProcess each : which) {
      each.resume();
    }
  }

  private void kill(List<MapProcess> which, List<MapProcess> others)
      throws IOException, InterruptedException {
    if (which.size() > 1) {
      // Of three processes two have to be left that hold what is in memory.
      ledger.add("LOST " + MapLoad.now());
    }
    for (MapProcess each : which) {
      each.kill();
    }
    if (!others.isEmpty()) {
      goOn(others, 1);
    }
    for (MapProcess each : which) {
      each.start();
    }
  }
}
