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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.needs.Needs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers in network namespaces, one of which is cut off from the others while clients go on to ask
 * it: no packet comes through, and no connection is closed.
 */
@Needs(Namespaces.Allowed.class)
@Timeout(300)
class PartitionTest {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionTest.class);
  private static final int SERVERS = 3;
  private static final int OPERATIONS = 50;

  @TempDir Path dir;

  private final SeenState state = new SeenState();

  @Test
  void aLeaderThatIsCutOffShowsNothingOlderThanItsSuccessor() throws Exception {
    cutOff(true);
  }

  @Test
  void aFollowerThatIsCutOffShowsNothingOlderThanTheOthers() throws Exception {
    cutOff(false);
  }

  private void cutOff(boolean theLeader) throws Exception {
    try (Namespaces namespaces = Namespaces.make(SERVERS);
        NamespacedServers servers =
            NamespacedServers.start(
                namespaces, dir, SERVERS, Map.of("orca.immediatePaths", Load.IMMEDIATE_PATHS));
        Load load = new Load(servers, state, 7)) {
      int[] all = servers.all();
      int leader = servers.awaitLeader(all);
      int victim = theLeader ? leader : leader % SERVERS + 1;
      int[] others = Arrays.stream(all).filter(id -> id != victim).toArray();
      load.startWriters(all);
      for (int id : all) {
        load.startReader(id);
      }
      load.awaitProgress(OPERATIONS, all);

      long beginNanos = System.nanoTime();
      namespaces.cutOff(victim);
      if (theLeader) {
        assertNotEquals(leader, servers.awaitLeader(others));
      }
      load.awaitProgress(OPERATIONS, others);
      LOG.info(
          "{} cut off: the others go on after {} ms",
          theLeader ? "Leader" : "Follower",
          (System.nanoTime() - beginNanos) / 1_000_000);

      namespaces.heal(victim);
      servers.awaitLeader(all);
      load.awaitProgress(OPERATIONS, all);
      load.stopAndLookAtEverything(all);
      assertEquals(List.of(), state.violations());
      assertTrue(load.writes() > 0 && load.reads() > 0);
    }
  }
}
