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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class OrcaTxnLogTest {
  private static final int BUFFER_BYTES = 256 * 1024;

  @TempDir Path temporary;

  private final ScriptedStorage storage = new ScriptedStorage();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private File dir;
  private OrcaTxnLog log;

  @BeforeEach
  void open() {
    dir = temporary.toFile();
    log = new OrcaTxnLog(dir, storage);
  }

  @AfterEach
  void close() throws IOException {
    storage.releaseForces();
    storage.failForces(false);
    threads.shutdownNow();
    log.close();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void stockZooKeeperReadsWhatWasWritten() throws IOException {
    for (long zxid = 1; zxid <= 1_000; zxid++) {
      assertTrue(log.append(Transactions.create(zxid)));
    }
    log.commit();

    assertEquals(upTo(1_000), Transactions.readByStock(dir));
    assertEquals(1_000, log.getLastLoggedZxid());
  }

  @ParameterizedTest
  @ValueSource(ints = {-100, -60, -13, -12, -1, 0, 1, 100, BUFFER_BYTES, 3 * BUFFER_BYTES})
  void recordsAroundAndAboveTheBufferAreWhole(int beyondBuffer) throws IOException {
    log.append(Transactions.create(1));
    log.append(Transactions.create(2, BUFFER_BYTES + beyondBuffer));
    log.append(Transactions.create(3));
    log.append(Transactions.create(4, BUFFER_BYTES + beyondBuffer));
    log.append(Transactions.create(5, BUFFER_BYTES + beyondBuffer));
    log.commit();

    assertEquals(upTo(5), Transactions.readByStock(dir));
  }

  @Test
  void everyRecordSizeNearTheEndOfTheBufferIsWhole() throws IOException {
    for (int size = 0; size < 200; size++) {
      log.append(Transactions.create(2 * size + 1, BUFFER_BYTES - 200));
      log.append(Transactions.create(2 * size + 2, size));
    }
    log.commit();

    assertEquals(upTo(400), Transactions.readByStock(dir));
  }

  @Test
  void severalFilesAreReadAsOneLog() throws IOException {
    for (long zxid = 1; zxid <= 30; zxid++) {
      log.append(Transactions.create(zxid));
      if (zxid % 10 == 0) {
        log.rollLog();
      }
    }
    log.commit();

    assertEquals(upTo(30), Transactions.readByStock(dir));
    assertEquals(3, FileTxnLog.getLogFiles(dir.listFiles(), 0).length);
  }

  @Test
  void rollingAnEmptyLogMakesNoFile() throws IOException {
    log.rollLog();
    log.rollLog();
    log.commit();

    assertEquals(0, dir.listFiles().length);
  }

  @Test
  void aRequestThatIsNoTransactionIsNotAppended() throws IOException {
    assertFalse(log.append(new Request(null, 1, 1, OpCode.sync, null, List.of())));
    assertEquals(-1, log.lastAppended());
  }

  @Test
  void theDirectoryIsForcedBeforeACommitReturnsThatFollowsTheCreationOfAFile() throws IOException {
    log.append(Transactions.create(1));
    log.commit();
    log.append(Transactions.create(2));
    log.commit();
    log.rollLog();
    log.append(Transactions.create(3));
    log.commit();

    String directory = "forceDir " + temporary.getFileName();
    assertEquals(
        List.of(
            "create log.1",
            "create orcaDurable",
            "force log.1",
            directory,
            "force log.1",
            // Before the next file is there, so that no power cut leaves that one alone.
            "force log.1",
            "force orcaDurable",
            "create log.3",
            "force log.1",
            "force log.3",
            directory),
        storage.events());
  }

  @Test
  void aCommitWithNothingNewForcesNothing() throws IOException {
    log.commit();
    log.append(Transactions.create(1));
    log.commit();
    int before = storage.events().size();
    log.commit();

    assertEquals(before, storage.events().size());
    assertEquals(1, log.persisted());
  }

  @Test
  void aFileThatWasRolledAwayIsForcedToo() throws IOException {
    log.append(Transactions.create(1));
    log.rollLog();
    log.commit();

    assertTrue(storage.events().contains("force log.1"));
    assertEquals(1, log.persisted());
  }

  @Test
  void appendingGoesOnWhileTheForceOfARollBlocksAndIsForcedWithTheFile() throws Exception {
    log.append(Transactions.create(1));
    log.commit();
    log.append(Transactions.create(2));
    CountDownLatch entered = storage.holdForces();
    Future<?> roll =
        threads.submit(
            () -> {
              log.rollLog();
              return null;
            });
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    Future<Boolean> append = threads.submit(() -> log.append(Transactions.create(3)));
    assertTrue(append.get(20, TimeUnit.SECONDS), "while the disk works");
    storage.releaseForces();
    roll.get(20, TimeUnit.SECONDS);
    assertEquals(
        List.of("force log.1", "force log.1", "force orcaDurable"),
        storage.events().subList(storage.events().size() - 3, storage.events().size()),
        "the second for what came meanwhile, before there is another file");
    log.append(Transactions.create(4));
    log.commit();

    assertEquals(upTo(4), Transactions.readByStock(dir));
    assertEquals(2, FileTxnLog.getLogFiles(dir.listFiles(), 0).length);
  }

  @Test
  void anErrorInAForceIsFinalAsAFailureOfTheDiskIs() throws IOException {
    log.append(Transactions.create(1));
    storage.failForcesWithAnError();

    IOException failure = assertThrows(IOException.class, log::commit);
    assertInstanceOf(OutOfMemoryError.class, failure.getCause());
    assertSame(failure, log.failure());
    assertThrows(IOException.class, () -> log.append(Transactions.create(2)));
    assertEquals(-1, log.persisted());
  }

  @Test
  void appendingGoesOnWhileAForceBlocksAndIsNotCalledPersisted() throws Exception {
    log.append(Transactions.create(1));
    CountDownLatch entered = storage.holdForces();
    Future<?> commit =
        threads.submit(
            () -> {
              log.commit();
              return null;
            });
    assertTrue(entered.await(20, TimeUnit.SECONDS));

    Future<?> append =
        threads.submit(
            () -> {
              log.append(Transactions.create(2));
              log.append(Transactions.create(3, 2 * BUFFER_BYTES));
              log.writeOut();
              log.append(Transactions.create(4));
              return null;
            });
    append.get(20, TimeUnit.SECONDS);
    assertEquals(4, log.lastAppended());
    assertEquals(-1, log.persisted());

    storage.releaseForces();
    commit.get(20, TimeUnit.SECONDS);
    assertEquals(1, log.persisted());
    assertTrue(log.undurableBytes() > 2 * BUFFER_BYTES);

    log.commit();
    assertEquals(4, log.persisted());
    assertEquals(0, log.undurableBytes());
    assertEquals(upTo(4), Transactions.readByStock(dir));
  }

  @Test
  void aLogIsRolledWhileAForceOfItRuns() throws Exception {
    log.append(Transactions.create(1));
    log.commit();
    log.append(Transactions.create(2));
    CountDownLatch entered = storage.holdForces();
    Future<?> commit =
        threads.submit(
            () -> {
              log.commit();
              return null;
            });
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    storage.letOthersPass();
    log.rollLog();
    log.append(Transactions.create(3));
    storage.releaseForces();
    commit.get(20, TimeUnit.SECONDS);
    log.commit();

    assertEquals(3, log.persisted());
    assertEquals(upTo(3), Transactions.readByStock(dir));
  }

  @Test
  void aFailedForceIsFinal() throws IOException {
    log.append(Transactions.create(1));
    storage.failForces(true);
    assertThrows(IOException.class, log::commit);

    storage.failForces(false);
    assertThrows(IOException.class, log::commit, "no later success can be believed");
    assertThrows(IOException.class, () -> log.append(Transactions.create(2)));
    assertThrows(IOException.class, log::writeOut);
    assertEquals(-1, log.persisted());
  }

  @Test
  void aFailedForceOfTheDirectoryIsFinalToo() throws IOException {
    log.append(Transactions.create(1));
    storage.failDirectories(true);
    assertThrows(IOException.class, log::commit);

    storage.failDirectories(false);
    assertThrows(IOException.class, log::commit);
    assertEquals(-1, log.persisted());
  }

  @Test
  void aFileCanBeReadFromItsFirstRecordOnEvenBeforeThatIsWrittenOut() throws IOException {
    log.append(Transactions.create(1));

    assertEquals(List.of(), Transactions.readByStock(dir), "the record is still in the buffer");
    log.commit();
    assertEquals(upTo(1), Transactions.readByStock(dir), "the reader has not removed the file");
  }

  @Test
  void closingKeepsWhatWasAppended() throws IOException {
    log.append(Transactions.create(1));
    log.rollLog();
    log.append(Transactions.create(2));
    log.close();

    assertEquals(upTo(2), Transactions.readByStock(dir));
  }

  @Test
  void commitsOfManyThreadsCoverWhatEachHadAppended() throws Exception {
    List<Future<?>> committers = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      committers.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 200; i++) {
                  long appended = log.lastAppended();
                  log.commit();
                  assertTrue(log.persisted() >= appended);
                }
                return null;
              }));
    }
    long zxid = 1;
    while (zxid <= 1_000 || !committers.stream().allMatch(Future::isDone)) {
      log.append(Transactions.create(zxid++));
      if (zxid % 500 == 0) {
        log.rollLog();
      }
    }
    for (Future<?> each : committers) {
      each.get(20, TimeUnit.SECONDS);
    }
    log.commit();
    assertEquals(zxid - 1, log.persisted());
    assertEquals(upTo(zxid - 1), Transactions.readByStock(dir));
  }
}
