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
package org.orcagrid.medium.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.DurableMediumContract;
import org.orcagrid.ddp.durable.log.FailingLog;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.log.LogSettings;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/** With a log so short that the map is brought up to date again and again. */
class ChronicleMediumTest extends DurableMediumContract {
  private static final ChronicleLimits LIMITS =
      new ChronicleLimits(
          new SegmentLimits(1 << 14, RECORD_BYTES_MAX, 1 << 13, 1 << 17), 400, 240_000);

  @Override
  protected DurableMedium open(Path folder) throws IOException {
    return open(folder, RecordKeys.NONE);
  }

  private static DurableMedium open(Path folder, RecordKeys keys) throws IOException {
    return ChronicleMedium.open(folder, LIMITS, keys, Thread::new);
  }

  @Override
  protected DurableMedium openOnFailingDevice(Path folder, int operations) throws IOException {
    DiskFolder maps = new DiskFolder(folder);
    return ChronicleMedium.open(
        FailingLog.open(folder.resolve("log"), LIMITS.log(), operations),
        maps,
        LIMITS,
        RecordKeys.NONE,
        Thread::new);
  }

  @Override
  protected boolean preparesAlone() {
    return true;
  }

  @Override
  protected void damage(Path folder) throws IOException {
    damage(folder.resolve("log").resolve("segment-1.log"), 120);
  }

  /** The first byte of the key, and what it says about the record behind it. */
  private static void sort(ByteBuffer record, RecordKeys.Kept kept) {
    kept.latest(record.slice(0, 1), record.getLong(1), record);
  }

  private static ByteBuffer keyed(int key, long order, int bytes) {
    return ByteBuffer.allocate(9 + bytes).put(0, (byte) key).putLong(1, order);
  }

  private static long append(DurableMedium medium, Semaphore progress, ByteBuffer record)
      throws InterruptedException {
    long position = medium.append(record);
    while (position == DurableMedium.NOTHING) {
      assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
      position = medium.append(record);
    }
    return position;
  }

  @Test
  void theLatestOfEachKeyIsKeptHoweverMuchIsWritten() throws Exception {
    Map<Integer, Long> latest = new HashMap<>();
    SplittableRandom random = new SplittableRandom(1);
    int written = 0;
    for (int start = 0; start < 3; start++) {
      try (DurableMedium medium = open(folder(), ChronicleMediumTest::sort)) {
        Semaphore progress = new Semaphore(0);
        medium.onProgress(progress::release);
        Map<Integer, Long> read = new HashMap<>();
        int[] records = {0};
        medium.replay(
            (position, record) -> {
              records[0]++;
              read.merge((int) record.get(0), record.getLong(1), Math::max);
            });
        assertEquals(latest, read);
        // All but what is in the log was replaced; how much that is depends on how busy the device
        // is.
        long inLog = LIMITS.log().bytesMax() / keyed(0, 0, 200).remaining();
        assertTrue(records[0] <= 100 + inLog, "records: " + records[0]);
        for (int i = 0; i < 3_000; i++) {
          int key = random.nextInt(100);
          long order = written + random.nextLong(50);
          written++;
          latest.merge(key, order, Math::max);
          append(medium, progress, keyed(key, order, 200));
        }
        medium.force();
      }
    }
    assertTrue(Files.size(folder().resolve("map-1")) < 4_000_000);
  }

  @Test
  void aRecordThatIsOfNoUseIsForgotten() throws Exception {
    try (DurableMedium medium = open(folder(), (record, kept) -> {})) {
      Semaphore progress = new Semaphore(0);
      medium.onProgress(progress::release);
      replay(medium);
      for (int i = 0; i < 2_000; i++) {
        append(medium, progress, record(1_000, i));
      }
    }
    try (DurableMedium medium = open(folder(), (record, kept) -> {})) {
      assertTrue(replay(medium).size() < 200);
      assertEquals(2_000, medium.durable());
    }
  }

  @Test
  void theMapIsReadBackInTheOrderOfTheRecords() throws Exception {
    long last = writeMap(200);
    try (DurableMedium medium = open(folder())) {
      List<Read> read = replay(medium);
      assertEquals(200, read.size());
      for (int i = 0; i < read.size(); i++) {
        assertEquals(Read.of(i + 1, record(1_000, i)), read.get(i));
      }
      assertEquals(last, medium.durable());
    }
  }

