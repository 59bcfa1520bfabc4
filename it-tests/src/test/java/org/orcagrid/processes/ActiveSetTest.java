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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who answers reads, and what becomes of those who may not, with three server processes. Those with
 * the usual settings are started once; each test leaves them running.
 */
@Timeout(180)
class ActiveSetTest {
  private static final String NODE = "/node";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int READS = 100;
  private static final List<String> ROLES = List.of("follower", "follower", "leader");

  @TempDir static Path usualDir;
  private static TestEnsemble usual;

  @TempDir Path dir;

  private TestEnsemble ensemble;
  private int leader;
  private int follower;
  private int other;

  private void start() throws Exception {
    if (usual == null) {
      usual = start(usualDir, Programs.CAD);
    }
    use(usual);
  }

  private void start(String setting, String value) throws Exception {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.put(setting, value);
    use(start(dir, settings));
  }

  private static TestEnsemble start(Path dir, Map<String, String> settings) throws Exception {
    TestEnsemble started =
        TestEnsemble.prepare(dir, 3, Programs.orca(settings), Map.of()).startAll();
    try (ZooKeeper client = started.connect(started.all())) {
      client.create(NODE, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
    return started;
  }

  private void use(TestEnsemble servers) throws Exception {
    ensemble = servers;
    // One that stood still, in the test before, may take itself for the leader for a moment.
    Eventually.await(
        LIMIT,
        () ->
            Arrays.stream(ensemble.all()).mapToObj(ensemble::role).sorted().toList().equals(ROLES),
        () -> "there is not one leader: " + ensemble.logs());
    leader = ensemble.awaitServing();
    follower = leader % 3 + 1;
    other = follower % 3 + 1;
    try (ZooKeeper client = ensemble.connect(leader)) {
      client.setData(NODE, "0".getBytes(UTF_8), -1);
    }
  }

  @AfterEach
  void stop() {
    if (ensemble != null && ensemble != usual) {
      ensemble.close();
    }
  }

  @AfterAll
  static void stopUsual() {
    if (usual != null) {
      usual.close();
    }
  }

  private void awaitSetOf(int size) throws Exception {
    Eventually.await(
        LIMIT,
        () -> ensemble.monitor(leader, "zk_orca_active_set_size") == size,
        () -> "the active set has not become one of " + size + ": " + ensemble.logs());
  }

  private long askedOfLeader(int server) throws Exception {
    return ensemble.monitor(server, "zk_orca_reads_through_leader_total");
  }

  private static String read(ZooKeeper client) throws Exception {
    return new String(client.getData(NODE, false, null), UTF_8);
  }

  @Test
  void membersAnswerFromTheirOwnState() throws Exception {
    start();
    awaitSetOf(3);
    for (int server : new int[] {follower, other}) {
      Eventually.await(
          LIMIT,
          () -> ensemble.monitor(server, "zk_orca_holds_lease") == 1,
          () -> "server " + server + " holds no lease");
      try (ZooKeeper client = ensemble.connect(server)) {
        // A pause of the machine may let a lease end, but not each time.
        Eventually.await(
            LIMIT,
            () -> {
              long before = askedOfLeader(server);
              for (int n = 0; n < READS; n++) {
                assertEquals("0", read(client));
              }
              return askedOfLeader(server) == before;
            },
            () -> "reads of server " + server + " go to the leader: " + ensemble.logs());
      }
    }
  }

  @Test
  void aSessionThatWantsItSeesEveryWriteThatWasAcknowledgedBefore() throws Exception {
    start();
    awaitSetOf(3);
    try (ZooKeeper writer = ensemble.connect(leader);
        ZooKeeper reader = ensemble.connect(follower)) {
      reader.addAuthInfo("orca", "read=linearizable".getBytes(UTF_8));
      assertEquals("0", read(reader));
      long before = askedOfLeader(follower);
      for (int n = 1; n <= READS; n++) {
        writer.setData(NODE, Integer.toString(n).getBytes(UTF_8), -1);
        assertEquals(Integer.toString(n), read(reader));
      }
      assertTrue(askedOfLeader(follower) - before >= READS, "every read was confirmed");
      reader.addAuthInfo("orca", "read=default".getBytes(UTF_8));
    }
  }

  @Test
  void aServerThatIsToConfirmEveryReadDoes() throws Exception {
    start("readConsistency", "linearizable");
    try (ZooKeeper writer = ensemble.connect(leader);
        ZooKeeper reader = ensemble.connect(follower)) {
      for (int n = 1; n <= READS; n++) {
        writer.setData(NODE, Integer.toString(n).getBytes(UTF_8), -1);
        assertEquals(Integer.toString(n), read(reader));
      }
    }
  }

  @Test
  void syncBeforeAReadMakesItLinearizable() throws Exception {
    start();
    awaitSetOf(3);
    try (ZooKeeper writer = ensemble.connect(leader);
        ZooKeeper reader = ensemble.connect(follower)) {
      for (int n = 1; n <= READS; n++) {
        writer.setData(NODE, Integer.toString(n).getBytes(UTF_8), -1);
        reader.sync(NODE, (rc, path, context) -> {}, null);
        assertEquals(Integer.toString(n), read(reader));
      }
    }
  }

  @Test
  void aFollowerThatStandsStillHoldsReadsUpForTheRemovalTimeOnly() throws Exception {
    start();
    awaitSetOf(3);
    try (ZooKeeper client = ensemble.connect(leader)) {
      ensemble.pause(other);
      assertEquals("0", read(client), "what all have applied is answered at once");
      client.setData(NODE, "1".getBytes(UTF_8), -1);
      long began = System.nanoTime();
      assertEquals("1", read(client));
      long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
      assertTrue(millis < 5_000, "waited for " + millis + " ms");
      awaitSetOf(2);
      try (ZooKeeper elsewhere = ensemble.connect(follower)) {
        assertEquals("1", read(elsewhere));
      }
      ensemble.resume(other);
      awaitSetOf(3);
    }
  }

  @Test
  void aSmallerSetSendsTheOthersReadsToTheLeader() throws Exception {
    start("activeSetSize", "majority");
    awaitSetOf(2);
    int[] lonely =
        Arrays.stream(new int[] {follower, other})
            .filter(
                server -> {
                  try {
                    return ensemble.monitor(server, "zk_orca_holds_lease") == 0;
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                })
            .toArray();
    assertTrue(lonely.length >= 1, "one of them holds no lease");
    try (ZooKeeper writer = ensemble.connect(leader);
        ZooKeeper reader = ensemble.connect(lonely[0])) {
      for (int n = 1; n <= READS; n++) {
        writer.setData(NODE, Integer.toString(n).getBytes(UTF_8), -1);
        reader.getData(NODE, false, null);
      }
      writer.sync(NODE, (rc, path, context) -> {}, null);
      assertEquals(Integer.toString(READS), read(reader));
    }
  }

  @Test
  void aReadThatNobodyConfirmsEndsWithTheConnection() throws Exception {
    start();
    awaitSetOf(3);
    try (ZooKeeper client = ensemble.connect(follower)) {
      assertEquals("0", read(client));
      ensemble.pause(leader);
      assertThrows(
          KeeperException.ConnectionLossException.class,
          () -> {
            // Its lease lasts for a moment.
            for (int n = 0; n < 1_000_000; n++) {
              read(client);
            }
          });
      ensemble.resume(leader);
    }
  }

  @Test
  void aServerThatHasPromisedRemembersIt() throws Exception {
    start();
    awaitSetOf(3);
    for (int server : ensemble.all()) {
      Path promise = ensemble.dataDir(server).resolve("version-2").resolve("orcaPromise");
      assertEquals("600", Files.readAllLines(promise).get(0));
    }
  }
}
