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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProgram;

/** Dynamic reconfiguration, observers, containers and TTL nodes, while clients write and read. */
@Timeout(240)
class MembershipTest {
  private static final int PROGRESS = 200;

  @TempDir Path folder;

  private EnsembleSpec spec(int servers) {
    return KillUnderLoadTest.spec(servers, folder)
        .withSettings(
            Map.of(
                "reconfigEnabled", "true",
                "skipACL", "yes",
                "extendedTypesEnabled", "true"))
        .withProgram(
            ServerProgram.orca()
                .withJvmFlags(KillUnderLoadTest.SMALL)
                .withJvmFlags(List.of("-Dznode.container.checkIntervalMs=500")));
  }

  @Test
  void serversLeaveJoinAndChangeTheirPartUnderLoad() throws Exception {
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec(3))) {
      ensemble.awaitServing(Clients.LIMIT);
      List<String> addresses = KillUnderLoadTest.addresses(ensemble);
      try (Load load = Load.start(addresses.subList(0, 2));
          ZooKeeperAdmin admin = admin(String.join(",", addresses.subList(0, 2)))) {
        load.awaitProgress(PROGRESS);
        reconfigure(admin, null, "3");
        assertFalse(config(admin).contains("server.3"));
        load.awaitProgress(PROGRESS);
        reconfigure(admin, line(ensemble.member(3), "participant"), null);
        assertTrue(config(admin).contains("server.3"));
        load.awaitProgress(PROGRESS);
        reconfigure(admin, line(ensemble.member(3), "observer"), null);
        assertTrue(config(admin).contains(":observer"));
        load.awaitProgress(PROGRESS);
        // With one of three an observer, both others are needed; then the third votes again.
        reconfigure(admin, line(ensemble.member(3), "participant"), null);
        ensemble.awaitServing(Clients.LIMIT);
        load.awaitProgress(PROGRESS);
        load.finish();
      }
    }
  }

  private static ZooKeeperAdmin admin(String servers) throws Exception {
    Clients.connect(servers).close();
    return new ZooKeeperAdmin(servers, 10_000, event -> {});
  }

  private static String line(EnsembleMember member, String role) {
    return "server.%d=127.0.0.1:%d:%d:%s;127.0.0.1:%d"
        .formatted(
            member.id(), member.quorumPort(), member.electionPort(), role, member.clientPort());
  }

  /** Like an operator: again, when the old leader has gone with the answer or is busy. */
  private static void reconfigure(ZooKeeperAdmin admin, String joining, String leaving)
      throws Exception {
    Clients.await(
        () -> {
          try {
            admin.reconfigure(joining, leaving, null, -1, new Stat());
            return true;
          } catch (KeeperException.ReconfigInProgress
              | KeeperException.NewConfigNoQuorum
              | KeeperException.ConnectionLossException e) {
            return false;
          }
        });
  }

  private static String config(ZooKeeperAdmin admin) throws Exception {
    return new String(admin.getConfig(false, new Stat()), UTF_8);
  }

  @Test
  void anObserverReadsWritesAndCatchesUp() throws Exception {
    Map<String, String> observing = Map.of("peerType", "observer");
    try (EnsembleProcesses ensemble =
        EnsembleProcesses.start(spec(4).withSettingsOf(4, observing))) {
      ensemble.awaitServing(Clients.LIMIT);
      assertEquals("observer", ensemble.probe(4).role());
      try (Load load = Load.start(KillUnderLoadTest.addresses(ensemble))) {
        load.awaitProgress(PROGRESS);
        ensemble.kill(4);
        load.awaitProgress(PROGRESS);
        ensemble.start(4);
        ensemble.awaitServing(Clients.LIMIT);
        load.awaitProgress(PROGRESS);
        load.finish();
      }
    }
  }

  @Test
  void containersAndTtlNodesGoAfterALeaderChange() throws Exception {
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec(3))) {
      int leader = ensemble.awaitServing(Clients.LIMIT);
      String all = ensemble.connectString();
      Clients.persistently(
          all,
          client -> {
            client.create("/box", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
            client.create("/box/a", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.delete("/box/a", -1);
            client.create(
                "/ttl",
                new byte[0],
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT_WITH_TTL,
                new Stat(),
                1_000);
            client.create("/stays", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            // Read, and therefore durable: it survives the leader.
            return client.getChildren("/", false);
          });
      ensemble.kill(leader);
      ensemble.awaitLeader(Clients.LIMIT);
      Clients.await(
          () -> {
            List<String> names =
                Clients.persistently(all, client -> client.getChildren("/", false));
            assertTrue(names.contains("stays"), names::toString);
            return !names.contains("box") && !names.contains("ttl");
          });
    }
  }
}
