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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.jute.OutputArchive;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.tree.OrcaZKDatabase;

@Timeout(60)
class OrcaTxnSnapLogTest {
  /** A role that says what the test says, and tells when it was asked. */
  private static final class Role implements OrcaTxnSnapLog.Publisher {
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile long durable;

    @Override
    public long durableIndex() {
      return durable;
    }

    @Override
    public void demand(long index) {
      asked.countDown();
    }
  }

  @TempDir Path dir;

  private final ScriptedStorage storage = new ScriptedStorage();
  private final ExecutorService threads = Executors.newFixedThreadPool(1);
  private final Role role = new Role();
  private final DataTree tree = new DataTree();
  private OrcaTxnSnapLog log;

  @BeforeEach
  void open() throws IOException {
    log = open(dir);
  }

  private OrcaTxnSnapLog open(Path directory) throws IOException {
    return new OrcaTxnSnapLog(directory.toFile(), directory.toFile(), storage);
  }

  @AfterEach
  void close() throws IOException {
    threads.shutdownNow();
    log.close();
  }

  private void apply(long first, long last) {
    for (long zxid = first; zxid <= last; zxid++) {
      tree.processTxn(Transactions.header(zxid), Transactions.txn(zxid, 8));
    }
  }

  private void append(long first, long last) throws IOException {
    for (long zxid = first; zxid <= last; zxid++) {
      log.append(Transactions.create(zxid));
    }
    log.commit();
  }

  private File save() throws IOException {
    return log.save(tree, new ConcurrentHashMap<>(), false);
  }

  private List<String> snapshots() throws IOException {
    try (Stream<Path> files = Files.list(log.getSnapDir().toPath())) {
      return files
          .map(each -> each.getFileName().toString())
          .filter(each -> each.contains("snapshot") && !each.startsWith("digest."))
          .sorted()
          .toList();
    }
  }

  @Test
  void aSnapshotIsUnseenUntilWhatItShowsIsDurable() throws Exception {
    log.attach(role);
    apply(1, 10);
    Future<File> saved = threads.submit(this::save);
    assertTrue(role.asked.await(20, TimeUnit.SECONDS), "the role is asked to make it durable");

    log.onDurable(9);
    assertEquals(List.of("pending-1-snapshot.a"), snapshots());
    assertFalse(saved.isDone());

    log.onDurable(10);
    assertEquals("snapshot.a", saved.get(20, TimeUnit.SECONDS).getName());
    assertEquals(List.of("snapshot.a"), snapshots());
    assertEquals(10, log.getLastSnapshotInfo().zxid);
  }

  @Test
  void aSnapshotOfWhatIsDurableIsPublishedWithinTheCall() throws IOException {
    log.attach(role);
    role.durable = 10;
    apply(1, 10);

    assertEquals("snapshot.a", save().getName());
    assertEquals(List.of("snapshot.a"), snapshots());
  }

  @Test
  void aSnapshotThatWasTakenWhileChangesWereAppliedNeedsTheLastOfThem() throws Exception {
    DataTree growing =
        new DataTree() {
          @Override
          public void serializeNodes(OutputArchive archive) throws IOException {
            super.serializeNodes(archive);
            processTxn(Transactions.header(12), Transactions.txn(12, 8));
          }
        };
    growing.lastProcessedZxid = 10;
    log.attach(role);
    Future<File> saved = threads.submit(() -> log.save(growing, new ConcurrentHashMap<>(), false));
    assertTrue(role.asked.await(20, TimeUnit.SECONDS));

    log.onDurable(11);
    assertEquals(List.of("pending-1-snapshot.a"), snapshots());
    log.onDurable(12);
    saved.get(20, TimeUnit.SECONDS);
    assertEquals(List.of("snapshot.a"), snapshots());
  }

  @Test
  void whileALearnerSynchronisesASnapshotIsExactAndPublishedAtOnce() throws IOException {
    log.detach(false);
    apply(1, 3);

    assertEquals("snapshot.3", save().getName());
    assertEquals(List.of("snapshot.3"), snapshots());
  }

  @Test
  void aSnapshotDoesForAnotherOneWhileItAndAShortLogHaveTheState() throws Exception {
    assertEquals(Optional.empty(), log.recentSnapshot(), "there is none");
    tree.createNode("/large", new byte[300_000], Ids.OPEN_ACL_UNSAFE, 0, 0, 1, 1);
    apply(1, 1);
    File saved = save();
    assertEquals(Optional.of(saved), log.recentSnapshot());
    log.discardPending();
    assertEquals(Optional.empty(), log.recentSnapshot(), "the state was replaced");
    apply(2, 2);
    File again = save();
    assertEquals(Optional.of(again), log.recentSnapshot());
    assertTrue(again.setLastModified(again.lastModified() - 10_000));
    assertEquals(Optional.empty(), log.recentSnapshot(), "somebody else has written it");
    apply(3, 3);
    save();
    assertTrue(log.recentSnapshot().isPresent());
    append(4, 4);
    assertEquals(Optional.empty(), log.recentSnapshot(), "a log file is longer than half of it");
  }

