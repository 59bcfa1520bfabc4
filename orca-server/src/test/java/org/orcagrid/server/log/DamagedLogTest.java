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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log of three files, all of it durable, that is damaged in one place. A restart refuses it and
 * says where, or finds all of it.
 */
class DamagedLogTest {
  private static final int SECTOR_BYTES = 512;
  private static final int PREFIX_BYTES = 12;
  private static final long LAST = 60;
  private static final List<Long> ALL = LongStream.rangeClosed(1, LAST).boxed().toList();

  /** Behind it the data of a transaction are zeros. */
  private static final long ZEROS = 50;

  @TempDir Path dir;

  /** Where each transaction begins. */
  private final Map<Long, Long> starts = new TreeMap<>();

  private Path first;
  private Path second;
  private Path last;

  @BeforeEach
  void write() throws IOException {
    OrcaTxnSnapLog log = open();
    try {
      log.save(new DataTree(), new ConcurrentHashMap<>(), true);
      for (long zxid = 1; zxid <= LAST; zxid++) {
        starts.put(zxid, Math.max(16, log.log().getCurrentLogSize()));
        log.append(create(zxid, zxid == ZEROS ? 2_000 : size(zxid), zxid == ZEROS));
        if (zxid == 20 || zxid == 40) {
          log.rollLog();
        }
      }
      log.commit();
    } finally {
      log.close();
    }
    Path folder = dir.resolve("version-2");
    first = folder.resolve("log.1");
    second = folder.resolve("log.15");
    last = folder.resolve("log.29");
    assertTrue(Files.exists(first) && Files.exists(second) && Files.exists(last));
  }

  /** Odd ones of all lengths, so that some begin near a sector's end. */
  private static int size(long zxid) {
    return (int) (zxid * 37 % 300);
  }

  private static Request create(long zxid, int bytes, boolean zeros) {
    CreateTxn txn =
        zeros
            ? new CreateTxn("/n" + zxid, new byte[bytes], Ids.OPEN_ACL_UNSAFE, false, (int) zxid)
            : Transactions.txn(zxid, bytes);
    TxnHeader header = Transactions.header(zxid);
    return new Request(1, (int) zxid, OpCode.create, header, txn, zxid);
  }

