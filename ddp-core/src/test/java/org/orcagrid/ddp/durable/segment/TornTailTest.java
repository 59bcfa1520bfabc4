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
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A last frame of which a part never came to the device. */
class TornTailTest {
  private static final SegmentLimits LIMITS = new SegmentLimits(4096, 600, 2000, 4096 * 4);
  private static final String NAME = "segment-1.log";
  private static final int MISSING_AT = 500;

  private final FaultyFiles files = new FaultyFiles(1);

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

  private static ByteBuffer record() {
    byte[] record = new byte[500];
    java.util.Arrays.fill(record, (byte) 7);
    return ByteBuffer.wrap(record);
  }

  /** A frame with one record, and one with two of which the device lacks a byte. */
  private byte[] tear() throws IOException {
    try (SegmentLog log = open(SegmentRule.all())) {
      log.replay((position, record) -> {});
      log.append(ByteBuffer.allocate(10));
      log.step();
      log.append(record());
      log.append(record());
    }
    byte[] whole = files.disk(NAME).copy();
    files.disk(NAME).damage(MISSING_AT);
    return whole;
  }

  /** What the second attempt at the same place has brought there, before it was torn itself. */
  private void bringTheRest(byte[] whole) {
    byte[] bytes = files.disk(NAME).copy();
    bytes[MISSING_AT] = whole[MISSING_AT];
    files.disk(NAME).restore(bytes);
  }

  @Test
  void isLeftOutAndTheLogGoesOnInItsPlace() throws IOException {
    byte[] whole = tear();
    assertEquals(List.of(1L), replay(SegmentRule.all()));
    try (SegmentLog log = open(SegmentRule.all())) {
      log.replay((position, record) -> {});
      assertEquals(2, log.append(ByteBuffer.allocate(3)));
    }
    assertEquals(List.of(1L, 2L), replay(SegmentRule.all()));
    assertEquals(whole.length, files.disk(NAME).length());
  }

  @Test
  void neverComesBack() throws IOException {
    byte[] whole = tear();
    assertEquals(List.of(1L), replay(SegmentRule.all()));
    bringTheRest(whole);
    assertEquals(List.of(1L), replay(SegmentRule.all()));
  }

  @Test
  void theBrokenRuleIsFound() throws IOException {
    byte[] whole = tear();
    Set<SegmentRule> rules = SegmentRule.without(SegmentRule.VOID_TORN_TAIL);
    assertEquals(List.of(1L), replay(rules));
    bringTheRest(whole);
    assertNotEquals(List.of(1L), replay(rules));
  }
}