  @Test
  void whatAServerHasThatIsAboutToLeadIsPendingUntilItIsDurableInItsEpoch() throws IOException {
    log.detach(true);
    apply(1, 3);
    save();
    assertEquals(List.of("pending-1-snapshot.3"), snapshots());

    log.attach(role);
    log.onDurable(2);
    assertEquals(List.of("pending-1-snapshot.3"), snapshots());
    log.onDurable(3);
    assertEquals(List.of("snapshot.3"), snapshots());
  }

  @Test
  void oneThatIsPublishedWhileAnotherOfItsNumberIsWrittenTakesNothingOfIt() throws IOException {
    log.detach(true);
    apply(1, 3);
    save();
    DataTree same =
        new DataTree() {
          @Override
          public void serializeNodes(OutputArchive archive) throws IOException {
            super.serializeNodes(archive);
            log.attach(role);
            log.onDurable(3);
            assertEquals(List.of("pending-2-snapshot.3", "snapshot.3"), snapshots());
          }
        };
    same.lastProcessedZxid = 3;
    log.save(same, new ConcurrentHashMap<>(), false);
    log.onDurable(3);
    assertEquals(List.of("snapshot.3"), snapshots());
  }

  @Test
  void aSnapshotOfStateThatWasReplacedMeanwhileIsNeverPublished() throws IOException {
    DataTree replaced =
        new DataTree() {
          @Override
          public void serializeNodes(OutputArchive archive) throws IOException {
            super.serializeNodes(archive);
            log.discardPending();
          }
        };
    replaced.lastProcessedZxid = 10;
    log.attach(role);
    log.save(replaced, new ConcurrentHashMap<>(), false);
    log.onDurable(11);
    assertEquals(List.of(), snapshots());
  }

  @Test
  void aSnapshotDuringWhichTheRoleEndedIsNotPublishedWithoutAQuorum() throws IOException {
    DataTree interrupted =
        new DataTree() {
          @Override
          public void serializeNodes(OutputArchive archive) throws IOException {
            super.serializeNodes(archive);
            log.detach(false);
          }
        };
    interrupted.lastProcessedZxid = 10;
    log.attach(role);
    log.save(interrupted, new ConcurrentHashMap<>(), false);

    assertEquals(List.of("pending-1-snapshot.a"), snapshots());
    log.attach(role);
    log.onDurable(10);
    assertEquals(List.of("snapshot.a"), snapshots());
  }

  @Test
  void whatAnEarlierProcessLeftPendingIsDeletedAtOpen() throws IOException {
    log.detach(true);
    apply(1, 3);
    save();
    log.close();
    log = open(dir);

    assertEquals(List.of(), snapshots());
  }

  @Test
  void whatAnEarlierProcessLoggedIsForcedAtOpen() throws IOException {
    append(1, 3);
    log.close();
    int before = storage.events().size();
    log = open(dir);

    assertEquals(
        List.of(
            "forceFile log.1",
            "forceDir version-2",
            // Says that it was, so it comes behind.
            "create orcaDurable",
            "force orcaDurable",
            "forceDir version-2"),
        storage.events().subList(before, storage.events().size()));
  }

