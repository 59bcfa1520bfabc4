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
package org.orcagrid.ddp.durable.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.durable.DurableMedium;

/** A log step by step, on files that count what is done to them. */
class SegmentLogTest {
  private static final SegmentLimits LIMITS = new SegmentLimits(4096, 600, 2000, 4096 * 4);

  private final FaultyFiles files = new FaultyFiles(1);

  private SegmentLog open(SegmentLimits limits) throws IOException {
    SegmentLog log = new SegmentLog(files, limits, SegmentRule.all());
    log.replay((position, record) -> {});
    return log;
  }

  private static ByteBuffer record(int bytes) {
    return ByteBuffer.allocate(bytes);
  }

  private List<Long> replay() throws IOException {
    List<Long> shown = new ArrayList<>();
    try (SegmentLog log = new SegmentLog(files, LIMITS, SegmentRule.all())) {
      log.replay((position, record) -> shown.add(position));
    }
    return shown;
  }

  @Test
  void aStepIsOneWriteAndOneForceForAllThatHasGathered() throws IOException {
    try (SegmentLog log = open(LIMITS)) {
      log.append(record(10));
      log.step();
      int before = files.operations();
      for (int i = 0; i < 20; i++) {
        log.append(record(10));
      }
      assertEquals(1, log.durable());
      assertTrue(log.step());
      assertEquals(before + 2, files.operations());
      assertEquals(21, log.durable());
      assertFalse(log.step(), "there is nothing more");
      assertEquals(before + 2, files.operations());
    }
  }

  @Test
  void whatIsAppendedDuringAForceIsCoveredByTheNext() throws IOException {
    try (SegmentLog log = open(LIMITS)) {
      log.append(record(10));
      log.step();
      long[] appended = {0};
      files.duringForce(
          () -> {
            appended[0] = log.append(record(10));
            assertEquals(1, log.durable());
          });
      log.append(record(10));
      log.step();
      assertEquals(2, log.durable());
      assertEquals(3, appended[0]);
      files.duringForce(() -> {});
      log.step();
      assertEquals(3, log.durable());
    }
  }

  @Test
  void whileHalfIsUnderWayTheOtherHalfGathersAndNoMore() throws IOException {
    try (SegmentLog log = open(LIMITS)) {
      int[] taken = {0};
      files.duringForce(
          () -> {
            while (log.append(record(100)) != DurableMedium.NOTHING) {
              taken[0]++;
            }
          });
      log.append(record(600));
      log.step();
      files.duringForce(() -> {});
      // 1000 bytes, and 104 for each record.
      assertEquals(9, taken[0]);
      assertEquals(604 + 9 * 104, log.bytes());
    }
    assertEquals(10, replay().size());
  }

  @Test
  void aNextFileThatCannotBeMadeTakesNothingFromWhatIsDurable() throws IOException {
    SegmentLog log = open(LIMITS);
    // What begins the second segment takes the file that was made ahead of time.
    for (int i = 0; i < 8; i++) {
      log.append(record(600));
      log.step();
    }
    files.planFault(CrashableFiles.Fault.REFUSAL, files.operations() + 1);
    log.makeSpare();
    assertNotNull(log.failure());
    assertEquals(8, log.durable());
    IOException refusal = assertThrows(IOException.class, log::close);
    assertTrue(refusal.getMessage().contains("All that was appended is durable"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void afterAFailureNothingIsWrittenAndWhoeverWaitsIsTold(int refused) throws IOException {
    SegmentLog log = open(LIMITS);
    int[] told = {0};
    log.onProgress(() -> told[0]++);
    log.append(record(10));
    log.step();
    // Its write or its force.
    files.planFault(CrashableFiles.Fault.REFUSAL, files.operations() + refused);
    log.append(record(10));
    assertFalse(log.step());
    assertEquals(2, told[0]);
    assertNotNull(log.failure());
    int operations = files.operations();
    assertEquals(
        log.failure(),
        assertThrows(IllegalStateException.class, () -> log.append(record(1))).getCause());
    log.makeSpare();
    assertFalse(log.step());
    assertEquals(1, log.durable());
    IOException refusal = assertThrows(IOException.class, log::close);
    assertTrue(refusal.getMessage().contains("Not everything that was appended is durable"));
    assertEquals(operations, files.operations());
  }

  @Test
  void limitsMayBeOthersAtEachStart() throws IOException {
    long appended = 0;
    for (int segmentBytes : new int[] {4096, 8192, 2048, 4096, 16384}) {
      SegmentLimits limits = new SegmentLimits(segmentBytes, 600, 2000, segmentBytes * 20L);
      try (SegmentLog log = open(limits)) {
        assertEquals(appended, log.durable());
        for (int i = 0; i < 12; i++) {
          appended = log.append(record(500));
          assertTrue(appended != DurableMedium.NOTHING);
          log.step();
        }
        log.trim(appended - 20);
      }
      List<Long> shown = replay();
      assertTrue(shown.get(0) <= Math.max(1, appended - 20));
      assertEquals(appended, shown.get(shown.size() - 1));
    }
  }

  @Test
  void aLogThatHasRoomForLessThanItHoldsRefusesUntilItIsTrimmed() throws IOException {
    try (SegmentLog log = open(new SegmentLimits(4096, 600, 2000, 4096 * 10))) {
      for (int i = 0; i < 60; i++) {
        assertTrue(log.append(record(500)) != DurableMedium.NOTHING);
        log.step();
      }
    }
    try (SegmentLog log = open(new SegmentLimits(4096, 600, 2000, 4096 * 2))) {
      int taken = 0;
      while (log.append(record(500)) != DurableMedium.NOTHING) {
        log.step();
        taken++;
      }
      assertTrue(taken < 8, "the last segment is filled: " + taken);
      log.trim(log.durable() + 1);
      assertTrue(log.append(record(500)) != DurableMedium.NOTHING);
    }
  }
}
