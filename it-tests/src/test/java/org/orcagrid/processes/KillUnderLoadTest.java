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
package org.orcagrid.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills and pauses server processes while clients on all servers write and read.
 *
 * <p>SIGKILL takes a process and not the machine's page cache: what the server had handed to the
 * operating system is there again after it. What a power cut takes is the business of {@code
 * PowerCutTest} in {@code orca-server}. Here it is about real elections, sockets that die, servers
 * that stand still and go on, and clients that reconnect.
 *
 * <p>Every kind of fault occurs once, in an order from the seed: {@code -Dseed=N} replays it, and
 * {@code -Drounds=N} repeats it with the seeds that follow.
 */
@Timeout(3600)
class KillUnderLoadTest {
  private static final Logger LOG = LoggerFactory.getLogger(KillUnderLoadTest.class);

  private static final long SEED = Long.getLong("seed", 1);
  private static final int ROUNDS = Integer.getInteger("rounds", 1);

  /** Enough for a value to be overwritten and read many times between two faults. */
  private static final int OPERATIONS_BETWEEN_FAULTS = 50;

  /** What happens to servers. */
  private enum Fault {
    KILL_LEADER,
    KILL_FOLLOWER,
    PAUSE_LEADER,
    PAUSE_FOLLOWER,
    KILL_LEADER_AND_FOLLOWER,
    KILL_ALL
  }

  @TempDir Path dir;

  private final SeenState state = new SeenState();

  @Test
  void threeServersLoseNothingThatWasSeen() throws Exception {
    run(
        3,
        EnumSet.of(
            Fault.KILL_LEADER,
            Fault.KILL_FOLLOWER,
            Fault.PAUSE_LEADER,
            Fault.PAUSE_FOLLOWER,
            Fault.KILL_ALL));
  }

  @Test
  void fiveServersLoseNothingThatWasSeen() throws Exception {
    // All are killed at once above, and here in the long form.
    run(
        5,
        ROUNDS == 1
            ? EnumSet.of(Fault.KILL_LEADER_AND_FOLLOWER)
            : EnumSet.of(Fault.KILL_LEADER_AND_FOLLOWER, Fault.KILL_ALL));
  }

  private void run(int servers, EnumSet<Fault> kinds) throws Exception {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.put("immediatePaths", Load.IMMEDIATE_PATHS);
    int[] all = IntStream.rangeClosed(1, servers).toArray();
    try (TestEnsemble ensemble =
            TestEnsemble.prepare(dir, servers, Programs.orca(settings), Map.of()).startAll();
        Load load = new Load(ensemble, state, SEED)) {
      load.startWriters(all);
      for (int id : all) {
        load.startReader(id);
      }
      for (int round = 0; round < ROUNDS; round++) {
        long seed = SEED + round;
        Random random = new Random(seed);
        List<Fault> faults = new ArrayList<>(kinds);
        Collections.shuffle(faults, random);
        for (Fault fault : faults) {
          load.awaitProgress(OPERATIONS_BETWEEN_FAULTS, all);
          long beginNanos = System.nanoTime();
          inflict(fault, ensemble, random, all);
          ensemble.awaitServing();
          LOG.info("{} of {}: {} ms", fault, servers, (System.nanoTime() - beginNanos) / 1_000_000);
          assertEquals(
              List.of(), state.violations(), () -> "seed " + seed + ", " + faults + ", " + fault);
        }
      }
      load.awaitProgress(OPERATIONS_BETWEEN_FAULTS, all);
      load.stopAndLookAtEverything(all);
      assertEquals(List.of(), state.violations(), () -> "seed " + SEED);
      assertTrue(load.writes() > 0 && load.reads() > 0);
      LOG.info(
          "{} writes, {} reads, {} lost connections",
          load.writes(),
          load.reads(),
          load.connectionsLost());
    }
  }

  private void inflict(Fault fault, TestEnsemble ensemble, Random random, int[] all)
      throws Exception {
    int leader = ensemble.awaitServing();
    int[] followers = Arrays.stream(all).filter(id -> id != leader).toArray();
    int follower = followers[random.nextInt(followers.length)];
    switch (fault) {
      case KILL_LEADER -> killAndRestart(ensemble, leader);
      case KILL_FOLLOWER -> killAndRestart(ensemble, follower);
      case KILL_LEADER_AND_FOLLOWER -> killAndRestart(ensemble, leader, follower);
      case KILL_ALL -> killAndRestart(ensemble, all);
      case PAUSE_LEADER -> pauseLeader(ensemble, leader, followers);
      case PAUSE_FOLLOWER -> pauseFollower(ensemble, follower, all);
    }
  }

  /** Where a majority is left, it must serve without those that are gone. */
  private static void killAndRestart(TestEnsemble ensemble, int... victims) throws Exception {
    ensemble.killTogether(victims);
    if (2 * victims.length < ensemble.size()) {
      ensemble.awaitServing(allBut(ensemble, victims));
    }
    for (int victim : victims) {
      ensemble.start(victim);
    }
  }

  private static int[] allBut(TestEnsemble ensemble, int... victims) {
    return IntStream.rangeClosed(1, ensemble.size())
        .filter(id -> Arrays.stream(victims).noneMatch(victim -> victim == id))
        .toArray();
  }

  /** When it goes on it has been replaced and does not know; its lease has ended, which it does. */
  private static void pauseLeader(TestEnsemble ensemble, int leader, int[] followers)
      throws Exception {
    ensemble.pause(leader);
    ensemble.awaitServing(followers);
    ensemble.resume(leader);
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> ensemble.role(leader).equals("follower"),
        () -> "server " + leader + " does not follow: " + ensemble.logs());
  }

  /** It is dropped by its leader, and finds out when it goes on. */
  private static void pauseFollower(TestEnsemble ensemble, int follower, int[] all)
      throws Exception {
    ensemble.pause(follower);
    int others = all.length - 1;
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> followersOf(ensemble, follower, all) == others - 1,
        () -> "server " + follower + " is not dropped: " + ensemble.logs());
    ensemble.resume(follower);
    ensemble.awaitServing();
  }

  /** Returns how many followers in sync the leader counts; the paused server is not asked. */
  private static int followersOf(TestEnsemble ensemble, int paused, int[] all) throws Exception {
    for (int id : all) {
      if (id != paused && ensemble.role(id).equals("leader")) {
        return Integer.parseInt(ensemble.monitor(id).getOrDefault("zk_synced_followers", "-1"));
      }
    }
    return -1;
  }
}
