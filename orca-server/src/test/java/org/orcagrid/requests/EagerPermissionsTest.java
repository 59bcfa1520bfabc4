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
package org.orcagrid.requests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.EmbeddedEnsemble;

/** Servers that check permissions before writes are ordered ({@code enableEagerACLCheck}). */
@Timeout(120)
class EagerPermissionsTest {
  private static final int READS = 50;

  /** What has gone through a commit processor and is no write, of all servers of this JVM. */
  private static final String QUEUED = "zk_cnt_read_commitproc_time_ms";

  @TempDir Path dir;

  @AfterEach
  void asBefore() {
    ZooKeeperServer.setEnableEagerACLCheck(false);
  }

  @Test
  void aRefusedWriteLeavesTheReadsOfItsConnectionWithTheThreadThatReceivesThem() throws Exception {
    ZooKeeperServer.setEnableEagerACLCheck(true);
    try (EmbeddedEnsemble ensemble = new EmbeddedEnsemble(dir, 3, Map.of()).start();
        ZooKeeper creator = EmbeddedEnsemble.connect(ensemble.connectString())) {
      creator.create("/mine", new byte[] {1}, Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);
      for (int i = 0; i < ensemble.size(); i++) {
        try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString(i))) {
          client.sync("/mine");
          assertThrows(
              KeeperException.NoAuthException.class,
              () -> client.setData("/mine", new byte[] {2}, -1));
          long before = queuedReads(ensemble, i);
          for (int read = 0; read < READS; read++) {
            assertArrayEquals(new byte[] {1}, client.getData("/mine", false, null));
          }
          long queued = queuedReads(ensemble, i) - before;
          // Pings count as well, and a read that meets a transaction is queued.
          assertTrue(queued < READS / 2, "at server " + i + ": " + queued);
        }
      }
    }
  }

  private static long queuedReads(EmbeddedEnsemble ensemble, int server) throws Exception {
    String[] at = ensemble.connectString(server).split(":");
    return FourLetterWordMain.send4LetterWord(at[0], Integer.parseInt(at[1]), "mntr")
        .lines()
        .filter(line -> line.startsWith(QUEUED + "\t"))
        .mapToLong(line -> Math.round(Double.parseDouble(line.split("\t")[1])))
        .findFirst()
        .orElseThrow(() -> new AssertionError("mntr has no " + QUEUED));
  }
}
