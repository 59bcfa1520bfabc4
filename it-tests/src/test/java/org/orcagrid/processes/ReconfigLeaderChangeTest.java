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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ServerProgram;

/**
 * A reconfiguration that takes the leader out of the ensemble: its successor leads without an
 * election, while the removed leader still answers reads under its lease. Leases are long here, so
 * that a successor that did not wait for them would be caught. {@code -Dlease=2000} makes them so
 * many milliseconds.
 */
@Timeout(180)
class ReconfigLeaderChangeTest {
  private static final int OPERATIONS = 50;

  private static final int LEASE_MS = Integer.getInteger("lease", 1_000);

  private static final Map<String, String> LONG_LEASES =
      Map.of(
          "heartbeatMs",
          Integer.toString(LEASE_MS / 2),
          "markOutMs",
          Integer.toString(LEASE_MS),
          "removalMs",
          Integer.toString(5 * LEASE_MS));

  /** A leader that has lost its followers stays one for up to a tick: longer than its lease. */
  private static final Map<String, String> LONG_TICKS =
      Map.of("reconfigEnabled", "true", "tickTime", Integer.toString(2 * LEASE_MS));

  /** What a follower logs when it begins to follow. */
  private static final String CONNECTED = "FOLLOWING - LEADER ELECTION TOOK";

  @TempDir Path dir;

  private final SeenState state = new SeenState();

  @Test
  void theRemovedLeaderShowsNothingOld() throws Exception {
    try (TestEnsemble ensemble = prepare(3);
        Load load = new Load(ensemble, state, 1)) {
      int leader = startAll(ensemble, load, 1, 2, 3);
      int[] left = without(leader, 1, 2, 3);

      reconfigure(ensemble, left, null, Integer.toString(leader));
      awaitLeaderAmong(ensemble, left);
      load.awaitProgress(OPERATIONS, left);
      load.stopAndLookAtEverything(left);
    }
    assertEquals(List.of(), state.violations());
  }

  @Test
  void neitherDoesOneWhoseMajorityIsReplacedWithIt() throws Exception {
    try (TestEnsemble ensemble = prepare(5);
        Load load = new Load(ensemble, state, 2)) {
      int leader = startAll(ensemble, load, 1, 2, 3);
      for (int joiner : List.of(4, 5)) {
        ensemble.start(joiner);
      }
      ensemble.awaitServing();
      load.startReader(4);
      load.startReader(5);
      load.awaitProgress(OPERATIONS, 4, 5);
      int stays = without(leader, 1, 2, 3)[0];
      int[] left = {stays, 4, 5};

      String joining =
          ensemble.serverLine(4, "participant") + "," + ensemble.serverLine(5, "participant");
      String leaving =
          IntStream.rangeClosed(1, 3)
              .filter(id -> id != stays)
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(","));
      reconfigure(ensemble, left, joining, leaving);
      awaitLeaderAmong(ensemble, left);
      load.awaitProgress(OPERATIONS, left);
      awaitInActiveSet(ensemble, 3, left);
      load.stopAndLookAtEverything(left);
    }
    assertEquals(List.of(), state.violations());
  }

  @Test
  void whoJoinsEntersTheActiveSetWithoutANewConnection() throws Exception {
    try (TestEnsemble ensemble = prepare(4)) {
      for (int id : List.of(1, 2, 3)) {
        ensemble.start(id);
      }
      int leader = ensemble.awaitServing();
      ensemble.start(4);
      ensemble.awaitServing();
      awaitInActiveSet(ensemble, 3, leader);
      long connections = ensemble.logged(4, CONNECTED);
      assertTrue(connections > 0, "it says when it connects");

      reconfigure(ensemble, new int[] {1, 2, 3}, ensemble.serverLine(4, "participant"), "");
      awaitInActiveSet(ensemble, 4, leader);
      assertEquals(connections, ensemble.logged(4, CONNECTED));
    }
  }

  /** The leader of the first three, with clients of all of them. */
  private int startAll(TestEnsemble ensemble, Load load, int... ids) throws Exception {
    for (int id : ids) {
      ensemble.start(id);
    }
    int leader = ensemble.awaitServing(ids);
    load.startWriters(without(leader, ids));
    for (int id : ids) {
      load.startReader(id);
    }
    load.awaitProgress(OPERATIONS, ids);
    return leader;
  }

  private TestEnsemble prepare(int servers) throws Exception {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.putAll(LONG_LEASES);
    settings.put("immediatePaths", Load.IMMEDIATE_PATHS);
    ServerProgram program =
        Programs.orca(settings).withJvmFlags(List.of("-Dzookeeper.skipACL=yes"));
    TestEnsemble ensemble = TestEnsemble.prepare(dir, servers, program, LONG_TICKS);
    Map<Integer, String> first =
        new TreeMap<>(Map.of(1, "participant", 2, "participant", 3, "participant"));
    for (int id = 1; id <= servers; id++) {
      Map<Integer, String> known = new TreeMap<>(first);
      // Who joins follows without a vote: an observer cannot acknowledge its own joining.
      known.put(id, "participant");
      ensemble.configure(id, known);
    }
    return ensemble;
  }

  private static int[] without(int id, int... ids) {
    return Arrays.stream(ids).filter(each -> each != id).toArray();
  }

  private static void reconfigure(
      TestEnsemble ensemble, int[] through, String joining, String leaving) throws Exception {
    try (ZooKeeperAdmin admin = ensemble.connect(through)) {
      Eventually.await(
          TestEnsemble.SERVING_LIMIT,
          () -> accepted(admin, joining, leaving),
          () -> "joining " + joining + ", leaving " + leaving + ": " + ensemble.logs());
    }
  }

  /** Who asks again after a lost connection asks for what may already be so, which is allowed. */
  private static boolean accepted(ZooKeeperAdmin admin, String joining, String leaving)
      throws KeeperException, InterruptedException {
    try {
      String text = new String(admin.reconfigure(joining, leaving, null, -1, new Stat()), UTF_8);
      return leaving.isEmpty()
          || Arrays.stream(leaving.split(",")).noneMatch(id -> text.contains("server." + id + "="));
    } catch (KeeperException.ConnectionLossException
        | KeeperException.NewConfigNoQuorum
        | KeeperException.ReconfigInProgress e) {
      return false;
    }
  }

  private static void awaitLeaderAmong(TestEnsemble ensemble, int... ids) throws Exception {
    int leader = ensemble.awaitServing(ids);
    assertTrue(Arrays.stream(ids).anyMatch(id -> id == leader), () -> leader + " leads");
  }

  private static void awaitInActiveSet(TestEnsemble ensemble, int size, int... ids)
      throws Exception {
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> ensemble.monitor(ensemble.awaitServing(ids), "zk_orca_active_set_size") == size,
        () -> "the active set has not " + size + " members: " + ensemble.logs());
  }
}
