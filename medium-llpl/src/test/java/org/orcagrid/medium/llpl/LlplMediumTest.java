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
package org.orcagrid.medium.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.DurableMediumContract;
import org.orcagrid.ddp.durable.segment.FailingFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.needs.Needs;

/**
 * Pools in ordinary files, which keep what a process leaves and not what a power cut does; in the
 * lab they are in persistent memory.
 */
@Needs(Pmdk.class)
class LlplMediumTest extends DurableMediumContract {
  private static final SegmentLimits LIMITS =
      new SegmentLimits(1 << 16, RECORD_BYTES_MAX, 1 << 15, 1 << 19);

  @Override
  protected LlplMedium open(Path folder) throws IOException {
    return Pmdk.DAX
        ? LlplMedium.open(folder, LIMITS)
        : LlplMedium.open(PoolFolder.anywhere(folder, LIMITS), LIMITS);
  }

  @Override
  protected LlplMedium openOnFailingDevice(Path folder, int operations) throws IOException {
    return LlplMedium.open(
        new FailingFiles(PoolFolder.anywhere(folder, LIMITS), operations), LIMITS);
  }

  @Override
  protected void damage(Path folder) throws IOException {
    byte[] first = record(100, 0).array();
    Path pool = folder.resolve("pool");
    byte[] all = Files.readAllBytes(pool);
    int at = 0;
    while (!Arrays.equals(all, at, at + first.length, first, 0, first.length)) {
      at++;
    }
    // In place: the pool is still mapped.
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {(byte) (first[50] ^ 1)}), at + 50);
    }
  }

  @Test
  void aFileSystemWithoutDaxIsRefusedInASentence() {
    assumeFalse(Pmdk.DAX, "all folders of this machine are on DAX");
    IOException refusal =
        assertThrows(IOException.class, () -> LlplMedium.open(folder(), LIMITS).close());
    assertTrue(refusal.getMessage().contains("is not on persistent memory"), refusal.getMessage());
    assertFalse(Files.exists(folder().resolve("probe")));
    assertFalse(Files.exists(folder().resolve("pool")));
  }

  @Test
  void everythingIsDurableWhenForceReturns() throws IOException {
    try (LlplMedium medium = open(folder())) {
      int[] told = {0};
      medium.onProgress(() -> told[0]++);
      replay(medium);
      for (int i = 1; i <= 500; i++) {
        long position = medium.append(record(100, i));
        assertTrue(position > DurableMedium.NOTHING);
        medium.force();
        assertEquals(position, medium.durable());
        assertEquals(i, told[0]);
        medium.trim(position);
      }
    }
  }

  @Test
  void aFileThatIsNoPoolIsRefusedInASentence() throws IOException {
    Files.write(folder().resolve("pool"), new byte[16 << 20]);
    IOException refusal = assertThrows(IOException.class, () -> open(folder()).close());
    assertTrue(refusal.getMessage().contains("Cannot open the pool in"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("restore the folder"), refusal.getMessage());
  }

  @Test
  void aPoolThatWasHalfMadeIsMadeAnew() throws IOException {
    Files.write(folder().resolve("pool"), new byte[100]);
    Files.write(folder().resolve("unfinished"), new byte[0]);
    try (LlplMedium medium = open(folder())) {
      assertEquals(0, replay(medium).size());
      assertTrue(medium.append(record(10, 1)) > DurableMedium.NOTHING);
    }
    assertFalse(Files.exists(folder().resolve("unfinished")));
  }

  @Test
  void aPoolKeepsTheSizeOfItsFirstStart() throws IOException {
    try (LlplMedium medium = open(folder())) {
      replay(medium);
      medium.append(record(10, 1));
      medium.force();
    }
    SegmentLimits greater = new SegmentLimits(8 << 20, RECORD_BYTES_MAX, 1 << 15, 1 << 26);
    try (LlplMedium medium = LlplMedium.open(PoolFolder.anywhere(folder(), greater), greater)) {
      IOException refusal = assertThrows(IOException.class, () -> replay(medium));
      assertTrue(refusal.getMessage().contains("size of its first start"), refusal.getMessage());
    }
  }

  @Test
  void segmentsOfAnotherLengthAreReadAndLeftToBeUsedAgain() throws IOException {
    SegmentLimits shorter = new SegmentLimits(1 << 15, RECORD_BYTES_MAX, 1 << 14, 1 << 19);
    long last = 0;
    try (LlplMedium medium = open(folder())) {
      replay(medium);
      for (int i = 0; i < 200; i++) {
        last = medium.append(record(RECORD_BYTES_MAX, i));
        medium.force();
      }
    }
    try (LlplMedium medium = LlplMedium.open(PoolFolder.anywhere(folder(), shorter), shorter)) {
      assertEquals(200, replay(medium).size());
      for (int i = 0; i < 500; i++) {
        medium.trim(last);
        long position = medium.append(record(RECORD_BYTES_MAX, i));
        assertEquals(last + 1, position);
        last = position;
        medium.force();
      }
    }
  }
}
