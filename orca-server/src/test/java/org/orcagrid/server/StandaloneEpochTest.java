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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A standalone server never hands out a number that a client may have seen before a crash. */
@Timeout(60)
class StandaloneEpochTest {

  private static final int EPOCH_BITS = 32;

  @TempDir Path dir;

  @Test
  void eachStartBeginsAnEpoch() throws Exception {
    long first = epochOfCreate("/first");
    long second = epochOfCreate("/second");
    assertEquals(first + 1, second);
  }

  @Test
  void anEpochSurvivesTheLossOfTheWholeLog() throws Exception {
    long before = epochOfCreate("/lost");
    // What a power cut can do with asynchronous durability, at its worst.
    try (var files = Files.list(dir.resolve("version-2"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("log.") || name.startsWith("snapshot.")) {
          Files.delete(file);
        }
      }
    }
    assertTrue(epochOfCreate("/found") > before);
  }

  @Test
  void anEpochThatIsNoNumberStopsTheStartAndNamesTheFile() throws Exception {
    epochOfCreate("/node");
    Path file = epochFile();
    Files.writeString(file, "seven");
    IOException refused =
        assertThrows(
            IOException.class, () -> OrcaServer.start(OrcaServerConfig.standalone(dir)).close());
    assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());
    assertTrue(refused.getMessage().contains("'seven'"), refused.getMessage());
  }

  private Path epochFile() throws IOException {
    try (var files = Files.walk(dir)) {
      return files.filter(each -> each.endsWith("orcaEpoch")).findFirst().orElseThrow();
    }
  }

  private long epochOfCreate(String path) throws Exception {
    try (OrcaServer server = OrcaServer.start(OrcaServerConfig.standalone(dir));
        ZooKeeper client = EmbeddedEnsemble.connect(server.connectString())) {
      client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      return client.exists(path, false).getCzxid() >>> EPOCH_BITS;
    }
  }
}
