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
package org.orcagrid.server.log;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.zookeeper.server.OrcaZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.settings.OrcaSettings;

/** What the AdminServer's {@code snapshot} and {@code restore} get of a server. */
@Timeout(60)
class AdminSnapshotTest {
  @TempDir Path dir;

  private final ScriptedStorage storage = new ScriptedStorage();
  private OrcaZooKeeperServer server;

  @BeforeEach
  void startWithADiskThatHangs() throws Exception {
    File folder = dir.toFile();
    server =
        new OrcaZooKeeperServer(
            OrcaSettings.defaults(),
            null,
            new OrcaTxnSnapLog(folder, folder, storage),
            2000,
            -1,
            -1,
            -1,
            "");
    server.startdata();
    long before = server.getLastProcessedZxid();
    storage.holdForces();
    server.startup();
    // Its first transaction begins an epoch.
    while (server.getLastProcessedZxid() == before) {
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void stop() {
    storage.releaseForces();
    server.shutdown();
  }

  @Test
  void aSnapshotIsHandedOutOnceItIsDurable() throws IOException {
    IOException refused = assertThrows(IOException.class, () -> server.takeSnapshot(false, false));
    assertTrue(refused.getMessage().contains("not durable yet"), refused.getMessage());
    storage.releaseForces();
    File snapshot = server.takeSnapshot(false, false);
    assertTrue(snapshot.isFile(), snapshot.getName());
    assertFalse(OrcaTxnSnapLog.isPending(snapshot), snapshot.getName());
  }

  @Test
  void whatClientsHaveReadIsNotReplaced() {
    IOException refused =
        assertThrows(
            IOException.class,
            () -> server.restoreFromSnapshot(new ByteArrayInputStream(new byte[0])));
    assertTrue(refused.getMessage().contains("orca.durability=sync"), refused.getMessage());
  }
}
