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
package org.orcagrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which starts write a snapshot: stock writes one at each, and before each term of a leader. */
@Timeout(120)
class StartSnapshotTest {
  private static final int NODES = 8;
  private static final int BYTES = 500_000;

  /** After the first the log behind the snapshot is long, after the second it is not. */
  private static final int STARTS = 2;

  /** Each of three servers may lead at any of them. */
  private static final int STARTS_OF_THREE = 10;

  @TempDir Path dir;

  @Test
  void aLargeTreeIsNotWrittenAgainBySomebodyWhoHasIt() throws Exception {
    for (int start = 0; start <= STARTS; start++) {
      restart(start == 0 ? BYTES : 0);
    }
    List<String> before = snapshots(dir);
    restart(0);
    assertEquals(before, snapshots(dir));
  }

  @Test
  void norByALeaderBeforeItsTerm() throws Exception {
    EmbeddedEnsemble ensemble = new EmbeddedEnsemble(dir, 3, Map.of());
    restart(ensemble, BYTES);
    List<String> before;
    int starts = 0;
    do {
      before = snapshots(dir);
      restart(ensemble, 0);
      starts++;
    } while (!before.equals(snapshots(dir)) && starts < STARTS_OF_THREE);
    assertEquals(before, snapshots(dir));
  }

  @Test
  void aDigestThatIsDamagedHasAnotherSnapshotTaken() throws Exception {
    for (int start = 0; start <= STARTS; start++) {
      restart(start == 0 ? BYTES : 0);
    }
    List<String> before = snapshots(dir);
    try (var files = Files.walk(dir)) {
      for (Path each :
          files.filter(it -> it.getFileName().toString().startsWith("digest.")).toList()) {
        Files.writeString(each, "# nothing");
      }
    }
    restart(0);
    assertNotEquals(before, snapshots(dir));
  }

  @Test
  void aSmallTreeIsAndItsLogNeedNotBeReplayed() throws Exception {
    restart(1);
    List<String> before = snapshots(dir);
    restart(0);
    assertNotEquals(before, snapshots(dir));
  }

  private void restart(int bytes) throws Exception {
    try (OrcaServer server = OrcaServer.start(OrcaServerConfig.standalone(dir));
        ZooKeeper client = EmbeddedEnsemble.connect(server.connectString())) {
      writeAndLook(client, bytes);
    }
  }

  private static void restart(EmbeddedEnsemble ensemble, int bytes) throws Exception {
    try (ensemble) {
      ensemble.start();
      try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString())) {
        writeAndLook(client, bytes);
      }
    }
  }

  private static void writeAndLook(ZooKeeper client, int bytes) throws Exception {
    for (int i = 0; i < NODES; i++) {
      if (bytes > 0) {
        client.create("/n" + i, new byte[bytes], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      }
      client.getData("/n" + i, false, null);
    }
  }

  private static List<String> snapshots(Path dir) throws IOException {
    try (var files = Files.walk(dir)) {
      return files
          .map(each -> dir.relativize(each).toString())
          .filter(each -> each.matches(".*/(pending-\\d+-)?snapshot[^/]*"))
          .sorted()
          .toList();
    }
  }
}
