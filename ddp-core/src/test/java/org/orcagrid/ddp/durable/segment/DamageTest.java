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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes that change on the device. */
class DamageTest {
  private static final int FRAMES = 12;
  private static final int RECORDS_IN_FRAME = 2;
  private static final SegmentLimits LIMITS = new SegmentLimits(1024, 100, 400, 1024 * 8);

  private final FaultyFiles files = new FaultyFiles(1);

  /** Frames of two records, in segments of which some are in files that were used before. */
  @BeforeEach
  void write() throws IOException {
    SegmentLog log = open(SegmentRule.all());
    log.replay((position, record) -> {});
    for (int frame = 0; frame < FRAMES * 3; frame++) {
      for (int i = 0; i < RECORDS_IN_FRAME; i++) {
        ByteBuffer record = ByteBuffer.allocate(80);
        while (record.hasRemaining()) {
          record.put((byte) (frame + 1));
        }
        log.append(record.flip());
      }
      assertTrue(log.step());
      log.trim(Math.max(1, log.durable() - FRAMES * RECORDS_IN_FRAME));
    }
    log.close();
  }

  private SegmentLog open(Set<SegmentRule> rules) throws IOException {
    return new SegmentLog(files, LIMITS, rules);
  }

  private List<Long> replay(Set<SegmentRule> rules) throws IOException {
    List<Long> shown = new ArrayList<>();
    try (SegmentLog log = open(rules)) {
      log.replay((position, record) -> shown.add(position));
    }
    return shown;
  }

  private String refusal() {
    return assertThrows(IOException.class, () -> replay(SegmentRule.all())).getMessage();
  }

  /** How many bytes were changed without a refusal and with loss of more than the last frame. */
  private int silentLosses(Set<SegmentRule> rules) throws IOException {
    List<Long> all = replay(SegmentRule.all());
    List<Long> butTheLastFrame = all.subList(0, all.size() - RECORDS_IN_FRAME);
    int losses = 0;
    int refusals = 0;
    for (String name : files.list()) {
      FaultyFiles.Disk disk = files.disk(name);
      for (int at = 0; at < disk.length(); at++) {
        byte[] before = disk.copy();
        disk.damage(at);
        try {
          List<Long> shown = replay(rules);
          // Segments that were trimmed may be shown or not.
          boolean whole = shown.equals(all) || shown.equals(butTheLastFrame);
          losses += whole ? 0 : 1;
        } catch (IOException e) {
          assertTrue(e.getMessage().contains("folder"), "It says where: " + e.getMessage());
          refusals++;
        }
        disk.restore(before);
      }
    }
    assertTrue(refusals > 0 || !rules.equals(SegmentRule.all()), "Some are refused");
    return losses;
  }

  @Test
  void noByteIsChangedWithoutARefusalUnlessItIsInTheLastFrameOrNotNeeded() throws IOException {
    assertEquals(0, silentLosses(SegmentRule.all()));
  }

  @Test
  void theBrokenRuleIsFound() throws IOException {
    assertTrue(silentLosses(SegmentRule.without(SegmentRule.REFUSE_DAMAGE)) > 0);
  }

  @Test
  void aDamagedFrameIsRefusedByNameAndPlace() throws IOException {
    files.disk("segment-3.log").damage(SegmentHeader.BYTES + Frame.HEADER_BYTES + 10);

    String refusal = refusal();
    assertTrue(refusal.contains("segment-3.log is damaged at byte 64"), refusal);
    assertTrue(refusal.contains("restore the folder from a copy"), refusal);
  }

  @Test
  void aLogOfAnotherVersionIsRefused() throws IOException {
    SegmentHeader header = new SegmentHeader(SegmentHeader.VERSION + 1, 1, 1, 1024, 1);
    files.disk("segment-1.log").write(header.encoded(), 0);

    String refusal = refusal();
    assertTrue(refusal.contains("segment-1.log has version"), refusal);
    assertTrue(refusal.contains("start the program that has written it"), refusal);
  }

  @Test
  void nothingIsChangedByARefusal() throws IOException {
    files.disk("segment-3.log").damage(SegmentHeader.BYTES + Frame.HEADER_BYTES + 10);
    int before = files.operations();

    String first = refusal();
    assertEquals(before, files.operations());
    assertEquals(first, refusal());
  }
}