  private OrcaTxnSnapLog open() throws IOException {
    return new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), new UnforcedStorage());
  }

  private List<Long> restored() throws IOException {
    List<Long> found = new ArrayList<>();
    OrcaTxnSnapLog log = open();
    try {
      log.restore(
          new DataTree(),
          new ConcurrentHashMap<>(),
          (header, txn, digest) -> found.add(header.getZxid()));
    } finally {
      log.close();
    }
    return found;
  }

  private static void change(Path file, UnaryOperator<byte[]> damage) throws IOException {
    Files.write(file, damage.apply(Files.readAllBytes(file)));
  }

  private static void flip(Path file, long position) throws IOException {
    change(
        file,
        bytes -> {
          bytes[(int) position] ^= 0x10;
          return bytes;
        });
  }

  private static void set(Path file, long position, int value) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(4).putInt(0, value), position);
    }
  }

  private static void cut(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }

  /** The start is refused, with the file and the place; the files stay as they are. */
  private void assertRefused(Path file, long offset) throws IOException {
    byte[] before = Files.readAllBytes(file);
    IOException refusal = assertThrows(IOException.class, this::restored);
    String message = refusal.getMessage();
    assertTrue(message.contains(file.toString()), message);
    assertTrue(message.contains("byte " + offset), message);
    assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(file)));
  }

  @Test
  void aWholeLogIsRestored() throws IOException {
    assertEquals(ALL, restored());
    assertEquals(ALL, restored());
  }

  @Test
  void aTransactionThatBeginsWithinFourBytesOfASectorsEndIsNotTorn() throws IOException {
    OrcaTxnSnapLog log = open();
    try {
      for (long zxid = LAST + 1; zxid <= LAST + 3; zxid++) {
        log.append(create(zxid, 20, false));
      }
      log.commit();
      Path file = dir.resolve("version-2/log.3d");
      long start = log.log().getCurrentLogSize();
      // The next one but one begins so many bytes before a sector's end.
      long overhead = create(70, 0, false).getSerializeData().length + PREFIX_BYTES + 1L;
      long target = ((start + overhead) / SECTOR_BYTES + 1) * SECTOR_BYTES - 3;
      log.append(create(LAST + 4, (int) (target - start - overhead), false));
      assertEquals(target, log.log().getCurrentLogSize());
      log.append(create(LAST + 5, 20, false));
      log.append(create(LAST + 6, 20, false));
      log.commit();
      log.close();
      flip(file, target + PREFIX_BYTES + 30);
      assertRefused(file, target);
      Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
      assertRefused(file, target);
    } finally {
      log.close();
    }
  }

  @Test
  void aTransactionWithASectorOfZerosInItsDataIsNotTorn() throws IOException {
    flip(last, starts.get(ZEROS) + PREFIX_BYTES + 8);
    assertRefused(last, starts.get(ZEROS));
  }

  @Test
  void zerosInDataAreNothingWrong() throws IOException {
    assertEquals(ALL, restored());
  }

  @Test
  void eachFlippedLengthIsRefusedInEachFile() throws IOException {
    Map<Path, List<Long>> places = new TreeMap<>();
    places.put(first, List.of(1L, 10L, 20L));
    places.put(second, List.of(21L, 33L, 40L));
    places.put(last, List.of(41L, 50L, LAST));
    for (Map.Entry<Path, List<Long>> each : places.entrySet()) {
      for (long zxid : each.getValue()) {
        for (int length : new int[] {0, -1, Integer.MIN_VALUE, 1, 1_000, 100_000, 1 << 30}) {
          byte[] whole = Files.readAllBytes(each.getKey());
          set(each.getKey(), starts.get(zxid) + Long.BYTES, length);
          assertRefused(each.getKey(), starts.get(zxid));
          Files.write(each.getKey(), whole);
        }
      }
    }
    assertEquals(ALL, restored());
  }

  @Test
  void theLastTransactionIsNotTornOnceItIsDurable() throws IOException {
    flip(last, starts.get(LAST) + PREFIX_BYTES + 20);
    assertRefused(last, starts.get(LAST));
  }

  @Test
  void anEndOfZerosIsDamageWhereTheLogWasDurable() throws IOException {
    long from = starts.get(55L);
    change(
        last,
        bytes -> {
          java.util.Arrays.fill(bytes, (int) from, bytes.length, (byte) 0);
          return bytes;
        });
    assertRefused(last, from);
  }

  @Test
  void aLogThatWasCutIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(last);
    for (long zxid : new long[] {41, 50, 55, LAST}) {
      cut(last, starts.get(zxid));
      assertRefused(last, starts.get(zxid));
      cut(last, starts.get(zxid) + 3);
      assertRefused(last, starts.get(zxid));
      Files.write(last, whole);
    }
  }

  @Test
  void aFileBeforeTheLastThatWasCutOrEndsInZerosIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(second);
    cut(second, starts.get(30L) + 7);
    assertRefused(second, starts.get(30L));
    Files.write(second, whole);
    // Exactly between two transactions.
    cut(second, starts.get(30L));
    assertRefused(second, starts.get(30L));
    // The next file shows what is missing.
    Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
    assertRefused(last, starts.get(41L));
  }

  @Test
  void aFileThatIsMissingBetweenOthersIsRefused() throws IOException {
    Files.delete(second);
    assertMissing(second);
    Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
    assertRefused(last, starts.get(41L));
  }

  private void assertMissing(Path file) {
    IOException refusal = assertThrows(IOException.class, this::restored);
    String message = refusal.getMessage();
    assertTrue(message.contains(file + " is missing"), message);
  }

  @Test
  void theFirstFileThatIsMissingIsRefused() throws IOException {
    Files.delete(first);
    assertMissing(first);
    Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
    assertRefused(second, starts.get(21L));
  }

  @Test
  void theLastFileThatIsMissingIsRefused() throws IOException {
    Files.delete(last);
    assertMissing(last);
  }

  @Test
  void aDamagedHeaderIsRefusedInEachFile() throws IOException {
    for (Path file : List.of(first, second, last)) {
      flip(file, 2);
      assertRefused(file, 0);
      flip(file, 2);
    }
    assertEquals(ALL, restored());
  }

  @Test
  void damageThatNoRestoreReadsIsNobodysBusiness() throws IOException {
    DataTree tree = new DataTree();
    for (long zxid = 1; zxid <= 45; zxid++) {
      tree.processTxn(Transactions.header(zxid), Transactions.txn(zxid, 1));
    }
    OrcaTxnSnapLog log = open();
    log.save(tree, new ConcurrentHashMap<>(), true);
    log.close();
    flip(first, starts.get(10L) + 20);
    Files.delete(second);
    assertEquals(LongStream.rangeClosed(46, LAST).boxed().toList(), restored());
  }

  /** Every byte of each file, with a file of a few sectors: refused, or all of it is found. */
  @Test
  void noFlipLosesAnything() throws IOException {
    for (Path file : List.of(second, last)) {
      byte[] whole = Files.readAllBytes(file);
      long end = starts.get(file.equals(last) ? LAST : 40L) + 80;
      for (int at = 0; at < end; at += 41) {
        whole[at] ^= 0x40;
        Files.write(file, whole);
        List<Long> found;
        try {
          found = restored();
        } catch (IOException e) {
          found = ALL;
        }
        assertEquals(ALL, found, file + " byte " + at);
        whole[at] ^= 0x40;
      }
      Files.write(file, whole);
    }
  }

  @Test
  void withoutAKnownPositionWhatFollowsTellsDamageFromATornEnd() throws IOException {
    Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
    flip(last, starts.get(55L) + PREFIX_BYTES + 8);
    IOException refusal = assertThrows(IOException.class, this::restored);
    assertTrue(
        refusal.getMessage().contains("5 whole transactions follow, 0x38 at byte "),
        refusal.getMessage());
    assertTrue(refusal.getMessage().contains(" to 0x3c"), refusal.getMessage());
  }

  @Test
  void aLengthOfZeroIsNoEndWithoutAKnownPosition() throws IOException {
    Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
    set(last, starts.get(55L) + Long.BYTES, 0);
    assertRefused(last, starts.get(55L));
  }

  @Test
  void whatAStockServerThatWasKilledLeavesOfATransactionIsTorn() throws IOException {
    Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
    byte[] whole = Files.readAllBytes(last);
    for (int kept = 1; kept <= PREFIX_BYTES; kept++) {
      byte[] torn = whole.clone();
      int at = (int) (long) starts.get(LAST);
      java.util.Arrays.fill(torn, at + kept, torn.length, (byte) 0);
      Files.write(last, torn);
      Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
      assertEquals(ALL.subList(0, (int) LAST - 1), restored(), "kept " + kept);
    }
  }

  @Test
  void itIsNothingWrongIfTheNextFileGoesOnBehindIt() throws IOException {
    Files.deleteIfExists(dir.resolve("version-2").resolve("orcaDurable"));
    byte[] begun = new byte[PREFIX_BYTES];
    begun[7] = 1;
    begun[11] = 60;
    change(
        first,
        bytes -> {
          // Behind its last transaction.
          int end = bytes.length;
          while (bytes[end - 1] == 0) {
            end--;
          }
          System.arraycopy(begun, 0, bytes, end, begun.length);
          return bytes;
        });
    assertEquals(ALL, restored());
  }

  @Test
  void aFileIsMissedIfTheSnapshotThatShowedAsMuchIsDamaged() throws IOException {
    Path epochs = dir.resolve("epochs");
    OrcaTxnSnapLog log =
        new OrcaTxnSnapLog(epochs.toFile(), epochs.toFile(), new UnforcedStorage());
    log.save(new DataTree(), new ConcurrentHashMap<>(), true);
    for (long epoch = 1; epoch <= 3; epoch++) {
      for (long count = 1; count <= 5; count++) {
        log.append(create(epoch << 32 | count, 20, false));
      }
      log.rollLog();
    }
    log.commit();
    log.close();
    Path folder = epochs.resolve("version-2");
    Files.write(folder.resolve("snapshot.300000002"), new byte[100]);
    Files.delete(folder.resolve("log.200000001"));
    for (int start = 0; start < 2; start++) {
      IOException refusal =
          assertThrows(
              IOException.class,
              () -> {
                OrcaTxnSnapLog again =
                    new OrcaTxnSnapLog(epochs.toFile(), epochs.toFile(), new UnforcedStorage());
                try {
                  again.restore(
                      new DataTree(), new ConcurrentHashMap<>(), (header, txn, digest) -> {});
                } finally {
                  again.close();
                }
              });
      assertTrue(refusal.getMessage().contains("log.200000001 is missing"), refusal.getMessage());
    }
  }
}
