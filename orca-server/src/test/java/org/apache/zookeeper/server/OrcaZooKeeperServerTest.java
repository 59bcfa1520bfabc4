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
package org.apache.zookeeper.server;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.settings.OrcaSettings;

@Timeout(60)
class OrcaZooKeeperServerTest {
  @TempDir File folder;

  private OrcaZooKeeperServer server;

  @AfterEach
  void stop() {
    server.shutdown();
  }

  @Test
  void aTreeThatAnAdministratorRestoresIsTheServersTree() throws Exception {
    start("sync", "all");
    create("/before");
    File snapshot = server.takeSnapshot(false, false);
    create("/after");
    try (InputStream in = new FileInputStream(snapshot)) {
      server.restoreFromSnapshot(in);
    }
    assertNotNull(node("/before"));
    assertNull(node("/after"));
  }

  @Test
  void itRestoresNothingWhereReadersRelyOnWhatTheyHaveSeen() throws Exception {
    start("cad", "active-set");
    create("/seen");
    IOException refusal =
        assertThrows(
            IOException.class, () -> server.restoreFromSnapshot(InputStream.nullInputStream()));
    assertTrue(refusal.getMessage().startsWith("restore needs orca.durability=sync"));
    assertNotNull(node("/seen"));
  }

  private void start(String durability, String readers) throws Exception {
    Properties settings = new Properties();
    settings.setProperty("orca.durability", durability);
    settings.setProperty("orca.readers", readers);
    OrcaSettings sync = OrcaSettings.from(settings);
    OrcaTxnSnapLog log = new OrcaTxnSnapLog(folder, folder, OrcaFiles.storage(sync));
    server = new OrcaZooKeeperServer(sync, null, log, 1_000, -1, -1, -1, "");
    server.startdata();
    server.startup();
  }

  private void create(String path) throws Exception {
    DataTree tree = server.getZKDatabase().getDataTree();
    tree.createNode(path, new byte[] {1}, Ids.OPEN_ACL_UNSAFE, 0, 0, 1, 1);
  }

  private DataNode node(String path) {
    return server.getZKDatabase().getNode(path);
  }
}
