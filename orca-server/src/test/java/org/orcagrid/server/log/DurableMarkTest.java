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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the file beside the log says, and when it does not bind. */
@Timeout(60)
class DurableMarkTest {
  private static final long EPOCH = 1L << 32;

  @TempDir Path dir;

  private final ScriptedStorage storage = new ScriptedStorage();
  private final ExecutorService threads = Executors.newFixedThreadPool(1);
  private Path folder;
  private Path marks;
  private OrcaTxnSnapLog log;

  @BeforeEach
  void begin() throws IOException {
    folder = dir.resolve("version-2");
    marks = folder.resolve(DurableMarkFile.NAME);
    log = open();
    log.save(new DataTree(), new ConcurrentHashMap<>(), true);
  }

  @AfterEach
  void end() throws IOException {
    storage.releaseForces();
    threads.shutdownNow();
    log.close();
  }

  private OrcaTxnSnapLog open() throws IOException {
    return new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), storage);
  }

  private void append(long first, long last) throws IOException {
    for (long zxid = first; zxid <= last; zxid++) {
      log.append(Transactions.create(zxid));
    }
    log.commit();
  }

  private List<Long> restarted() throws IOException {
    log.close();
    List<Long> found = new ArrayList<>();
    log = open();
    log.restore(
        new DataTree(),
        new ConcurrentHashMap<>(),
        (header, txn, digest) -> found.add(header.getZxid()));
    return found;
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private long marked() throws IOException {
    var all = DurableMarkFile.read(folder);
    return all.isEmpty() ? -1 : all.lastEntry().getValue().zxid();
  }

  private static void cut(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }

  @Test
  void nothingIsCalledDurableBeforeItsForceHasReturned() throws Exception {
    CountDownLatch entered = storage.holdForces();
    Future<?> commit =
        threads.submit(
            () -> {
              append(1, 3);
              return null;
            });
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    assertEquals(-1, marked());

    storage.releaseForces();
    commit.get(20, TimeUnit.SECONDS);
    assertEquals(3, marked());
  }

  @Test
  void aFailedForceIsNotCalledDurableAtTheEndEither() throws IOException {
    append(1, 3);
    log.append(Transactions.create(4));
    storage.failForces(true);
    assertThrows(IOException.class, log::commit);
    storage.failForces(false);
    log.close();
    assertEquals(3, marked());
  }

  @Test
  void aStopSaysExactlyWhatIsOnDisk() throws IOException {
    append(1, 3);
    append(4, 4);
    append(5, 5);
    log.append(Transactions.create(6));
    log.close();
    assertEquals(5, marked(), "the last one was not forced");
  }

  @Test
  void aTornMarkLeavesTheOneBefore() throws IOException {
    append(1, 3);
    restarted();
    append(4, 6);
    log.close();
    assertEquals(6, marked());
    byte[] bytes = Files.readAllBytes(marks);
    // Written last: in the first or the second place, by turns.
    for (int place = 0; place < 2; place++) {
      for (int at = 0; at < 68; at++) {
        byte[] torn = bytes.clone();
        torn[place * DurableMark.BYTES + at] ^= 1;
        Files.write(marks, torn);
        assertTrue(marked() == 6 || marked() == 3, () -> "the mark is torn, not another one");
      }
    }
    Files.write(marks, new byte[700]);
    assertEquals(-1, marked());
    assertEquals(upTo(6), restarted());
  }

  @Test
  void eachStartSaysAgainWhatItHasForced() throws IOException {
    append(1, 3);
    log.close();
    Files.delete(marks);
    assertEquals(upTo(3), restarted());
    assertEquals(3, marked());
  }

  @Test
  void aLogThatAStockLeaderHadCutIsFitIfALaterEpochWasAccepted() throws IOException {
    append(1, 5);
    log.rollLog();
    append(6, 9);
    log.close();
    try (FileTxnLog stock = new FileTxnLog(folder.toFile())) {
      stock.truncate(3);
    }
    assertFalse(Files.exists(folder.resolve("log.6")));
    assertThrows(DamagedLogException.class, this::open);

    Files.writeString(folder.resolve("acceptedEpoch"), "7");
    assertEquals(upTo(3), restarted());
    append(7 * EPOCH + 1, 7 * EPOCH + 2);
    assertEquals(
        List.of(1L, 2L, 3L, 7 * EPOCH + 1, 7 * EPOCH + 2),
        restarted(),
        "and again, with new marks");
  }

  @Test
  void aStockServerMayGoOnWithTheLogInBetween() throws IOException {
    append(1, 5);
    log.close();
    try (FileTxnLog stock = new FileTxnLog(folder.toFile())) {
      for (long zxid = 6; zxid <= 8; zxid++) {
        stock.append(Transactions.create(zxid));
      }
      stock.commit();
    }
    assertEquals(upTo(8), restarted());
    assertEquals(8, marked());
  }

  @Test
  void aFileThatWasReplacedIsAnotherOne() throws IOException {
    append(1, 5);
    log.close();
    Files.delete(folder.resolve("log.1"));
    try (FileTxnLog stock = new FileTxnLog(folder.toFile())) {
      for (long zxid = 1; zxid <= 3; zxid++) {
        stock.append(Transactions.create(zxid, 20));
      }
      stock.commit();
    }
    assertEquals(upTo(3), restarted());
  }

  @Test
  void filesThatNoSnapshotNeedsMayGo() throws IOException {
    append(1, 5);
    log.rollLog();
    append(6, 9);
    DataTree tree = new DataTree();
    for (long zxid = 1; zxid <= 9; zxid++) {
      tree.processTxn(Transactions.header(zxid), Transactions.txn(zxid, 8));
    }
    log.save(tree, new ConcurrentHashMap<>(), true);
    log.close();
    Files.delete(folder.resolve("log.1"));
    assertEquals(List.of(), restarted());
    log.close();
    Files.delete(folder.resolve("log.6"));
    assertEquals(List.of(), restarted());
  }

  @Test
  void anEmptiedFolderIsANewOne() throws IOException {
    append(1, 5);
    log.close();
    Files.delete(folder.resolve("log.1"));
    Files.delete(folder.resolve("snapshot.0"));
    log = open();
    assertEquals(-1, marked());
  }

  @Test
  void aFileBeforeTheLastThatIsMissingIsRefusedAlsoWhereAnEpochBegins() throws IOException {
    append(1, 5);
    log.rollLog();
    append(EPOCH + 1, EPOCH + 3);
    log.close();
    Files.delete(folder.resolve("log.1"));
    Files.writeString(folder.resolve("acceptedEpoch"), "1");
    IOException refusal = assertThrows(DamagedLogException.class, this::restarted);
    assertTrue(refusal.getMessage().contains(folder.resolve("log.1").toString()));
  }

  @Test
  void aFileWithAHeaderAloneDoesNotHideATornEndBeforeIt() throws IOException {
    append(1, 5);
    long end = log.log().getCurrentLogSize();
    log.append(Transactions.create(6, 3_000));
    log.log().writeOut();
    log.close();
    // A sector of the sixth was never written. The file of an epoch that came to nothing is there.
    try (FileChannel channel =
        FileChannel.open(folder.resolve("log.1"), StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.allocate(512), (end / 512 + 2) * 512);
    }
    try (FileTxnLog stock = new FileTxnLog(folder.toFile())) {
      stock.append(Transactions.create(2 * EPOCH + 1));
    }
    cut(folder.resolve("log.200000001"), 16);
    assertEquals(upTo(5), restarted());
  }

  @Test
  void aLargeTransactionThatLacksItsMarkAloneIsTorn() throws IOException {
    append(1, 2);
    long start = log.log().getCurrentLogSize();
    log.append(Transactions.create(3, 300_000));
    log.log().writeOut();
    long mark = log.log().getCurrentLogSize() - 1;
    log.close();
    try (FileChannel channel =
        FileChannel.open(folder.resolve("log.1"), StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.allocate(1), mark);
    }
    assertEquals(upTo(2), restarted());
    assertEquals(start, Files.size(folder.resolve("log.1")));
  }

  @Test
  void aLearnerGetsNoTransactionsFromBehindAGap() throws IOException {
    append(1, 5);
    log.rollLog();
    append(6, 7);
    log.rollLog();
    append(8, 9);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), readFrom(1));
    Files.delete(folder.resolve("log.6"));
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), readFrom(1));
  }

  private List<Long> readFrom(long zxid) throws IOException {
    List<Long> found = new ArrayList<>();
    try (var each = log.readTxnLog(zxid, false)) {
      do {
        found.add(each.getHeader().getZxid());
      } while (each.next());
    }
    return found;
  }
}
