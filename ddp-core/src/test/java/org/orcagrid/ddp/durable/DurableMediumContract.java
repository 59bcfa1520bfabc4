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
package org.orcagrid.ddp.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every medium does. A provider says how it is opened; where it lies on files that a test can
 * put others in the place of, it is also tried out at every write.
 */
@Timeout(60)
public abstract class DurableMediumContract {
  /** The most bytes of a record in these tests. */
  protected static final int RECORD_BYTES_MAX = 1000;

  @TempDir private Path folder;

  /**
   * Opens a medium in a folder: for records up to {@link #RECORD_BYTES_MAX}, for 200 of them in all
   * at most, and not for all of those at once before they are forced.
   */
  protected abstract DurableMedium open(Path folder) throws IOException;

  /**
   * The same on a device that fails after so many operations, of which opening and replaying what
   * is empty take less than 5, and a record that is forced at least 2.
   */
  protected abstract DurableMedium openOnFailingDevice(Path folder, int operations)
      throws IOException;

  /** Changes a byte of the first record, which is not the last one, in a medium that is closed. */
  protected abstract void damage(Path folder) throws IOException;

  /** For those that keep a record at a certain place of a file. */
  protected static void damage(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  /** A folder of this test's own. */
  protected final Path folder() {
    return folder;
  }

  /** A record that is read back. */
  protected record Read(long position, List<Byte> bytes) {
    public static Read of(long position, ByteBuffer record) {
      List<Byte> bytes = new ArrayList<>();
      while (record.hasRemaining()) {
        bytes.add(record.get());
      }
      return new Read(position, bytes);
    }
  }

  protected static List<Read> replay(DurableMedium medium) throws IOException {
    List<Read> records = new ArrayList<>();
    medium.replay((position, record) -> records.add(Read.of(position, record)));
    return records;
  }

  protected static ByteBuffer record(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new java.util.Random(seed).nextBytes(content);
    return ByteBuffer.wrap(content);
  }

  /** Waits until all up to a position is durable. */
  protected static void awaitDurable(DurableMedium medium, Semaphore progress, long position)
      throws InterruptedException {
    while (medium.durable() < position) {
      assertNull(medium.failure());
      assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
    }
  }

  private static Semaphore progressOf(DurableMedium medium) {
    Semaphore progress = new Semaphore(0);
    medium.onProgress(progress::release);
    return progress;
  }

  private static Read append(DurableMedium medium, Semaphore progress, ByteBuffer record)
      throws InterruptedException {
    long position = medium.append(record);
    while (position == DurableMedium.NOTHING) {
      medium.force();
      assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
      position = medium.append(record);
    }
    return Read.of(position, record);
  }

  @Test
  void whatWasForcedIsReadBackInItsOrder() throws Exception {
    List<Read> written = new ArrayList<>();
    try (DurableMedium medium = open(folder)) {
      Semaphore progress = progressOf(medium);
      assertEquals(List.of(), replay(medium));
      assertEquals(DurableMedium.NOTHING, medium.durable());
      for (int i = 0; i < 100; i++) {
        written.add(append(medium, progress, record(i * 7 % 300, i)));
        if (i % 10 == 0) {
          medium.force();
        }
      }
      medium.force();
      awaitDurable(medium, progress, written.get(99).position());
      assertNull(medium.failure());
    }
    try (DurableMedium medium = open(folder)) {
      assertEquals(written, replay(medium));
      assertEquals(written.get(99).position(), medium.durable());
    }
  }

  @Test
  void closingMakesDurableWhatNobodyHasForced() throws Exception {
    List<Read> written = new ArrayList<>();
    DurableMedium medium = open(folder);
    replay(medium);
    for (int i = 0; i < 5; i++) {
      written.add(Read.of(medium.append(record(10, i)), record(10, i)));
    }
    medium.close();
    medium.close();
    assertEquals(written.get(4).position(), medium.durable());
    assertThrows(IllegalStateException.class, () -> medium.append(record(1, 1)));

    try (DurableMedium again = open(folder)) {
      assertEquals(written, replay(again));
    }
  }

  @Test
  void emptyRecordsAndTheLargestOnesAreRecords() throws Exception {
    List<Read> written = new ArrayList<>();
    try (DurableMedium medium = open(folder)) {
      Semaphore progress = progressOf(medium);
      replay(medium);
      int largest = medium.recordBytesMax();
      assertTrue(largest >= RECORD_BYTES_MAX);
      for (int bytes : new int[] {0, largest, 0, 0, largest, 1, largest - 1}) {
        written.add(append(medium, progress, record(bytes, bytes)));
      }
      assertThrows(
          IllegalArgumentException.class, () -> medium.append(ByteBuffer.allocate(largest + 1)));
    }
    try (DurableMedium medium = open(folder)) {
      assertEquals(written, replay(medium));
    }
  }

  @Test
  void aRecordIsCopiedFromItsPositionToItsLimitAndStaysAsItIs() throws Exception {
    byte[] content = {1, 2, 3, 4, 5};
    ByteBuffer record = ByteBuffer.wrap(content).position(1).limit(4);
    try (DurableMedium medium = open(folder)) {
      replay(medium);
      medium.append(record);
      assertEquals(1, record.position());
      assertEquals(4, record.limit());
      content[2] = 9;
      medium.append(ByteBuffer.allocateDirect(2).putShort(0, (short) 0x0708));
    }
    try (DurableMedium medium = open(folder)) {
      List<Read> read = replay(medium);
      assertEquals(List.of((byte) 2, (byte) 3, (byte) 4), read.get(0).bytes());
      assertEquals(List.of((byte) 7, (byte) 8), read.get(1).bytes());
    }
  }

  @Test
  void positionsGrowAlsoFromOneStartToTheNext() throws Exception {
    List<Read> written = new ArrayList<>();
    for (int start = 0; start < 20; start++) {
      try (DurableMedium medium = open(folder)) {
        assertEquals(written, replay(medium));
        for (int i = 0; i < start % 3; i++) {
          long position = medium.append(record(20, start));
          assertTrue(
              written.isEmpty() || position > written.get(written.size() - 1).position(),
              "greater than all before");
          assertTrue(position > DurableMedium.NOTHING);
          written.add(Read.of(position, record(20, start)));
        }
      }
    }
  }

  @Test
  void whatIsNotTrimmedIsReadBackWithoutAGap() throws Exception {
    List<Read> written = new ArrayList<>();
    long trimmed = 0;
    SplittableRandom random = new SplittableRandom(1);
    for (int start = 0; start < 10; start++) {
      try (DurableMedium medium = open(folder)) {
        Semaphore progress = progressOf(medium);
        List<Read> read = replay(medium);
        assertEquals(written.subList(written.size() - read.size(), written.size()), read);
        long first = read.isEmpty() ? Long.MAX_VALUE : read.get(0).position();
        for (Read each : written) {
          assertTrue(each.position() < trimmed || each.position() >= first, "nothing is missing");
        }
        for (int i = 0; i < 60; i++) {
          written.add(append(medium, progress, record(random.nextInt(500), i)));
          medium.force();
          if (i % 20 == 0) {
            awaitDurable(medium, progress, written.get(written.size() - 1).position());
          }
        }
        trimmed = written.get(written.size() - 1 - random.nextInt(30)).position();
        awaitDurable(medium, progress, written.get(written.size() - 1).position());
        medium.trim(trimmed);
      }
    }
  }

  @Test
  void trimmingMakesRoom() throws Exception {
    try (DurableMedium medium = open(folder)) {
      Semaphore progress = progressOf(medium);
      replay(medium);
      assertEquals(0, medium.bytes());
      long most = 0;
      for (int i = 0; i < 3_000; i++) {
        long position = append(medium, progress, record(RECORD_BYTES_MAX, i)).position();
        most = Math.max(most, medium.bytes());
        medium.trim(position);
      }
      assertTrue(most < 300 * RECORD_BYTES_MAX, "Trimmed records do not count: " + most);
      assertTrue(medium.bytes() >= RECORD_BYTES_MAX, "The last one does");
    }
  }

  @Test
  void aMediumThatIsFullRefusesUntilItIsTrimmed() throws Exception {
    try (DurableMedium medium = open(folder)) {
      Semaphore progress = progressOf(medium);
      replay(medium);
      ByteBuffer record = record(RECORD_BYTES_MAX, 1);
      long last = 0;
      int refusals = 0;
      // Refused with nothing to wait for: it is full.
      while (refusals < 2) {
        long position = medium.append(record);
        if (position == DurableMedium.NOTHING) {
          refusals = medium.durable() == last ? refusals + 1 : 0;
          medium.force();
          awaitDurable(medium, progress, last);
        } else {
          last = position;
          refusals = 0;
          assertTrue(medium.bytes() < 10_000 * RECORD_BYTES_MAX, "there is a limit");
        }
      }
      medium.trim(last + 1);
      assertTrue(append(medium, progress, record).position() > last);
    }
  }

  @Test
  void whatTheDeviceCannotFollowIsRefusedAndProgressIsTold() throws Exception {
    try (DurableMedium medium = open(folder)) {
      Semaphore progress = progressOf(medium);
      replay(medium);
      ByteBuffer record = record(RECORD_BYTES_MAX, 1);
      long last = 0;
      // Nobody forces: the medium itself sees to it that a refusal does not last.
      for (int i = 0; i < 150; i++) {
        long position = medium.append(record);
        while (position == DurableMedium.NOTHING) {
          assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
          position = medium.append(record);
        }
        last = position;
      }
      medium.force();
      awaitDurable(medium, progress, last);
    }
  }

  @Test
  void whatIsDamagedIsRefusedInASentenceAndEachTime() throws Exception {
    try (DurableMedium medium = open(folder)) {
      Semaphore progress = progressOf(medium);
      replay(medium);
      for (int i = 0; i < 20; i++) {
        long position = append(medium, progress, record(100, i)).position();
        medium.force();
        awaitDurable(medium, progress, position);
      }
    }
    damage(folder);
    for (int i = 0; i < 2; i++) {
      IOException refusal =
          assertThrows(
              IOException.class,
              () -> {
                try (DurableMedium medium = open(folder)) {
                  replay(medium);
                }
              });
      assertTrue(refusal.getMessage().contains(folder.toString()), refusal.getMessage());
      assertTrue(refusal.getMessage().contains("restore"), refusal.getMessage());
    }
  }

  /**
   * Whether a thread of the medium's own makes its next file ahead of time. If that is what fails,
   * the last record may be durable.
   */
  protected boolean preparesAlone() {
    return false;
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 12, 31, 100})
  void aDeviceThatFailsEndsTheMediumForGood(int operations) throws Exception {
    List<Read> written = new ArrayList<>();
    DurableMedium medium = openOnFailingDevice(folder, operations);
    Semaphore progress = progressOf(medium);
    replay(medium);
    for (int i = 0; medium.failure() == null; i++) {
      long position;
      try {
        position = medium.append(record(100, i));
      } catch (IllegalStateException e) {
        // It may fail at any time: a medium with a thread of its own also makes its next file.
        assertNotNull(medium.failure(), e::toString);
        break;
      }
      written.add(Read.of(position, record(100, i)));
      medium.force();
      while (medium.durable() < position && medium.failure() == null) {
        assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
      }
    }
    long durable = medium.durable();
    assertThrows(IllegalStateException.class, () -> medium.append(record(1, 1)));
    medium.force();
    assertThrows(IOException.class, medium::close);
    medium.close();
    assertEquals(durable, medium.durable());
    long last = written.get(written.size() - 1).position();
    assertTrue(durable < last || (preparesAlone() && durable == last), "the last one is not");

    try (DurableMedium again = open(folder)) {
      List<Read> read = replay(again);
      assertEquals(written.subList(0, read.size()), read);
      assertTrue(again.durable() >= durable, "what was durable is there");
      assertTrue(read.isEmpty() || read.get(read.size() - 1).position() >= durable);
    }
  }

  @Test
  void aRecordIsAppendedOnlyAfterThoseThereAreWereRead() throws Exception {
    try (DurableMedium medium = open(folder)) {
      assertThrows(IllegalStateException.class, () -> medium.append(record(1, 1)));
      replay(medium);
      assertThrows(IllegalStateException.class, () -> replay(medium));
      assertTrue(medium.append(record(1, 1)) > DurableMedium.NOTHING);
    }
  }

  @Test
  void aFolderBelongsToOneMedium() throws Exception {
    try (DurableMedium medium = open(folder)) {
      IOException refusal = assertThrows(IOException.class, () -> open(folder).close());
      assertTrue(refusal.getMessage().contains(folder + " is in use"), refusal.getMessage());
      assertNotNull(medium);
    }
    open(folder).close();
  }
}
