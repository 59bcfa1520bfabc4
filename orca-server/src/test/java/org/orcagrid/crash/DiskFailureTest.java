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
package org.orcagrid.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.server.EmbeddedEnsemble;
import org.orcagrid.server.log.LogStorage;

/** A server whose disk fails stops, whatever its part was; the others go on without it. */
@Timeout(120)
class DiskFailureTest {
  private static final int SERVERS = 3;

  @TempDir Path dir;

  // The one with the highest number leads.
  @ParameterizedTest
  @ValueSource(ints = {0, SERVERS - 1})
  void aServerWhoseDiskFailsStopsAndTheOthersGoOn(int failing) throws Exception {
    List<ForgetfulStorage> disks = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      disks.add(new ForgetfulStorage(false));
    }
    try (EmbeddedEnsemble ensemble =
        new EmbeddedEnsemble(dir, SERVERS, Map.of("orca.durability", "cad"))
            .adjusted(ForgetfulStorage.beneath(disks))
            .start()) {
      try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString())) {
        client.create("/k", bytes(0), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      }
      disks.get(failing).powerCut();
      writeAndRead(ensemble, 1);
      ensemble.awaitStopped(failing);
      writeAndRead(ensemble, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SERVERS - 1})
  void soDoesOneWithoutMemoryForAForce(int failing) throws Exception {
    AtomicBoolean noMemory = new AtomicBoolean();
    AtomicInteger next = new AtomicInteger();
    try (EmbeddedEnsemble ensemble =
        new EmbeddedEnsemble(dir, SERVERS, Map.of("orca.durability", "cad"))
            .adjusted(
                config ->
                    next.getAndIncrement() == failing
                        ? config.withStorage(forcing(noMemory))
                        : config)
            .start()) {
      try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString())) {
        client.create("/k", bytes(0), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      }
      noMemory.set(true);
      writeAndRead(ensemble, 1);
      ensemble.awaitStopped(failing);
      writeAndRead(ensemble, 2);
    }
  }

  private static LogStorage forcing(AtomicBoolean noMemory) {
    LogStorage disk = LogStorage.files();
    return new LogStorage() {
      @Override
      public LogFile create(Path file) throws IOException {
        LogFile created = disk.create(file);
        return new LogFile() {
          @Override
          public void write(ByteBuffer bytes, long position) throws IOException {
            created.write(bytes, position);
          }

          @Override
          public void force() throws IOException {
            if (noMemory.get()) {
              throw new OutOfMemoryError("no room for the force");
            }
            created.force();
          }

          @Override
          public void close() throws IOException {
            created.close();
          }
        };
      }

      @Override
      public void forceFile(Path file) throws IOException {
        disk.forceFile(file);
      }

      @Override
      public void forceDirectory(Path directory) throws IOException {
        disk.forceDirectory(directory);
      }
    };
  }

  private static byte[] bytes(int value) {
    return Integer.toString(value).getBytes(UTF_8);
  }

  private static void writeAndRead(EmbeddedEnsemble ensemble, int value) throws Exception {
    boolean done = false;
    while (!done) {
      try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString())) {
        client.setData("/k", bytes(value), -1);
        assertArrayEquals(bytes(value), client.getData("/k", false, null));
        done = true;
      } catch (KeeperException.ConnectionLossException
          | KeeperException.SessionExpiredException e) {
        // That was the server which stopped; the next one is asked.
        done = false;
      }
    }
  }
}
