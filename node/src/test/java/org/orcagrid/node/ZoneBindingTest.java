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
package org.orcagrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.zone.PeerZone;
import org.orcagrid.ddp.zone.TestMemory;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.ZoneRule;
import org.orcagrid.ddp.zone.ZoneWriter;

/** A node starts with the zones that it had. */
class ZoneBindingTest {
  private static final int BYTES = 1 << 16;

  @TempDir Path dir;

  private static ZoneMemory memory() {
    return new TestMemory(BYTES);
  }

  private static void put(ZoneMemory into) {
    ByteBuffer copy = ByteBuffer.allocate(into.bytes().limit()).order(ByteOrder.LITTLE_ENDIAN);
    ZoneWriter writer = new ZoneWriter(copy);
    writer.open(new PeerZone(into, ZoneRule.all()).open());
    writer.put(
        1, ByteBuffer.wrap(new byte[9]), (at, bytes) -> into.bytes().put(at, copy, at, bytes));
  }

  private String refusal(Path folder, ZoneMemory memory) {
    return assertThrows(IOException.class, () -> ZoneBinding.of(folder, memory, 3, 1)).getMessage();
  }

  @Test
  void aNodeWithoutZonesHasNone() throws IOException {
    assertNull(ZoneBinding.of(dir.resolve("node"), null, 3, 1));
  }

  @Test
  void aNodeThatHadZonesStartsWithThemOnly() throws IOException {
    Path folder = dir.resolve("node");
    ZoneMemory own = memory();
    long id = ZoneBinding.of(folder, own, 3, 1).id();
    assertEquals(id, ZoneBinding.of(folder, own, 3, 1).id());
    assertTrue(refusal(folder, null).contains("start it with them"));
    assertTrue(refusal(folder, memory()).contains("had other zones"));
    Files.delete(folder.resolve("zones"));
    assertNull(ZoneBinding.of(folder, null, 3, 1));
  }

  @Test
  void recordsOfAnotherNodeAreRefused() throws IOException {
    ZoneMemory others = memory();
    put(ZoneBinding.of(dir.resolve("other"), others, 3, 1).zones(0).get(1));
    assertTrue(refusal(dir.resolve("node"), others).contains("records of another node"));
  }
}
