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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three servers in every combination of modes answer as ZooKeeper does. {@code -Dwrites=N} for so
 * many writes at each server.
 */
@Timeout(120)
class EnsembleTest {
  private static final int WRITES = Integer.getInteger("writes", 40);

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "cad,async,active-set",
    "cad,sync,active-set",
    "sync,sync,active-set",
    "async,async,active-set",
    "cad,async,leader",
    "cad,sync,leader",
    "cad,async,all",
    "async,async,leader",
    "async,sync,all",
    "sync,sync,leader",
    "sync,sync,all"
  })
  void everyServerServesReadsWritesAndWatches(String durability, String replication, String readers)
      throws Exception {
    Map<String, String> settings =
        Map.of(
            "orca.durability", durability,
            "orca.replication", replication,
            "orca.readers", readers);
    try (EmbeddedEnsemble ensemble = new EmbeddedEnsemble(dir, 3, settings).start()) {
      for (int i = 0; i < ensemble.size(); i++) {
        try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString(i))) {
          String path = "/node" + i;
          client.create(path, "a".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
          BlockingQueue<WatchedEvent> events = new LinkedBlockingQueue<>();
          assertArrayEquals("a".getBytes(UTF_8), client.getData(path, events::add, null));
          assertEquals(1, client.setData(path, "b".getBytes(UTF_8), 0).getVersion());
          assertNotNull(events.poll(20, TimeUnit.SECONDS), "the watch fires");
          assertArrayEquals("b".getBytes(UTF_8), client.getData(path, false, null));
          assertThrows(
              KeeperException.BadVersionException.class,
              () -> client.setData(path, "c".getBytes(UTF_8), 7));
          assertThrows(
              KeeperException.NoNodeException.class, () -> client.getData("/none", false, null));
          for (int n = 0; n < WRITES; n++) {
            client.setData(path, Integer.toString(n).getBytes(UTF_8), -1);
            if (n % 10 == 0) {
              assertEquals(
                  Integer.toString(n), new String(client.getData(path, false, null), UTF_8));
            }
          }
        }
      }
      try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString())) {
        client.sync("/", (rc, path, context) -> {}, null);
        assertEquals(
            3, client.getChildren("/", false).stream().filter(n -> n.startsWith("node")).count());
      }
    }
  }
}
