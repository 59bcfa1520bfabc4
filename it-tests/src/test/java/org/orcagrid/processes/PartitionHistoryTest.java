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

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.history.HistoryRecorder;
import org.orcagrid.history.ZnodeLoad;
import org.orcagrid.needs.Needs;

/**
 * Everything that clients are told while the leader is cut off from the other servers and not from
 * its clients. {@code -Dminutes=60} goes on for that long, with followers in turn. {@code -Dseed=N}
 * chooses what the clients do.
 */
@Needs(Namespaces.Allowed.class)
@Timeout(4 * 3600)
class PartitionHistoryTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int SERVERS = 3;

  @TempDir Path dir;

  @Test
  void clientsAreToldWhatIsPromised() throws Exception {
    HistoryRecorder recorder = new HistoryRecorder();
    try (Namespaces namespaces = Namespaces.make(SERVERS);
        NamespacedServers servers =
            NamespacedServers.start(
                namespaces, dir, SERVERS, Map.of("orca.immediatePaths", ZnodeLoad.IMMEDIATE));
        ZnodeLoad load = new ZnodeLoad(recorder, SEED, EnsembleHistoryTest.WRITE_PERCENT)) {
      int[] all = servers.all();
      load.prepare(servers.connectString(all));
      EnsembleHistoryTest.startSessions(load, servers, all, true);
      EnsembleHistoryTest.awaitProgress(load, servers);
      long endNanos = System.nanoTime() + Duration.ofMinutes(EnsembleHistoryTest.MINUTES).toNanos();
      boolean theLeader = true;
      do {
        cutOff(namespaces, servers, load, theLeader);
        theLeader = !theLeader;
      } while (System.nanoTime() - endNanos < 0);
      load.close();
      EnsembleHistoryTest.lookAtEverything(load, servers, all);
    }
    assertEquals(List.of(), EnsembleHistoryTest.judge(recorder.history(), "partitions-" + SEED));
  }

  private static void cutOff(
      Namespaces namespaces, NamespacedServers servers, ZnodeLoad load, boolean theLeader)
      throws Exception {
    int[] all = servers.all();
    int leader = servers.awaitLeader(all);
    int victim = theLeader ? leader : leader % SERVERS + 1;
    int[] others = Arrays.stream(all).filter(id -> id != victim).toArray();
    namespaces.cutOff(victim);
    servers.awaitLeader(others);
    EnsembleHistoryTest.awaitProgress(load, servers, others);
    namespaces.heal(victim);
    servers.awaitLeader(all);
    EnsembleHistoryTest.awaitProgress(load, servers);
  }
}
