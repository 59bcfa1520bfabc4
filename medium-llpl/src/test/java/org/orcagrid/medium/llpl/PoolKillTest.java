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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.needs.Needs;

/**
 * Processes that are killed while they write, so that PMDK itself has to put right what was under
 * way; the last one is this test's.
 */
@Needs(Pmdk.class)
@Timeout(120)
class PoolKillTest {
  private static final int LIVES = 5;

  /** Short segments, so that blocks are made and changed all the time. */
  private static final SegmentLimits LIMITS = new SegmentLimits(2048, 300, 1400, 2048 * 8);

  @TempDir private Path folder;

  @Test
  void whatWasDurableOutlivesTheProcessesThatWroteIt() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    long durable = 0;
    for (int life = 0; life < LIVES; life++) {
      durable = live(durable, 200 + random.nextInt(2000));
    }
    long[] last = {0};
    try (LlplMedium medium = open(folder)) {
      medium.replay((position, record) -> last[0] = check(position, record, last[0]));
    }
    assertTrue(last[0] >= durable, durable + " was durable, " + last[0] + " is the last");
  }

  /** One process until it has said so often that something is durable. */
  private long live(long durable, int lines) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // llpl unpacks its library there, and who is killed leaves it.
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                PoolKillTest.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader told = process.inputReader(StandardCharsets.UTF_8)) {
      long last = 0;
      for (int i = 0; i < lines; i++) {
        String line = told.readLine();
        assertTrue(line != null, "The process has ended by itself");
        last = Long.parseLong(line);
        if (i == 0) {
          assertTrue(last >= durable, durable + " was durable, " + last + " is the last");
        }
      }
      process.destroyForcibly();
      // What it may have said meanwhile is not read: the last line may be torn.
      return last;
    } finally {
      process.destroyForcibly();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }
  }

  /** The process that is killed: says what it has found, and from then on what is durable. */
  public static void main(String[] arguments) throws IOException {
    try (LlplMedium medium = open(Path.of(arguments[0]))) {
      long[] last = {0};
      medium.replay((position, record) -> last[0] = check(position, record, last[0]));
      System.out.println(medium.durable());
      for (long next = medium.durable() + 1; ; next++) {
        if (medium.append(record(next)) != next) {
          throw new IllegalStateException("There is no room for " + next);
        }
        medium.force();
        System.out.println(medium.durable());
        // The oldest segment comes free now and then, and its block is used again.
        medium.trim(next - 20);
      }
    }
  }

  private static LlplMedium open(Path folder) {
    try {
      return LlplMedium.open(PoolFolder.anywhere(folder, LIMITS), LIMITS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long check(long position, ByteBuffer record, long before) {
    if (before != 0) {
      assertEquals(before + 1, position, "without a gap");
    }
    byte[] read = new byte[record.remaining()];
    record.get(read);
    assertArrayEquals(record(position).array(), read);
    return position;
  }

  /** The same record for the same position, in every process. */
  private static ByteBuffer record(long position) {
    SplittableRandom random = new SplittableRandom(position);
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }
}
