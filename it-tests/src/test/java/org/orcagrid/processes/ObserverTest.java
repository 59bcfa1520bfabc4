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
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An observer answers reads as a follower does, through the leader and not before what they show is
 * durable, and its own disk counts for nothing.
 */
@Timeout(120)
class ObserverTest {
  private static final int OBSERVER = 4;
  private static final int OPERATIONS = 40;

  @TempDir static Path dir;

  private static TestEnsemble ensemble;

  @BeforeAll
  static void startThreeParticipantsAndAnObserver() throws Exception {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.put("immediatePaths", Load.IMMEDIATE_PATHS);
    // Nothing becomes durable in time for the test unless a read asks for it.
    settings.put("flushIntervalMs", "60000");
    ensemble = TestEnsemble.prepare(dir, OBSERVER, Programs.orca(settings), Map.of());
    Map<Integer, String> roles = new TreeMap<>();
    for (int id : ensemble.all()) {
      roles.put(id, id == OBSERVER ? "observer" : "participant");
    }
    for (int id : ensemble.all()) {
      ensemble.configure(id, roles);
    }
    ensemble.startAll();
    assertEquals("observer", ensemble.role(OBSERVER));
  }

  @AfterAll
  static void endServers() {
    ensemble.close();
  }

  @Test
  void whatItShowsIsDurableFirst() throws Exception {
    int leader = ensemble.awaitServing();
    try (ZooKeeper there = ensemble.connect(leader);
        ZooKeeper here = ensemble.connect(OBSERVER)) {
      there.create("/k", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      // What the answer to a write shows of other sessions is durable first, too.
      here.getData("/k", false, null);
      for (byte i = 1; i <= 20; i++) {
        byte[] value = {i};
        // A write through the leader is read here at once, and the other way round.
        ZooKeeper writer = i % 2 == 0 ? there : here;
        long zxid = writer.setData("/k", value, -1).getMzxid();
        assertTrue(durableIndex(OBSERVER) < zxid, "the write was answered at once");
        assertArrayEquals(value, here.getData("/k", false, null));
        assertTrue(durableIndex(OBSERVER) >= zxid, "the read waited");
        long participants = IntStream.of(1, 2, 3).filter(id -> persistedIndex(id) >= zxid).count();
        assertTrue(participants >= 2, "the participants' disks count");
        assertArrayEquals(value, there.getData("/k", false, null));
      }
    }
  }

  @Test
  void afterItsKillItCatchesUpUnderLoad() throws Exception {
    SeenState state = new SeenState();
    try (Load load = new Load(ensemble, state, 1)) {
      load.startWriters(1, 2, 3);
      int leader = ensemble.awaitServing();
      load.startReader(leader);
      load.startReader(leader % 3 + 1);
      load.startReader(OBSERVER);
      load.awaitProgress(OPERATIONS, leader, OBSERVER);
      ensemble.kill(OBSERVER);
      load.awaitProgress(OPERATIONS, leader);
      ensemble.start(OBSERVER);
      ensemble.awaitServing();
      load.awaitProgress(OPERATIONS, leader, OBSERVER);
      // It follows the next leader as well.
      ensemble.kill(leader);
      load.awaitProgress(OPERATIONS, OBSERVER);
      ensemble.start(leader);
      ensemble.awaitServing();
      load.stopAndLookAtEverything(ensemble.all());
    }
    assertEquals(List.of(), state.violations());
    try (ZooKeeper client = ensemble.connect(OBSERVER)) {
      assertTrue(Long.parseLong(new String(client.getData("/plain", false, null), UTF_8)) > 0);
    }
  }

  private static long durableIndex(int id) throws Exception {
    return ensemble.monitor(id, "zk_orca_durable_index");
  }

  private static long persistedIndex(int id) {
    try {
      return ensemble.monitor(id, "zk_orca_persisted_index");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
