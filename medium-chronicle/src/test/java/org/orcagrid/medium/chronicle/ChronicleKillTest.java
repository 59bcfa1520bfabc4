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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/** Processes that are killed while they write to a Chronicle Map; the last one is this test's. */
@Timeout(120)
class ChronicleKillTest {
  private static final int LIVES = 2;
  private static final int KEYS = 50;
  private static final ChronicleLimits LIMITS =
      new ChronicleLimits(new SegmentLimits(1 << 14, 300, 1 << 13, 1 << 15), 200, 60_000);

  @TempDir(factory = FoldersInMemory.class)
  private Path folder;

  @Test
  void whatWasDurableOutlivesTheProcessesThatWroteIt() throws Exception {
    long durable = 0;
    for (int life = 0; life < LIVES; life++) {
      durable = live(durable, 1_500 + life * 333);
    }
    try (DurableMedium medium = open(folder)) {
      long last = replay(medium);
      assertTrue(last >= durable, durable + " was durable, " + last + " is the last");
    }
  }

  /** One process until it has said so often that something is durable. */
  private long live(long durable, int lines) throws Exception {
    Process process =
        ChronicleProcesses.start(ChronicleFlags.all(), ChronicleKillTest.class, folder.toString());
    try (BufferedReader told = process.inputReader(StandardCharsets.UTF_8)) {
      long last = 0;
      for (int i = 0; i < lines; i++) {
        String line = told.readLine();
        assertTrue(line != null, "The process has ended by itself");
        last = Long.parseLong(line);
        assertTrue(i > 0 || last >= durable, durable + " was durable, " + last + " is the last");
      }
      // What it may have said meanwhile is not read: the last line may be torn.
      return last;
    } finally {
      process.destroyForcibly();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }
  }

  /** The process that is killed: says what it has found, and from then on what is durable. */
  public static void main(String[] arguments) throws Exception {
    try (DurableMedium medium = open(Path.of(arguments[0]))) {
      Semaphore progress = new Semaphore(0);
      medium.onProgress(progress::release);
      long last = replay(medium);
      System.out.println(last);
      for (long next = last + 1; ; next++) {
        while (medium.append(record(next)) == DurableMedium.NOTHING) {
          progress.acquire();
        }
        if (next % 10 == 0) {
          medium.force();
        }
        System.out.println(medium.durable());
      }
    }
  }

  private static DurableMedium open(Path folder) throws IOException {
    return ChronicleMedium.open(
        folder,
        LIMITS,
        (record, kept) -> kept.latest(record.slice(0, 1), record.getLong(1), record),
        Thread::new);
  }

  /** The record of a position: its key, and the position itself as its order. */
  private static ByteBuffer record(long position) {
    return ByteBuffer.allocate(100).put(0, (byte) (position % KEYS)).putLong(1, position);
  }

  /** Checks that the latest of each key is there; the last position. */
  private static long replay(DurableMedium medium) throws IOException {
    Map<Integer, Long> latest = new HashMap<>();
    medium.replay(
        (position, record) -> {
          assertEquals(record(position), record, "position " + position);
          latest.merge((int) record.get(0), position, Math::max);
        });
    long last = medium.durable();
    for (long position = Math.max(1, last - KEYS + 1); position <= last; position++) {
      assertEquals(position, latest.get((int) (position % KEYS)), "of " + last);
    }
    return last;
  }
}