  /** So many records that some of them are in the map; the last position. */
  private long writeMap(int records) throws Exception {
    long last = 0;
    try (DurableMedium medium = open(folder())) {
      Semaphore progress = new Semaphore(0);
      medium.onProgress(progress::release);
      replay(medium);
      for (int i = 0; i < records; i++) {
        last = append(medium, progress, record(1_000, i));
      }
    }
    assertTrue(Files.exists(folder().resolve("manifest")), "the log was too short for all");
    return last;
  }

  private String refusal() {
    IOException refusal =
        assertThrows(
            IOException.class,
            () -> {
              try (DurableMedium medium = open(folder())) {
                replay(medium);
              }
            });
    assertTrue(refusal.getMessage().contains(folder().toString()), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("restore the folder"), refusal.getMessage());
    return refusal.getMessage();
  }

  @Test
  void aDamagedRecordInTheMapIsRefused() throws Exception {
    writeMap(200);
    byte[] first = record(1_000, 0).array();
    int damaged = 0;
    for (Path each : List.of(folder().resolve("map-1"), folder().resolve("map-2"))) {
      byte[] all = Files.exists(each) ? Files.readAllBytes(each) : new byte[0];
      for (int at = 0; at + first.length <= all.length; at++) {
        if (Arrays.equals(all, at, at + first.length, first, 0, first.length)) {
          damage(each, at + 500);
          damaged++;
        }
      }
    }
    assertTrue(damaged > 0);
    assertTrue(refusal().contains("is damaged (an entry has another checksum)"));
    DurableMedium log =
        LogMedium.open(new LogSettings(folder().resolve("log"), LIMITS.log()), Thread::new);
    try (DurableMedium mutant =
        new KeyedLog(
            log,
            new DiskFolder(folder()),
            LIMITS,
            RecordKeys.NONE,
            MapRule.without(MapRule.REFUSE_DAMAGE))) {
      assertNotEquals(Read.of(1, record(1_000, 0)), replay(mutant).get(0), "the mutant");
    }
  }

  @Test
  void aDamagedHeadOfTheMapIsRefusedBeforeChronicleReadsIt() throws Exception {
    writeMap(200);
    byte[] manifest = Files.readAllBytes(folder().resolve("manifest"));
    damage(folder().resolve("map-" + manifest[16]), 0);
    assertTrue(refusal().contains("is damaged in its head"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"map", "manifest", "log"})
  void whatIsMissingIsRefused(String missing) throws Exception {
    writeMap(200);
    try (Stream<Path> files = Files.walk(folder())) {
      for (Path each :
          files.filter(Files::isRegularFile).filter(f -> inPart(f, missing)).toList()) {
        Files.delete(each);
      }
    }
    refusal();
  }

  private static boolean inPart(Path file, String part) {
    return part.equals("log")
        ? file.getParent().endsWith("log")
        : file.getFileName().toString().startsWith(part);
  }

  @Test
  void aManifestOfAnotherVersionIsRefused() throws Exception {
    writeMap(200);
    byte[] manifest = Files.readAllBytes(folder().resolve("manifest"));
    manifest[8] = 9;
    Files.write(folder().resolve("manifest"), manifest);
    IOException refusal = assertThrows(IOException.class, () -> open(folder()).close());
    assertTrue(refusal.getMessage().contains("has version 9"), refusal.getMessage());
    manifest[8] = 1;
    manifest[40] ^= 1;
    Files.write(folder().resolve("manifest"), manifest);
    refusal = assertThrows(IOException.class, () -> open(folder()).close());
    assertTrue(refusal.getMessage().contains("manifest is damaged"), refusal.getMessage());
  }

  @Test
  void aMapThatCannotBeWrittenEndsTheMedium() throws Exception {
    Files.createDirectories(folder().resolve("manifest.next"));
    DurableMedium medium = open(folder());
    Semaphore progress = new Semaphore(0);
    medium.onProgress(progress::release);
    replay(medium);
    while (medium.failure() == null) {
      try {
        if (medium.append(record(1_000, 1)) == DurableMedium.NOTHING) {
          assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
        }
      } catch (IllegalStateException e) {
        // It has failed since it was asked.
        assertNotNull(medium.failure(), e.getMessage());
      }
    }
    long durable = medium.durable();
    assertInstanceOf(IOException.class, medium.failure());
    assertThrows(IllegalStateException.class, () -> medium.append(record(1, 1)));
    assertThrows(IOException.class, medium::close);
    assertEquals(durable, medium.durable());
    Files.delete(folder().resolve("manifest.next"));
    try (DurableMedium again = open(folder())) {
      assertTrue(replay(again).size() >= durable);
    }
  }
}
