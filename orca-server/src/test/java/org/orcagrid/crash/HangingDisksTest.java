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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.server.EmbeddedEnsemble;
import org.orcagrid.server.log.LogStorage;

/** While all disks hang, no more is acknowledged than the bounds allow. */
@Timeout(120)
class HangingDisksTest {
  private static final int SERVERS = 3;

  /** More than the machine leaves unanswered at any time while writes do not wait. */
  private static final int UNANSWERED = 800;

  private static final byte[] DATA = new byte[1_000];

  private static final long HEARTBEAT_NANOS = 100_000_000;

  @TempDir Path dir;

  private final AtomicReference<CountDownLatch> hang = new AtomicReference<>(new CountDownLatch(0));
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  /** The one server whose disk hangs; -1 for all. */
  private int hangingAlone = -1;

  // The one with the highest number leads.
  @ParameterizedTest
  @CsvSource({
    "0, orca.maxUndurableMs, 300",
    "2, orca.maxUndurableMs, 300",
    "0, orca.maxUndurableBytes, 200000",
    "2, orca.maxUndurableBytes, 200000"
  })
  void writesWaitOnceTooMuchIsNotDurableAndReadsGoOn(int asked, String key, String bound)
      throws Exception {
    try (EmbeddedEnsemble ensemble =
            ensemble(Map.of("orca.durability", "cad", key, bound), LogStorage.files());
        ZooKeeper writer = EmbeddedEnsemble.connect(ensemble.connectString(asked));
        ZooKeeper reader = EmbeddedEnsemble.connect(ensemble.connectString(asked))) {
      writer.create("/k", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      writer.create("/durable", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      reader.getData("/durable", false, null);
      long before = bounded(ensemble);
      hang.set(new CountDownLatch(1));
      try {
        // Without a bound these are answered, and it goes on until the test has taken too long.
        while (sent.get() - answered.get() < UNANSWERED) {
          write(writer);
          Thread.sleep(1);
        }
        assertTrue(bounded(ensemble) > before);
        assertEquals(DATA.length, reader.getData("/durable", false, null).length);
      } finally {
        hang.get().countDown();
      }
      while (answered.get() < sent.get()) {
        Thread.sleep(1);
      }
      assertEquals(0, failed.get());
    }
  }

  @Test
  void disksThatAreOnlySlowHoldNoWriteUp() throws Exception {
    LogStorage slow = LogStorage.slower(LogStorage.files(), 5_000_000);
    try (EmbeddedEnsemble ensemble = ensemble(Map.of("orca.durability", "cad"), slow)) {
      writeForTwoSeconds(ensemble, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SERVERS - 1})
  void oneDiskThatHangsHoldsNoWriteUp(int hanging) throws Exception {
    hangingAlone = hanging;
    try (EmbeddedEnsemble ensemble =
        ensemble(Map.of("orca.durability", "cad"), LogStorage.files())) {
      writeForTwoSeconds(ensemble, hanging);
    }
  }

  /** The others are a quorum; a round without them ends only at the second heartbeat. */
  @Test
  void aLeaderWhoseDiskHangsHoldsNoReaderUp() throws Exception {
    hangingAlone = SERVERS - 1;
    // No disk is forced in the background before the test is over.
    Map<String, String> settings =
        Map.of("orca.durability", "cad", "orca.flushIntervalMs", "60000");
    try (EmbeddedEnsemble ensemble = ensemble(settings, LogStorage.files());
        ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString(hangingAlone))) {
      client.create("/k", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      hang.set(new CountDownLatch(1));
      try {
        int held = 0;
        for (int i = 0; i < 60; i++) {
          client.setData("/k", DATA, -1);
          long begin = System.nanoTime();
          client.getData("/k", false, null);
          held += System.nanoTime() - begin > HEARTBEAT_NANOS ? 1 : 0;
        }
        // The first few show that this disk is slow. It was every second one while it was asked.
        assertTrue(held < 15, held + " of 60 reads waited for longer than a heartbeat");
      } finally {
        hang.get().countDown();
      }
    }
  }

  private void writeForTwoSeconds(EmbeddedEnsemble ensemble, int asked) throws Exception {
    try (ZooKeeper writer = EmbeddedEnsemble.connect(ensemble.connectString(asked))) {
      writer.create("/k", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      if (hangingAlone >= 0) {
        hang.set(new CountDownLatch(1));
      }
      long end = System.nanoTime() + 2_000_000_000L;
      while (System.nanoTime() - end < 0) {
        write(writer);
        while (sent.get() - answered.get() > 100) {
          Thread.onSpinWait();
        }
      }
      while (answered.get() < sent.get()) {
        Thread.sleep(1);
      }
      assertEquals(0, failed.get());
      // The machine itself may stand still for a second; then a few wait, of thousands.
      assertTrue(
          bounded(ensemble) * 10 < sent.get(), bounded(ensemble) + " waited of " + sent.get());
    } finally {
      hang.get().countDown();
    }
  }

  private void write(ZooKeeper writer) {
    sent.incrementAndGet();
    writer.setData(
        "/k",
        DATA,
        -1,
        (code, path, context, stat) -> {
          if (code != Code.OK.intValue()) {
            failed.incrementAndGet();
          }
          answered.incrementAndGet();
        },
        null);
  }

  private static long bounded(EmbeddedEnsemble ensemble) {
    long bounded = 0;
    for (int i = 0; i < SERVERS; i++) {
      bounded += ensemble.role(i).metrics().writesBounded();
    }
    return bounded;
  }

  private EmbeddedEnsemble ensemble(Map<String, String> settings, LogStorage disk)
      throws Exception {
    return new EmbeddedEnsemble(dir, SERVERS, settings)
        .adjusted(
            config -> {
              int server = next.getAndIncrement();
              return hangingAlone < 0 || hangingAlone == server
                  ? config.withStorage(hanging(disk))
                  : config.withStorage(disk);
            })
        .start();
  }

  private LogStorage hanging(LogStorage disk) {
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
            try {
              hang.get().await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new IOException("Interrupted", e);
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
}
