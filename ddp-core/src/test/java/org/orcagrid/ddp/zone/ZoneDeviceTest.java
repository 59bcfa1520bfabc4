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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A device is for one grid of one shape, as long as there is something in it. */
class ZoneDeviceTest {
  private static final int BYTES = 4096 * 16;
  private static final int MAP = 1;

  private static void put(ZoneMemory into, String text) {
    ByteBuffer copy = ByteBuffer.allocate(into.bytes().limit()).order(ByteOrder.LITTLE_ENDIAN);
    ZoneWriter writer = new ZoneWriter(copy);
    writer.open(new PeerZone(into, ZoneRule.all()).open());
    writer.put(
        MAP,
        ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
        (at, bytes) -> {
          into.bytes().put(at, copy, at, bytes);
          into.persist(at, bytes);
        });
  }

  private static List<Integer> found(ZoneDevice device) {
    List<Integer> found = new ArrayList<>();
    for (ZoneMemory each : device.zones(0)) {
      new PeerZone(each, ZoneRule.all()).find((map, bytes) -> found.add(bytes.remaining()));
    }
    return found;
  }

  @Test
  void recordsAreFoundInEachZoneAfterAPowerCut() throws IOException {
    TestMemory memory = new TestMemory(BYTES);
    ZoneDevice device = ZoneDevice.open(memory, 3, 2, 99);
    device.use(77);
    put(device.zones(0).get(1), "a");
    put(device.zones(0).get(2), "bb");
    put(device.zones(1).get(0), "of another worker");
    ZoneDevice again = ZoneDevice.open(memory.afterPowerCut(), 3, 2, 99);
    again.use(77);
    assertEquals(List.of(1, 2), found(again));
  }

  @Test
  void anotherShapeIsRefusedWhileThereAreRecords() throws IOException {
    TestMemory memory = new TestMemory(BYTES);
    put(ZoneDevice.open(memory, 3, 1, 99).zones(0).get(1), "a");
    IOException refused =
        assertThrows(IOException.class, () -> ZoneDevice.open(memory.afterPowerCut(), 5, 1, 99));
    assertTrue(refused.getMessage().contains("made for 3 places and 1 workers"));
    assertEquals(List.of(1), found(ZoneDevice.open(memory.afterPowerCut(), 3, 1, 99)));
  }

  @Test
  void anotherShapeIsMadeWhereThereAreNone() throws IOException {
    TestMemory memory = new TestMemory(BYTES);
    ZoneDevice before = ZoneDevice.open(memory, 3, 1, 99);
    put(before.zones(0).get(1), "a");
    new PeerZone(before.zones(0).get(1), ZoneRule.all()).clear();
    assertEquals(List.of(), found(ZoneDevice.open(memory, 5, 1, 99)));
    assertEquals(List.of(), found(ZoneDevice.open(memory.afterPowerCut(), 5, 1, 99)));
  }

  @Test
  void anotherSizeIsRefusedWhileThereAreRecords() throws IOException {
    TestMemory memory = new TestMemory(BYTES);
    put(ZoneDevice.open(memory, 3, 1, 99).zones(0).get(1), "a");
    TestMemory larger = new TestMemory(2 * BYTES);
    larger.bytes().put(0, memory.bytes(), 0, BYTES);
    IOException grown = assertThrows(IOException.class, () -> ZoneDevice.open(larger, 3, 1, 99));
    assertTrue(grown.getMessage().contains("start the node as it was"), grown.getMessage());
    TestMemory smaller = new TestMemory(BYTES / 2);
    smaller.bytes().put(0, memory.bytes(), 0, BYTES / 2);
    IOException shrunk = assertThrows(IOException.class, () -> ZoneDevice.open(smaller, 3, 1, 99));
    assertTrue(shrunk.getMessage().contains("shrunk"), shrunk.getMessage());
  }

  @Test
  void nothingOfAnEarlierShapeIsTakenForARecordOfThisOne() throws IOException {
    TestMemory memory = new TestMemory(BYTES);
    ZoneDevice before = ZoneDevice.open(memory, 3, 1, 99);
    for (ZoneMemory each : before.zones(0)) {
      put(each, "a");
      new PeerZone(each, ZoneRule.all()).clear();
    }
    ZoneDevice after = ZoneDevice.open(memory, 3, 2, 1);
    assertEquals(before.id(), after.id());
    for (ZoneMemory each : after.zones(1)) {
      PeerZone zone = new PeerZone(each, ZoneRule.all());
      // Lives begin again: the frames of the earlier ones would be of these.
      assertEquals(1, zone.open());
      zone.close();
      assertEquals(2, zone.open());
    }
    assertTrue(ZoneDevice.open(memory.afterPowerCut(), 3, 2, 1).isEmpty());
  }

  @Test
  void recordsOfAnotherGridAreRefused() throws IOException {
    TestMemory memory = new TestMemory(BYTES);
    ZoneDevice device = ZoneDevice.open(memory, 3, 1, 99);
    device.use(77);
    device.use(78);
    put(device.zones(0).get(1), "a");
    ZoneDevice again = ZoneDevice.open(memory.afterPowerCut(), 3, 1, 99);
    IOException refused = assertThrows(IOException.class, () -> again.use(77));
    assertTrue(refused.getMessage().contains("another grid"));
    again.use(78);
    assertEquals(List.of(1), found(again));
  }

  @Test
  void aDamagedFirstPageIsRefused() throws IOException {
    TestMemory memory = new TestMemory(BYTES);
    ZoneDevice.open(memory, 3, 1, 99).use(77);
    memory.bytes().put(9, (byte) 9);
    IOException refused = assertThrows(IOException.class, () -> ZoneDevice.open(memory, 3, 1, 99));
    assertTrue(refused.getMessage().contains("damaged"));
  }

  @Test
  void tooLittleMemoryIsRefused() {
    IOException refused =
        assertThrows(IOException.class, () -> ZoneDevice.open(new TestMemory(BYTES), 8, 2, 99));
    assertTrue(refused.getMessage().contains("need 69632 bytes"), refused.getMessage());
  }
}
