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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.log.OrcaTxnSnapLog;

/**
 * One server's log alone: a thread appends, others force beside each other, the power is cut at any
 * moment, and what was said to be on disk is found by the stock reader after the restart. {@code
 * -Dcuts=5000} for so many.
 */
@Timeout(300)
class LogPowerCutTest {
  private static final int CUTS = Integer.getInteger("cuts", 60);
  private static final long SEED = Long.getLong("seed", 1);
  private static final int FORCING_THREADS = 3;

  @TempDir Path dir;

  private final ExecutorService threads = Executors.newFixedThreadPool(1 + FORCING_THREADS);
  private final AtomicLong persisted = new AtomicLong();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void whatWasSaidToBeOnDiskIsThereAfterAPowerCut() throws Exception {
    long next = 1;
    for (int cut = 0; cut < CUTS; cut++) {
      next = cutOnce(new Random(SEED + cut), next, "-Dseed=" + (SEED + cut)) + 1;
    }
  }

  /** Returns the last transaction that survived. */
  private long cutOnce(Random random, long first, String seed) throws Exception {
    ForgetfulStorage disk = new ForgetfulStorage(false);
    File folder = dir.toFile();
    OrcaTxnSnapLog log = new OrcaTxnSnapLog(folder, folder, disk);
    persisted.set(first - 1);
    int cutAfter = 1 + random.nextInt(600);
    int rollEvery = 50 + random.nextInt(500);
    Random sizes = new Random(random.nextLong());
    List<Future<?>> running = new ArrayList<>();
    running.add(
        threads.submit(
            untilThePowerIsCut(
                () -> {
                  for (long zxid = first; ; zxid++) {
                    log.append(create(zxid, sizes.nextInt(7) == 0 ? 3_000 : sizes.nextInt(80)));
                    if (sizes.nextInt(5) == 0) {
                      log.log().writeOut();
                    }
                    if (zxid % rollEvery == 0) {
                      log.rollLog();
                    }
                    if (zxid == first + cutAfter) {
                      disk.powerCut();
                    }
                  }
                })));
    for (int i = 0; i < FORCING_THREADS; i++) {
      running.add(
          threads.submit(
              untilThePowerIsCut(
                  () -> {
                    while (true) {
                      log.commit();
                      persisted.accumulateAndGet(log.log().persisted(), Math::max);
                    }
                  })));
    }
    for (Future<?> each : running) {
      each.get();
    }
    log.log().close();
    disk.lose(random);
    new OrcaTxnSnapLog(folder, folder, new ForgetfulStorage(false)).log().close();
    List<Long> found = readByStock(folder);
    long last = found.isEmpty() ? 0 : found.get(found.size() - 1);
    assertTrue(
        last >= persisted.get(), () -> seed + ": " + persisted.get() + " was on disk, not " + last);
    for (int i = 0; i < found.size(); i++) {
      assertEquals(i + 1L, found.get(i), seed + ": a gap");
    }
    return last;
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private static Callable<Void> untilThePowerIsCut(Work work) {
    return () -> {
      try {
        work.run();
      } catch (IOException e) {
        if (!e.getMessage().contains("No power")) {
          throw e;
        }
      }
      return null;
    };
  }

  private static Request create(long zxid, int bytes) {
    CreateTxn txn =
        new CreateTxn("/n" + zxid, new byte[bytes], Ids.OPEN_ACL_UNSAFE, false, (int) zxid);
    TxnHeader header = new TxnHeader(1, (int) zxid, zxid, zxid, OpCode.create);
    return new Request(1, (int) zxid, OpCode.create, header, txn, zxid);
  }

  private static List<Long> readByStock(File folder) throws IOException {
    Path version = folder.toPath().resolve("version-2");
    List<Long> zxids = new ArrayList<>();
    try (TxnLog.TxnIterator each =
        new FileTxnLog.FileTxnIterator(Files.exists(version) ? version.toFile() : folder, 0)) {
      while (each.getHeader() != null) {
        zxids.add(each.getHeader().getZxid());
        if (!each.next()) {
          break;
        }
      }
    }
    return zxids;
  }
}
