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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProgram;

/**
 * The same data folders under the released ZooKeeper and under ours, both ways, after a clean stop
 * and after SIGKILL, all at once and server by server.
 */
@Timeout(240)
class DataDirectoryBothWaysTest {
  private static final int NODES = 400;

  @TempDir Path folder;

  private enum End {
    STOP,
    KILL
  }

  private EnsembleSpec spec(ServerProgram program) {
    // A few snapshots on the way: the files that a start reads are then of both kinds.
    return KillUnderLoadTest.spec(3, folder)
        .withSettings(Map.of("snapCount", "100", "extendedTypesEnabled", "true"))
        .withProgram(program.withJvmFlags(KillUnderLoadTest.SMALL));
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void theFoldersMoveFromStockToOursAndBack(End end) throws Exception {
    byte[] large = new byte[300_000];
    Arrays.fill(large, (byte) 'x');
    run(
        ServerProgram.stock(),
        end,
        client -> {
          for (int i = 0; i < NODES; i++) {
            create(client, "/stock-" + i, ("s" + i).getBytes(UTF_8), CreateMode.PERSISTENT);
          }
          create(client, "/large", large, CreateMode.PERSISTENT);
          create(client, "/container", new byte[0], CreateMode.CONTAINER);
          create(client, "/container/child", new byte[0], CreateMode.PERSISTENT);
          create(client, "/sequence", new byte[0], CreateMode.PERSISTENT);
          create(client, "/sequence/n-", new byte[0], CreateMode.PERSISTENT_SEQUENTIAL);
          client.create("/read-only", new byte[0], Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);
          create(client, "/ephemeral", new byte[0], CreateMode.EPHEMERAL);
        });
    run(
        ServerProgram.orca(),
        end,
        client -> {
          for (int i = 0; i < NODES; i++) {
            assertEquals("s" + i, text(client, "/stock-" + i));
          }
          assertArrayEquals(large, client.getData("/large", false, null));
          assertEquals(List.of("child"), client.getChildren("/container", false));
          assertEquals(Ids.READ_ACL_UNSAFE, client.getACL("/read-only", new Stat()));
          assertEquals(
              "/sequence/n-0000000001",
              create(client, "/sequence/n-", new byte[0], CreateMode.PERSISTENT_SEQUENTIAL));
          for (int i = 0; i < NODES; i++) {
            client.setData("/stock-" + i, ("o" + i).getBytes(UTF_8), 0);
          }
          client.multi(
              List.of(
                  Op.delete("/large", -1),
                  Op.create("/multi", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)));
          // Read, and therefore durable.
          assertNull(client.exists("/large", false));
        });
    run(
        ServerProgram.stock(),
        end,
        client -> {
          for (int i = 0; i < NODES; i++) {
            assertEquals("o" + i, text(client, "/stock-" + i));
            assertEquals(1, client.exists("/stock-" + i, false).getVersion());
          }
          assertNull(client.exists("/large", false));
          assertNotNull(client.exists("/multi", false));
          assertEquals(2, client.getChildren("/sequence", false).size());
          assertNull(client.exists("/ephemeral", false), "its session ended with its client");
        });
  }

  @FunctionalInterface
  private interface Work {
    void run(ZooKeeper client) throws Exception;
  }

  private void run(ServerProgram program, End end, Work work) throws Exception {
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec(program))) {
      ensemble.awaitServing(Clients.LIMIT);
      try (ZooKeeper client = Clients.connect(ensemble.connectString())) {
        work.run(client);
      }
      for (int id = 1; id <= 3; id++) {
        if (end == End.KILL) {
          ensemble.kill(id);
        } else {
          ensemble.stop(id);
        }
      }
    }
  }

  private static String create(ZooKeeper client, String path, byte[] data, CreateMode mode)
      throws Exception {
    return client.create(path, data, Ids.OPEN_ACL_UNSAFE, mode);
  }

  private static String text(ZooKeeper client, String path) throws Exception {
    return new String(client.getData(path, false, null), UTF_8);
  }

  @Test
  void whatWasReadSurvivesAnExchangeOfTheServersOneByOne() throws Exception {
    ServerProgram stock = ServerProgram.stock().withJvmFlags(KillUnderLoadTest.SMALL);
    ServerProgram orca = ServerProgram.orca().withJvmFlags(KillUnderLoadTest.SMALL);
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec(stock))) {
      ensemble.awaitServing(Clients.LIMIT);
      for (ServerProgram next : List.of(orca, stock)) {
        for (int id = 1; id <= 3; id++) {
          String path = "/step-" + id + "-" + next.mainClass();
          Clients.persistently(
              ensemble.connectString(),
              client -> {
                if (client.exists(path, false) == null) {
                  client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                }
                return client.getData(path, false, null);
              });
          ensemble.stop(id);
          ensemble.start(id, next);
          ensemble.awaitServing(Clients.LIMIT);
        }
      }
      for (ServerProgram each : List.of(orca, stock)) {
        for (int id = 1; id <= 3; id++) {
          String path = "/step-" + id + "-" + each.mainClass();
          assertNotNull(
              Clients.persistently(ensemble.connectString(), client -> client.exists(path, false)),
              path);
        }
      }
    }
  }
}
