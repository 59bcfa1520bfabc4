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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.SnapStream;
import org.apache.zookeeper.server.persistence.SnapStream.StreamMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.server.tree.OrcaZKDatabase;

@Timeout(60)
class VerifiedSnapshotsTest {
  /**
   * Where a node's record has the session that owns it: behind the path, data, and what is fixed.
   */
  private static final int OWNER_BEHIND_DATA = 8 + 8 + 8 + 8 + 8 + 4 + 4 + 4;

  private static final long SESSION = 0x1234;

  @TempDir Path dir;

  private final DataTree tree = new DataTree();
  private OrcaTxnSnapLog log;

  @BeforeEach
  void open() throws IOException {
    log = new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), LogStorage.files());
  }

  @AfterEach
  void close() throws IOException {
    log.close();
    SnapStream.setStreamMode(StreamMode.DEFAULT_MODE);
  }

  private void reopen() throws IOException {
    log.close();
    open();
  }

  private void append(long first, long last) throws IOException {
    for (long zxid = first; zxid <= last; zxid++) {
      log.append(Transactions.create(zxid));
      tree.processTxn(Transactions.header(zxid), Transactions.txn(zxid, 8));
    }
    log.commit();
  }

  private Path save() throws IOException {
    return log.save(tree, new ConcurrentHashMap<>(), true).toPath();
  }

  private OrcaZKDatabase load() throws IOException {
    OrcaZKDatabase database = new OrcaZKDatabase(log);
    database.loadDataBase();
    return database;
  }

  private static void assertHas(ZKDatabase database, long last) {
    for (long zxid = 1; zxid <= last; zxid++) {
      assertNotNull(database.getNode("/n" + zxid), "/n" + zxid);
    }
    assertEquals(last, database.getDataTreeLastProcessedZxid());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(log.getSnapDir().toPath())) {
      return files
          .map(each -> each.getFileName().toString())
          .filter(each -> each.contains("snapshot"))
          .sorted()
          .toList();
    }
  }

  /** What a disk does: a bit is another one, and the file's times are as they were. */
  private static void flip(Path file, int offset) throws IOException {
    FileTime modified = Files.getLastModifiedTime(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset] ^= 1;
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, modified);
  }

  private static int ownerOf(Path snapshot, String path) throws IOException {
    byte[] name = path.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(snapshot));
    for (int at = 0; at + name.length < bytes.limit(); at++) {
      boolean same = bytes.getInt(at) == name.length;
      for (int i = 0; same && i < name.length; i++) {
        same = bytes.get(at + Integer.BYTES + i) == name[i];
      }
      if (same) {
        int data = at + Integer.BYTES + name.length;
        return data + Integer.BYTES + bytes.getInt(data) + OWNER_BEHIND_DATA;
      }
    }
    throw new IOException(path + " is not in " + snapshot);
  }

  private Path twoSnapshotsOfWhichTheNewerGivesAPersistentNodeAnOwner() throws IOException {
    save();
    append(1, 8);
    Path newer = save();
    append(9, 10);
    flip(newer, ownerOf(newer, "/n4") + Long.BYTES - 1);
    return newer;
  }

  @Test
  void aPersistentNodeThatAFlippedBitGaveAnOwnerDoesNotDieWithIt() throws IOException {
    twoSnapshotsOfWhichTheNewerGivesAPersistentNodeAnOwner();
    reopen();
    OrcaZKDatabase database = load();

    assertEquals(List.of(), List.copyOf(database.getSessions()), "sessions that own nodes");
    // What a server that starts does with owners that it knows no session of.
    database.getSessions().forEach(each -> database.killSession(each, 10));
    assertHas(database, 10);
    assertEquals(List.of("damaged.snapshot.8", "digest.snapshot.0", "snapshot.0"), names());
  }

  /** As the one above, by stock code: if it fails, what is said of it here is true no more. */
  @Test
  void stockZooKeeperLosesThatNode() throws IOException {
    twoSnapshotsOfWhichTheNewerGivesAPersistentNodeAnOwner();
    log.close();
    ZKDatabase stock = new ZKDatabase(new FileTxnSnapLog(dir.toFile(), dir.toFile()));
    stock.loadDataBase();
    stock.getSessions().forEach(each -> stock.killSession(each, 10));

    assertEquals(null, stock.getNode("/n4"));
    stock.close();
  }

  @Test
  void aSnapshotWithoutADigestIsLookedThroughBeforeItIsUsed() throws IOException {
    Path newer = twoSnapshotsOfWhichTheNewerGivesAPersistentNodeAnOwner();
    Files.delete(newer.resolveSibling("digest.snapshot.8"));
    reopen();
    OrcaZKDatabase database = load();

    assertEquals(List.of(), List.copyOf(database.getSessions()));
    assertHas(database, 10);
  }

  @Test
  void damageThatTheSnapshotsOwnChecksumsDoNotSeeIsSeen() throws IOException {
    save();
    append(1, 8);
    Path newer = save();
    // Two bytes after which Adler-32 is the same would do as well: what is tested is who decides.
    Path digest = newer.resolveSibling("digest.snapshot.8");
    SnapshotDigest other =
        new SnapshotDigest(
            Files.size(newer), "00".repeat(32), Files.getLastModifiedTime(newer).toMillis());
    SnapshotDigests digests = new SnapshotDigests(digest.getParent(), LogStorage.files());
    digests.settle(newer, other);
    reopen();

    assertHas(load(), 8);
    assertTrue(names().contains("damaged.snapshot.8"), names().toString());
  }

  @Test
  void aDamagedSnapshotThatTheLogDoesNotMakeUpForStopsTheStartAndChangesNothing()
      throws IOException {
    save();
    append(1, 3);
    // As from a leader: the transactions 4 to 8 are in no log here.
    for (long zxid = 4; zxid <= 8; zxid++) {
      tree.processTxn(Transactions.header(zxid), Transactions.txn(zxid, 8));
    }
    Path newer = save();
    append(9, 10);
    flip(newer, 200);
    reopen();
    List<String> before = names();
    IOException refused = assertThrows(IOException.class, this::load);

    assertTrue(refused.getMessage().contains(newer.toString()), refused.getMessage());
    assertTrue(refused.getMessage().contains("0x3 without a gap"), refused.getMessage());
    assertTrue(refused.getMessage().contains("not to 0x8"), refused.getMessage());
    assertEquals(before, names());
  }

  @Test
  void theEndOfAnEpochThatOnlyTheDamagedSnapshotHasIsNotSkipped() throws IOException {
    save();
    append(1, 3);
    tree.processTxn(Transactions.header(4), Transactions.txn(4, 8));
    Path newer = save();
    long next = (1L << 32) + 1;
    log.append(Transactions.create(next));
    log.commit();
    flip(newer, 200);
    reopen();

    IOException refused = assertThrows(IOException.class, this::load);
    assertTrue(refused.getMessage().contains("not to 0x4"), refused.getMessage());
  }

  @Test
  void ifNoSnapshotIsGoodTheStartIsRefusedAndEachIsNamed() throws IOException {
    Path first = save();
    flip(first, 30);
    append(1, 8);
    Path second = save();
    Files.write(second, new byte[0]);
    reopen();

    IOException refused = assertThrows(IOException.class, this::load);
    assertTrue(refused.getMessage().contains(first + ": it holds"), refused.getMessage());
    assertTrue(refused.getMessage().contains(second + ": "), refused.getMessage());
    assertEquals(
        List.of("digest.snapshot.0", "digest.snapshot.8", "snapshot.0", "snapshot.8"), names());
  }

  /** As the one above without a log: if it fails, what the docs say of stock is true no more. */
  @Test
  void stockZooKeeperBeginsWithNothingThen() throws IOException {
    for (long zxid = 1; zxid <= 8; zxid++) {
      tree.processTxn(Transactions.header(zxid), Transactions.txn(zxid, 8));
    }
    Path only = save();
    Files.write(only, java.util.Arrays.copyOf(Files.readAllBytes(only), 100));
    log.close();
    ZKDatabase stock = new ZKDatabase(new FileTxnSnapLog(dir.toFile(), dir.toFile()));

    assertEquals(0, stock.loadDataBase());
    assertEquals(null, stock.getNode("/n8"));
    stock.close();
  }

  @Test
  void damageToTheDigestIsNotDamageToTheSnapshot() throws IOException {
    append(1, 8);
    Path snapshot = save();
    Path digest = snapshot.resolveSibling("digest.snapshot.8");
    byte[] good = Files.readAllBytes(digest);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 4;
      Files.write(digest, bad);
      assertEquals(8, load().getDataTreeLastProcessedZxid(), "byte " + i);
      Files.write(digest, java.util.Arrays.copyOf(good, i));
      assertEquals(8, load().getDataTreeLastProcessedZxid(), "cut to " + i);
    }
  }

  @Test
  void aSnapshotThatStockZooKeeperHasWrittenAgainIsNotTakenForADamagedOne() throws IOException {
    append(1, 8);
    Path snapshot = save();
    log.close();
    FileTxnSnapLog stock = new FileTxnSnapLog(dir.toFile(), dir.toFile());
    ConcurrentHashMap<Long, Integer> other = new ConcurrentHashMap<>();
    other.put(SESSION, 10_000);
    stock.save(tree, other, true);
    stock.close();
    Files.setLastModifiedTime(snapshot, FileTime.fromMillis(1));
    open();

    assertHas(load(), 8);
    assertTrue(names().contains("snapshot.8"), names().toString());
  }

  @Test
  void aSnapshotThatReplacesOneOfItsNameIsGoodBeforeAndAfter() throws IOException {
    append(1, 8);
    Path snapshot = save();
    byte[] before = Files.readAllBytes(snapshot);
    FileTime modified = Files.getLastModifiedTime(snapshot);
    SnapshotDigests digests = new SnapshotDigests(snapshot.getParent(), LogStorage.files());
    SnapshotDigest next = new SnapshotDigest(5, "11".repeat(32), 77);

    assertTrue(digests.announce(snapshot, next), "there is another one of the name");
    assertEquals(
        List.of(next, SnapshotDigest.of(snapshot)), digests.expectedOf(snapshot), "either is good");
    assertArrayEquals(before, Files.readAllBytes(snapshot));
    assertEquals(modified, Files.getLastModifiedTime(snapshot));
    digests.settle(snapshot, next);
    assertEquals(List.of(next), digests.expectedOf(snapshot));
  }

  @ParameterizedTest
  @EnumSource(StreamMode.class)
  void aSnapshotIsWhatStockZooKeeperWouldHaveWrittenAndItsDigestThatOfItsBytes(StreamMode mode)
      throws IOException {
    SnapStream.setStreamMode(mode);
    append(1, 8);
    Path snapshot = save();
    Path stock = dir.resolve("stock" + mode.getFileExtension());
    new FileSnap(dir.toFile()).serialize(tree, new ConcurrentHashMap<>(), stock.toFile(), true);

    assertEquals("snapshot.8" + mode.getFileExtension(), snapshot.getFileName().toString());
    assertArrayEquals(Files.readAllBytes(stock), Files.readAllBytes(snapshot));
    SnapshotDigests digests = new SnapshotDigests(snapshot.getParent(), LogStorage.files());
    assertEquals(List.of(SnapshotDigest.of(snapshot)), digests.expectedOf(snapshot));
  }

  /** Every tenth byte; {@code DamageTest} has the others. */
  @ParameterizedTest
  @EnumSource(StreamMode.class)
  void whereverABitFlipsTheStateIsTheSameOrTheStartIsRefused(StreamMode mode) throws IOException {
    SnapStream.setStreamMode(mode);
    save();
    append(1, 8);
    Path newer = save();
    byte[] good = Files.readAllBytes(newer);
    FileTime modified = Files.getLastModifiedTime(newer);
    byte[] digest = Files.readAllBytes(newer.resolveSibling("digest." + newer.getFileName()));
    for (int i = 0; i < good.length; i += 9 + i % 3) {
      for (boolean withDigest : new boolean[] {true, false}) {
        Files.write(newer, good);
        Files.setLastModifiedTime(newer, modified);
        flip(newer, i);
        if (withDigest) {
          Files.write(newer.resolveSibling("digest." + newer.getFileName()), digest);
        } else {
          Files.deleteIfExists(newer.resolveSibling("digest." + newer.getFileName()));
        }
        OrcaZKDatabase database = load();
        assertHas(database, 8);
        assertEquals(List.of(), List.copyOf(database.getSessions()), mode + ", byte " + i);
        if (withDigest) {
          assertFalse(Files.exists(newer), mode + ", byte " + i + " was not seen");
        }
      }
    }
  }

  @Test
  void digestsGoWithTheirSnapshots() throws IOException {
    for (long zxid = 1; zxid <= 5; zxid++) {
      append(zxid, zxid);
      save();
      log.rollLog();
    }
    log.close();
    PurgeTxnLog.purge(dir.toFile(), dir.toFile(), 3);
    assertTrue(names().contains("digest.snapshot.1"), "stock's purge knows nothing of digests");
    open();
    assertEquals(
        List.of(
            "digest.snapshot.3",
            "digest.snapshot.4",
            "digest.snapshot.5",
            "snapshot.3",
            "snapshot.4",
            "snapshot.5"),
        names());
    log.truncateLog(4);
    assertEquals(
        List.of("digest.snapshot.3", "digest.snapshot.4", "snapshot.3", "snapshot.4"), names());
  }

  @Test
  void stocksOwnSearchFindsNoDigest() throws IOException {
    append(1, 3);
    save();
    FileTxnSnapLog stock = new FileTxnSnapLog(dir.toFile(), dir.toFile());
    assertEquals(
        List.of("snapshot.3"),
        stock.findNRecentSnapshots(10).stream().map(each -> each.getName()).toList());
    stock.close();
  }

  @Test
  void aTruncationToWhatOnlyADamagedSnapshotShowsChangesNothing() throws IOException {
    append(1, 3);
    Path only = save();
    append(4, 8);
    save();
    flip(only, 100);
    List<String> before = names();

    assertFalse(log.truncateLog(5));
    assertEquals(before, names());
    assertEquals(8, log.getLastLoggedZxid());
  }

  @Test
  void sha256sumCanVerifyWhatTheDigestSays() throws IOException {
    append(1, 3);
    Path snapshot = save();
    String sum =
        HexFormat.of().formatHex(SnapshotDigest.newSha256().digest(Files.readAllBytes(snapshot)));
    List<String> lines = Files.readAllLines(snapshot.resolveSibling("digest.snapshot.3"));
    assertEquals(
        List.of(sum + "  snapshot.3"),
        lines.stream().filter(each -> !each.startsWith("#")).toList());
  }
}
