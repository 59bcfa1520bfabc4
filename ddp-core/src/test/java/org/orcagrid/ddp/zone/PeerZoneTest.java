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
package org.orcagrid.ddp.zone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.log.PeerMedia;

/** A zone and who writes into it, with nothing between them. */
class PeerZoneTest {
  private static final int BYTES = 1024;
  private static final int MAP = 3;
  private static final int OTHER_MAP = 4;

  private final TestMemory memory = new TestMemory(BYTES);
  private final ByteBuffer copy = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ZoneWriter writer = new ZoneWriter(copy);
  private PeerZone zone;

  @BeforeEach
  void open() {
    zone = new PeerZone(memory, ZoneRule.all());
    writer.open(zone.open());
  }

  private static ByteBuffer record(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes and flushes. */
  private long put(int map, String text) {
    return writer.put(
        map,
        record(text),
        (at, bytes) -> {
          memory.bytes().put(at, copy, at, bytes);
          memory.persist(at, bytes);
        });
  }

  private static List<String> found(ZoneMemory in, int map) {
    List<String> found = new ArrayList<>();
    new PeerZone(in, ZoneRule.all())
        .find(
            (of, bytes) -> {
              if (of == map) {
                found.add(StandardCharsets.UTF_8.decode(bytes).toString());
              }
            });
    return found;
  }

  @Test
  void whatWasFlushedIsFoundInItsOrderByItsMap() {
    put(MAP, "one");
    put(OTHER_MAP, "other");
    put(MAP, "two");
    assertEquals(List.of("one", "two"), found(memory.afterPowerCut(), MAP));
    assertEquals(List.of("other"), found(memory.afterPowerCut(), OTHER_MAP));
  }

  @Test
  void whatWasNotFlushedIsNotAndEndsWhatIsFound() {
    put(MAP, "one");
    writer.put(MAP, record("lost"), (at, bytes) -> {});
    put(MAP, "behind the gap");
    assertEquals(List.of("one"), found(memory.afterPowerCut(), MAP));
  }

  @Test
  void aTornFrameIsNotFound() {
    put(MAP, "one");
    long torn =
        writer.put(
            MAP,
            record(
                "a record of two lines, of which the second one comes and the first does not yet"),
            (at, bytes) -> {
              int half = 64;
              memory.bytes().put(at + half, copy, at + half, bytes - half);
              memory.persist(at, bytes);
            });
    assertNotEquals(0, torn);
    assertEquals(List.of("one"), found(memory.afterPowerCut(), MAP));
  }

  @Test
  void whatWasTakenIsNotFound() {
    long one = put(MAP, "one");
    long other = put(OTHER_MAP, "other");
    put(MAP, "two");
    assertTrue(zone.taken(OTHER_MAP, other));
    assertEquals(List.of("one", "two"), found(memory.afterPowerCut(), MAP));
    assertEquals(List.of(), found(memory.afterPowerCut(), OTHER_MAP));
    assertTrue(zone.taken(MAP, one));
    assertEquals(List.of("two"), found(memory.afterPowerCut(), MAP));
  }

  @Test
  void whatHasNotArrivedIsNotTakenYet() {
    List<int[]> late = new ArrayList<>();
    long position = writer.put(MAP, record("late"), (at, bytes) -> late.add(new int[] {at, bytes}));
    assertFalse(zone.taken(MAP, position));
    late.forEach(part -> memory.bytes().put(part[0], copy, part[0], part[1]));
    assertTrue(zone.taken(MAP, position));
  }

  @Test
  void aRingGoesRoundAndRefusesWhenItIsFull() {
    long last = 0;
    for (int i = 0; i < 200; i++) {
      String text = "x".repeat(i % 150);
      long position = put(MAP, text);
      if (position == 0) {
        assertTrue(zone.taken(MAP, last));
        assertEquals(List.of(), found(memory.afterPowerCut(), MAP));
        writer.freed(MAP, last);
        position = put(MAP, text);
        assertEquals(List.of(text), found(memory.afterPowerCut(), MAP));
      }
      assertTrue(position > last, "record " + i);
      last = position;
    }
  }

  @Test
  void aPlaceIsUsedAgainOnlyWhenAllBeforeItAreFree() {
    long blocking = put(OTHER_MAP, "blocking");
    long last = 0;
    for (long each = put(MAP, "x"); each != 0; each = put(MAP, "x")) {
      last = each;
    }
    zone.taken(MAP, last);
    writer.freed(MAP, last);
    assertEquals(0, put(MAP, "x"));
    assertEquals(List.of("blocking"), found(memory.afterPowerCut(), OTHER_MAP));
    zone.taken(OTHER_MAP, blocking);
    writer.freed(OTHER_MAP, blocking);
    assertNotEquals(0, put(MAP, "x"));
  }

  @Test
  void aRecordThatIsLargerThanTheRingIsRefused() {
    assertEquals(0, put(MAP, "x".repeat(BYTES)));
  }

  @Test
  void whatIsKeptStaysWhenTheZoneIsClosedAndNothingElse() {
    long kept = put(MAP, "kept");
    put(MAP, "stray");
    assertTrue(zone.keeps(kept));
    zone.close();
    assertEquals(List.of("kept"), found(memory.afterPowerCut(), MAP));
    assertFalse(zone.isEmpty());
    assertThrows(IllegalStateException.class, zone::open);
    assertTrue(zone.taken(MAP, kept));
    assertTrue(zone.isEmpty());
    assertEquals(List.of(), found(memory.afterPowerCut(), MAP));
  }

  @Test
  void withoutThatRuleAStrayIsFound() {
    Set<ZoneRule> rules = EnumSet.allOf(ZoneRule.class);
    rules.remove(ZoneRule.STRAYS_GO);
    zone = new PeerZone(memory, rules);
    writer.open(zone.open());
    put(MAP, "stray");
    zone.close();
    assertEquals(List.of("stray"), found(memory.afterPowerCut(), MAP));
  }

  @Test
  void whatIsOfAnEarlierLifeIsNeitherKeptNorFound() {
    long before = put(MAP, "before");
    zone.close();
    writer.open(zone.open());
    assertFalse(zone.keeps(before));
    assertEquals(List.of(), found(memory.afterPowerCut(), MAP));
    assertEquals(1 + ZoneWriter.lifeOf(before), ZoneWriter.lifeOf(put(MAP, "now")));
    assertEquals(List.of("now"), found(memory.afterPowerCut(), MAP));
  }

  @Test
  void livesAreCountedOverPowerCuts() {
    long before = put(MAP, "before");
    PeerZone next = new PeerZone(memory.afterPowerCut(), ZoneRule.all());
    assertFalse(next.isEmpty());
    next.clear();
    assertTrue(next.open() > ZoneWriter.lifeOf(before));
  }

  @Test
  void aWriterThatMisbehavesHarmsOnlyItself() {
    put(MAP, "one");
    // A length that leads out of the ring.
    memory.bytes().putInt(2 * 64 + 64 + 12, Integer.MAX_VALUE);
    memory.persist(0, BYTES);
    assertEquals(List.of("one"), found(memory.afterPowerCut(), MAP));
    memory.bytes().putInt(2 * 64 + 12, -5);
    memory.persist(0, BYTES);
    assertEquals(List.of(), found(memory.afterPowerCut(), MAP));
  }

  @Test
  void positionsSayOfWhichLifeTheyAre() {
    long[] positions = {
      ZoneLayout.position(1, 1),
      ZoneLayout.position(1, ZoneLayout.COUNT_MAX),
      ZoneLayout.position(2, 1),
      ZoneLayout.position(3, 7)
    };
    for (long one : positions) {
      for (long other : positions) {
        assertEquals(
            ZoneLayout.life(one) == ZoneLayout.life(other), PeerMedia.areOfOneLife(one, other));
      }
    }
  }
}
