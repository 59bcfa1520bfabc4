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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code orca grid remove} where a server of the ensemble hosts the node, with real processes. */
@Timeout(120)
class GridVotersTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final byte[] OPERATOR = "super:operator".getBytes(StandardCharsets.UTF_8);

  /** What ZooKeeper makes of that. */
  private static final String OPERATOR_DIGEST = "super:50PTL5uPffq+H9AbDUx3SkOIHNQ=";

  @TempDir private Path folder;

  private static void accepted(Cli cli, String... parts) {
    assertEquals(0, cli.exitCode(), cli::toString);
    for (String part : parts) {
      assertTrue(cli.out().contains(part), cli::toString);
    }
  }

  private static void refused(Cli cli, String... parts) {
    assertEquals(1, cli.exitCode(), cli::toString);
    for (String part : parts) {
      assertTrue(cli.err().contains(part), cli::toString);
    }
  }

  @Test
  void aNodeThatIsAddedGetsTheVoteOfOneThatWasRemoved() throws Exception {
    int base = FreePorts.find(1, new Random()).get(0);
    Cli started =
        Cli.run(
            "grid",
            "start",
            "3",
            "--dir",
            folder,
            "--base-port",
            base,
            "--set",
            "grid.value.bytes=1000");
    accepted(started);
    try {
      Cli removed = Cli.run("grid", "remove", "1", "--dir", folder);
      accepted(
          removed,
          "The ensemble's voters are servers 2, 3: it needs all of them.",
          "Removed node 1; its folder is " + folder.resolve("server-1.removed-1"),
          "Grid.connect(\"127.0.0.1:" + (base + 1) + ",127.0.0.1:" + (base + 2) + "\")");
      Cli two = Cli.run("grid", "status", "--dir", folder);
      accepted(two, "\nThe ensemble's voters are servers 2, 3: it needs all of them.");
      assertFalse(two.out().lines().anyMatch(line -> line.startsWith("1 ")), two::toString);
      refused(
          Cli.run("grid", "remove", "2", "--dir", folder),
          "The ensemble's voters are servers 2, 3: with fewer than two",
          "'orca grid add'");

      accepted(
          Cli.run("grid", "add", "--dir", folder),
          "Node 4 gets a vote in the ensemble.",
          "The ensemble's voters are servers 2, 3, 4: it goes on while 2 of them run.");
      accepted(Cli.run("grid", "stop", "--dir", folder), "Stopped 3 of 3 nodes.");
      Cli again = Cli.run("grid", "start", "3", "--dir", folder);
      accepted(again);
      assertFalse(again.out().contains("vote"), again::toString);
      accepted(
          Cli.run("grid", "status", "--dir", folder),
          "The ensemble's voters are servers 2, 3, 4: it goes on while 2 of them run.");
    } finally {
      Cli.run("grid", "stop", "--dir", folder);
    }
  }

  @Test
  void anEnsembleOfOtherMachinesIsChangedAsFarAsItLetsAnybody() throws Exception {
    List<Integer> ports = FreePorts.find(3, new Random());
    EnsembleSpec spec =
        EnsembleSpec.of(3, folder)
            .withSettings(
                Map.of(
                    "reconfigEnabled", "true",
                    "orca.grid.value.bytes", "1000",
                    "DigestAuthenticationProvider.superDigest", OPERATOR_DIGEST));
    for (int server = 1; server <= 3; server++) {
      spec = spec.withSettingsOf(server, Map.of("orca.grid", "127.0.0.1:" + ports.get(server - 1)));
    }
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec)) {
      ensemble.awaitServing(LIMIT);
      Path config = folder.resolve("grid.cfg");
      Files.writeString(
          config,
          "grid.address=127.0.0.1:1\ngrid.size=3\ngrid.ensemble="
              + ensemble.connectString()
              + "\n");
      Object[] second = {
        "grid", "remove", "--config", config, "127.0.0.1:" + ports.get(1), "--timeout", "30"
      };
      Cli stranger = Cli.run(second);
      Deadline deadline = Deadline.in(LIMIT);
      while (stranger.err().contains("There is no grid")
          || stranger.err().contains("does not serve")) {
        assertFalse(deadline.passed(), stranger::toString);
        stranger = Cli.run(second);
      }
      refused(
          stranger,
          "lets nobody but its superuser change its servers",
          "'orca cli -server " + ensemble.connectString() + "', there 'addauth digest",
          "'reconfig -remove 2'; then repeat this command.");

      admit(ensemble.connectString());
      accepted(
          Cli.run(second),
          "The ensemble's voters are servers 1, 3: it needs all of them.",
          "Removed the node at 127.0.0.1:" + ports.get(1),
          "Stop server 2, which is in the ensemble no more",
          "orca.grid.size=3");
      assertTrue(
          deadline.await(() -> said(ensemble, 2).contains("this server hosts none any more")));
      assertTrue(ensemble.running(2), "the server is its operator's to stop");
      refused(
          Cli.run(
              "grid", "remove", "--config", config, "127.0.0.1:" + ports.get(2), "--timeout", "30"),
          "The ensemble's voters are servers 1, 3: with fewer than two");
    }
  }

  private static String said(EnsembleProcesses ensemble, int server) throws CommandFailure {
    try {
      return String.join("\n", ensemble.said(server, 100));
    } catch (IOException e) {
      throw new CommandFailure("The log cannot be read", e);
    }
  }

  /** Lets anybody change the ensemble's servers, as its operator. */
  private static void admit(String servers) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper operator =
        new ZooKeeper(
            servers,
            10_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            })) {
      operator.addAuthInfo("digest", OPERATOR);
      assertTrue(connected.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
      operator.setACL(ZooDefs.CONFIG_NODE, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
    }
  }
}
