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

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of five records of about 3000 bytes each, hurt in several ways. */
class TornTailTest {
  private static final int RECORD_BYTES = 3_000;
  private static final int SECTOR_BYTES = 512;

  @TempDir Path dir;

  private Path file;
  private long endOfFourth;
  private long endOfFifth;

  @BeforeEach
  void write() throws IOException {
    try (OrcaTxnLog log = new OrcaTxnLog(dir.toFile(), LogStorage.files())) {
      for (long zxid = 1; zxid <= 5; zxid++) {
        endOfFourth = log.getCurrentLogSize();
        log.append(Transactions.create(zxid, RECORD_BYTES));
      }
      log.commit();
      endOfFifth = log.getCurrentLogSize();
    }
    file = logs().get(0);
    // Nothing says that it was forced.
    Files.delete(dir.resolve(DurableMarkFile.NAME));
  }

  private List<Path> logs() throws IOException {
    try (var files = Files.list(dir)) {
      return files.filter(each -> each.getFileName().toString().startsWith("log.")).toList();
    }
  }

  private void overwrite(long position, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), position);
    }
  }

  private void loseSector(long sector) throws IOException {
    long from = Math.max(endOfFourth, sector * SECTOR_BYTES);
    overwrite(from, new byte[(int) ((sector + 1) * SECTOR_BYTES - from)]);
  }

  private List<Long> repairedAndRead() throws IOException {
    new LogCheck(dir.toFile(), dir.toFile()).repair();
    return Transactions.readByStock(dir.toFile());
  }

  @Test
  void aWholeLogStaysAsItIs() throws IOException {
    byte[] before = Files.readAllBytes(file);

    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), repairedAndRead());
    assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(file)));
  }

  @Test
  void eachSectorOfTheLastRecordMayBeMissing() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (long sector = endOfFourth / SECTOR_BYTES;
        sector <= (endOfFifth - 1) / SECTOR_BYTES;
        sector++) {
      Files.write(file, whole);
      loseSector(sector);

      assertEquals(List.of(1L, 2L, 3L, 4L), repairedAndRead(), "sector " + sector);
    }
  }

  @Test
  void withoutTheRepairTheStockReaderRefusesSuchALog() throws IOException {
    loseSector(endOfFourth / SECTOR_BYTES + 2);

    assertThrows(IOException.class, () -> Transactions.readByStock(dir.toFile()));
  }

  @Test
  void whatWasWrittenBehindATornRecordGoesWithIt() throws IOException {
    long third = endOfFourth - 2L * (endOfFifth - endOfFourth);
    long sector = third / SECTOR_BYTES + 2;
    overwrite(sector * SECTOR_BYTES, new byte[SECTOR_BYTES]);

    assertEquals(List.of(1L, 2L), repairedAndRead());
  }

  @Test
  void aDamagedRecordIsNotTakenForATornOne() throws IOException {
    overwrite(endOfFourth + 1_000, new byte[] {77});
    byte[] before = Files.readAllBytes(file);

    assertThrows(IOException.class, this::repairedAndRead);
    assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(file)));
  }

  @Test
  void aFileWithoutAHeaderIsDeleted() throws IOException {
    Path later = dir.resolve("log.9");
    Files.write(later, new byte[4_096]);

    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), repairedAndRead());
    assertFalse(Files.exists(later));
    assertTrue(Files.exists(file));
  }

  @Test
  void anEmptyFolderNeedsNothing(@TempDir File empty) throws IOException {
    assertTrue(new LogCheck(empty, empty).repair().isEmpty());
    File missing = new File(empty, "missing");
    assertTrue(new LogCheck(missing, missing).repair().isEmpty());
  }
}
