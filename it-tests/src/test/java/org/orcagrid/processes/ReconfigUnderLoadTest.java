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

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ServerProgram;

/**
 * Servers join, leave and change between participant and observer by dynamic reconfiguration while
 * clients write and read: nothing that was seen is lost or shown older, and afterwards the new
 * quorum, not the old one, decides what is durable.
 */
@Timeout(180)
class ReconfigUnderLoadTest {
  private static final int JOINER = 4;
  private static final int OPERATIONS = 50;

  @TempDir Path dir;

  private final SeenState state = new SeenState();

  @Test
  void serversJoinLeaveAndChangeRoles() throws Exception {
    try (TestEnsemble ensemble = prepare();
        Load load = new Load(ensemble, state, 1)) {
      for (int id : List.of(1, 2, 3)) {
        ensemble.start(id);
      }
      ensemble.awaitServing(1, 2, 3);
      load.startWriters(1, 2, 3);
      for (int id : List.of(1, 2, 3)) {
        load.startReader(id);
      }
      load.awaitProgress(OPERATIONS, 1, 2, 3);

      ensemble.start(JOINER);
      reconfigure(ensemble, ensemble.serverLine(JOINER, "participant"), null);
      awaitRole(ensemble, JOINER, "follower");
      load.startReader(JOINER);
      load.awaitProgress(OPERATIONS, 1, 2, 3, JOINER);

      int leader = ensemble.awaitServing();
      int follower = leader == JOINER ? 1 : leader % 3 + 1;
      changeRole(ensemble, follower, "observer", "observer");
      load.awaitProgress(OPERATIONS, 1, 2, 3, JOINER);
      changeRole(ensemble, leader, "observer", "observer");
      load.awaitProgress(OPERATIONS, 1, 2, 3, JOINER);
      // One after the other: an observer does not count as part of the quorum that it is to join.
      changeRole(ensemble, follower, "participant", "follower");
      changeRole(ensemble, leader, "participant", "follower");
      load.awaitProgress(OPERATIONS, 1, 2, 3, JOINER);

      // The last reader ends with its server's process, and nobody else notices.
      reconfigure(ensemble, null, Integer.toString(JOINER));
      ensemble.stop(JOINER);
      load.awaitProgress(OPERATIONS, 1, 2, 3);
      aMajorityOfTheNewConfigurationIsEnough(ensemble, load);
      load.stopAndLookAtEverything(1, 2, 3);
    }
    assertEquals(List.of(), state.violations());
  }

  private TestEnsemble prepare() throws Exception {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.put("immediatePaths", Load.IMMEDIATE_PATHS);
    ServerProgram program =
        Programs.orca(settings).withJvmFlags(List.of("-Dzookeeper.skipACL=yes"));
    TestEnsemble ensemble =
        TestEnsemble.prepare(dir, JOINER, program, Map.of("reconfigEnabled", "true"));
    Map<Integer, String> first =
        new TreeMap<>(Map.of(1, "participant", 2, "participant", 3, "participant"));
    for (int id : List.of(1, 2, 3)) {
      ensemble.configure(id, first);
    }
    // Who joins knows the others and takes itself for an observer until it is told.
    Map<Integer, String> withJoiner = new TreeMap<>(first);
    withJoiner.put(JOINER, "observer");
    ensemble.configure(JOINER, withJoiner);
    return ensemble;
  }

  static void reconfigure(TestEnsemble ensemble, String joining, String leaving) throws Exception {
    try (ZooKeeperAdmin admin = ensemble.connect(1, 2, 3)) {
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
      byte[] config = admin.reconfigure(joining, leaving, null, -1, new Stat());
      String text = new String(config, UTF_8);
      return joining == null ? !text.contains("server." + leaving + "=") : text.contains(joining);
    } catch (KeeperException.ConnectionLossException
        | KeeperException.NewConfigNoQuorum
        | KeeperException.ReconfigInProgress e) {
      return false;
    }
  }

  private static void changeRole(TestEnsemble ensemble, int id, String to, String thenIs)
      throws Exception {
    reconfigure(ensemble, ensemble.serverLine(id, to), null);
    awaitRole(ensemble, id, thenIs);
    ensemble.awaitServing();
  }

  static void awaitRole(TestEnsemble ensemble, int id, String role) throws Exception {
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> ensemble.role(id).equals(role),
        () -> "server " + id + " is no " + role + ": " + ensemble.logs());
  }

  /** Of three servers one may go; of the four that were, the two that are left would not do. */
  private static void aMajorityOfTheNewConfigurationIsEnough(TestEnsemble ensemble, Load load)
      throws Exception {
    int leader = ensemble.awaitServing(1, 2, 3);
    ensemble.kill(leader);
    int[] left = leader == 1 ? new int[] {2, 3} : new int[] {1, leader == 2 ? 3 : 2};
    ensemble.awaitServing(left);
    load.awaitProgress(OPERATIONS, left);
    ensemble.start(leader);
    ensemble.awaitServing(1, 2, 3);
  }
}