  @Test
  void truncatingRemovesLaterEntriesLaterSnapshotsAndThoseThatArePending() throws IOException {
    append(1, 10);
    apply(1, 5);
    save();
    apply(6, 8);
    save();
    log.detach(true);
    apply(9, 10);
    save();
    assertEquals(List.of("pending-3-snapshot.a", "snapshot.5", "snapshot.8"), snapshots());

    assertTrue(log.truncateLog(6));
    assertEquals(List.of("snapshot.5"), snapshots());
    assertEquals(6, log.getLastLoggedZxid());
    log.attach(role);
    log.onDurable(100);
    assertEquals(List.of("snapshot.5"), snapshots(), "what was thrown away stays so");

    log.append(Transactions.create(7));
    log.commit();
    assertEquals(
        List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), Transactions.readByStock(log.getDataLogDir()));
  }

  @Test
  void aTruncatedLogIsNotTakenForADamagedOneAtTheNextStart() throws IOException {
    save();
    append(1, 10);
    assertTrue(log.truncateLog(6));
    log.close();
    log = open(dir);
    assertEquals(6, log.getLastLoggedZxid());

    append(7, 9);
    log.close();
    log = open(dir);
    assertEquals(9, log.getLastLoggedZxid());
  }

  @Test
  void aCrashInTheMiddleOfATruncationLeavesALogThatStarts() throws IOException {
    save();
    append(1, 10);
    storage.failDirectories(true);
    assertFalse(log.truncateLog(6));
    storage.failDirectories(false);
    log.close();

    log = open(dir);
    assertEquals(10, log.getLastLoggedZxid(), "nothing was cut before the mark was gone");
  }

  @Test
  void aDatabaseThatIsTruncatedShowsNothingLater() throws IOException {
    save();
    append(1, 10);
    apply(1, 8);
    save();
    OrcaZKDatabase database = new OrcaZKDatabase(log);
    database.loadDataBase();
    assertEquals(10, database.getDataTreeLastProcessedZxid());

    assertTrue(database.truncateLog(6));
    assertEquals(6, database.getDataTreeLastProcessedZxid());
    assertNotNull(database.getNode("/n6"));
    assertNull(database.getNode("/n7"));
  }

  @Test
  void aLogThatEndsEarlierNeedsNoTruncation() throws IOException {
    append(1, 3);
    apply(1, 3);
    save();
    apply(4, 10);
    save();

    assertTrue(log.truncateLog(6), "the state behind the log came in a snapshot");
    assertEquals(List.of("snapshot.3"), snapshots());
    assertEquals(3, log.getLastLoggedZxid());
  }

  @Test
  void aDatabaseThatCannotGoBackToWhatItIsAskedForSaysSo() throws IOException {
    append(1, 3);
    apply(1, 3);
    save();
    apply(4, 10);
    save();
    OrcaZKDatabase database = new OrcaZKDatabase(log);
    database.loadDataBase();
    assertEquals(10, database.getDataTreeLastProcessedZxid());

    assertThrows(IOException.class, () -> database.truncateLog(6));
    assertEquals(3, database.getDataTreeLastProcessedZxid());
  }

  @Test
  void truncatingWithoutLogFilesRemovesTheLaterSnapshots() throws IOException {
    apply(1, 5);
    save();
    apply(6, 8);
    save();

    assertTrue(log.truncateLog(6));
    assertEquals(List.of("snapshot.5"), snapshots());
  }

  @Test
  void aTruncationThatWouldLeaveNothingToStartFromChangesNothing() throws IOException {
    log.append(Transactions.create(11));
    log.commit();
    Path snapshots = log.getSnapDir().toPath();
    tree.lastProcessedZxid = 10;
    log.save(tree, new ConcurrentHashMap<>(), true);
    List<String> before = names(snapshots);

    assertFalse(log.truncateLog(6));
    assertEquals(before, names(snapshots));
    assertEquals(11, log.getLastLoggedZxid());
  }

  @Test
  void aTruncationDoesNotMakeAFailedLogGoodAgain() throws IOException {
    log.append(Transactions.create(1));
    log.commit();
    log.append(Transactions.create(2));
    storage.failForces(true);
    assertThrows(IOException.class, log::commit);
    storage.failForces(false);

    assertFalse(log.truncateLog(1));
    assertThrows(IOException.class, () -> log.append(Transactions.create(2)));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void stockZooKeeperRestoresADirectoryThatWeWrote() throws IOException {
    append(1, 20);
    apply(1, 10);
    save();
    log.rollLog();
    append(21, 25);
    log.close();
    FileTxnSnapLog stock = new FileTxnSnapLog(dir.toFile(), dir.toFile());
    ZKDatabase database = new ZKDatabase(stock);

    assertEquals(25, database.loadDataBase());
    for (long zxid = 1; zxid <= 25; zxid++) {
      assertNotNull(database.getNode("/n" + zxid));
    }
    database.close();
  }

  @Test
  void weRestoreADirectoryThatStockZooKeeperWroteAndGoOnWithIt() throws IOException {
    Path other = dir.resolve("stock");
    FileTxnSnapLog stock = new FileTxnSnapLog(other.toFile(), other.toFile());
    for (long zxid = 1; zxid <= 20; zxid++) {
      stock.append(Transactions.create(zxid));
      if (zxid <= 10) {
        apply(zxid, zxid);
      }
    }
    stock.commit();
    stock.save(tree, new ConcurrentHashMap<>(), true);
    stock.close();

    List<Long> expected = new ArrayList<>();
    OrcaZKDatabase database = new OrcaZKDatabase(open(other));
    try {
      assertEquals(20, database.loadDataBase());
      for (long zxid = 1; zxid <= 20; zxid++) {
        assertNotNull(database.getNode("/n" + zxid));
        expected.add(zxid);
      }
      database.append(Transactions.create(21));
      database.commit();
      expected.add(21L);
    } finally {
      database.close();
    }
    assertEquals(expected, Transactions.readByStock(stock.getDataLogDir()));
  }

  @Test
  void theLogIsReadUpToItsEndWhileItIsWritten() throws IOException {
    save();
    log.append(Transactions.create(1));
    log.append(Transactions.create(2));

    assertEquals(2, log.getLastLoggedZxid());
    try (var each = log.readTxnLog(1)) {
      assertEquals(1, each.getHeader().getZxid());
      assertTrue(each.next());
      assertEquals(2, each.getHeader().getZxid());
    }
    DataTree restored = new DataTree();
    assertEquals(2, log.restore(restored, new ConcurrentHashMap<>(), (header, txn, digest) -> {}));
    assertNotNull(restored.getNode("/n2"));
  }
}
