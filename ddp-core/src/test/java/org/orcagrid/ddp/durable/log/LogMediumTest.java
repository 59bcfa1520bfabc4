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
package org.orcagrid.ddp.durable.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.DurableMediumContract;
import org.orcagrid.ddp.durable.segment.FailingFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

class LogMediumTest extends DurableMediumContract {
  private static final SegmentLimits LIMITS =
      new SegmentLimits(1 << 16, RECORD_BYTES_MAX, 1 << 15, 1 << 19);

  @Override
  protected LogMedium open(Path folder) throws IOException {
    return LogMedium.open(new LogSettings(folder, LIMITS), Thread::new);
  }

  @Override
  protected LogMedium openOnFailingDevice(Path folder, int operations) throws IOException {
    return LogMedium.open(
        new FailingFiles(new ChannelFiles(folder), operations), LIMITS, Thread::new);
  }

  @Override
  protected boolean preparesAlone() {
    return true;
  }

  @Override
  protected void damage(Path folder) throws IOException {
    damage(folder.resolve("segment-1.log"), 120);
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LogSettings(null, LIMITS));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SegmentLimits(1 << 16, 1 << 14, 1 << 15, 1 << 20),
        "a record and its prefix must fit");
    assertThrows(
        IllegalArgumentException.class, () -> new SegmentLimits(1 << 14, 100, 1 << 15, 1 << 20));
    assertThrows(
        IllegalArgumentException.class, () -> new SegmentLimits(1 << 16, 100, 1 << 15, 1 << 16));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SegmentLimits((1 << 16) + 4, 100, 1 << 15, 1 << 20));
    assertEquals(SegmentLimits.DEFAULT, LogSettings.of(folder()).limits());
  }

  @Test
  void aFolderThatCannotBeMadeIsRefusedInASentence() throws IOException {
    Path file = Files.createFile(folder().resolve("file"));
    IOException refusal = assertThrows(IOException.class, () -> open(file.resolve("log")));
    assertTrue(refusal.getMessage().contains("Cannot write to the folder"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("choose another one"), refusal.getMessage());
  }

  @Test
  void aFileThatCannotBeOpenedIsNamed() throws IOException {
    Files.createDirectory(folder().resolve("segment-1.log"));
    IOException refusal = assertThrows(IOException.class, () -> open(folder()));
    assertTrue(refusal.getMessage().contains("segment-1.log"), refusal.getMessage());
    // The lock was given back.
    Files.delete(folder().resolve("segment-1.log"));
    open(folder()).close();
  }

  @Test
  void filesAreUsedAgain() throws Exception {
    try (LogMedium medium = open(folder())) {
      Semaphore progress = new Semaphore(0);
      medium.onProgress(progress::release);
      replay(medium);
      for (int i = 0; i < 1_000; i++) {
        long position = medium.append(record(RECORD_BYTES_MAX, i));
        assertTrue(position > DurableMedium.NOTHING);
        medium.force();
        awaitDurable(medium, progress, position);
        medium.trim(position);
      }
    }
    try (var files = Files.list(folder())) {
      List<String> names = files.map(each -> each.getFileName().toString()).sorted().toList();
      // A million bytes went through files of 64 KB: the last segment, the one before, and one
      // more; and two files that are locked.
      assertTrue(names.size() <= 5 && names.contains("lock"), names.toString());
    }
  }

  @Test
  void anAppendAllocatesNothing() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (LogMedium medium = open(folder())) {
      replay(medium);
      ByteBuffer record = record(16, 1);
      int records = 200_000;
      long position = 0;
      long allocated = 0;
      // The first rounds load classes.
      for (int round = 0; round < 3; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < records; i++) {
          position = Math.max(position, medium.append(record));
          medium.trim(position);
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
      assertTrue(position > records / 100, "Some are taken: " + position);
      assertTrue(allocated < records / 100, allocated + " bytes were allocated");
    }
  }

  @Test
  void aFailureIsFinalAndIsTold() throws Exception {
    AtomicReference<Thread> forcing = new AtomicReference<>();
    LogMedium medium =
        LogMedium.open(
            new LogSettings(folder(), LIMITS),
            task -> {
              Thread thread = new Thread(task);
              forcing.set(thread);
              return thread;
            });
    Semaphore progress = new Semaphore(0);
    medium.onProgress(progress::release);
    replay(medium);
    medium.append(record(1, 1));
    medium.force();
    assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
    // It may end anywhere, and the log with it.
    forcing.get().interrupt();
    assertTrue(progress.tryAcquire(30, TimeUnit.SECONDS), "in time");
    assertNotNull(medium.failure());
    long durable = medium.durable();
    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> medium.append(record(1, 1)));
    assertEquals(medium.failure(), refusal.getCause());
    medium.force();
    assertEquals(durable, medium.durable());
    forcing.get().join();
    assertFalse(forcing.get().isAlive());
    assertThrows(IOException.class, medium::close);
    medium.close();
  }

  @Test
  void aLogOfZerosIsEmpty() throws IOException {
    Files.write(folder().resolve("segment-7.log"), new byte[5000]);
    try (LogMedium medium = open(folder())) {
      assertEquals(List.of(), replay(medium));
      assertEquals(1, medium.append(record(10, 1)));
    }
    try (LogMedium medium = open(folder())) {
      assertEquals(1, replay(medium).size());
    }
  }
}
