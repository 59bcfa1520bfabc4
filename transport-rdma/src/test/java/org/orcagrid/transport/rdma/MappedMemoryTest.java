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
package org.orcagrid.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.ZoneSettings;

/** Memory for zones: what is none is refused, saying why. */
@Needs(RdmaNeeds.Library.class)
class MappedMemoryTest {
  private static final int BYTES = 4 << 20;

  @TempDir Path folder;

  private static String refusal(Path path, boolean bypassesCaches) {
    ZoneSettings settings = new ZoneSettings(path, bypassesCaches);
    return assertThrows(IOException.class, () -> MappedMemory.open(settings)).getMessage();
  }

  @Test
  void whatIsNotThereIsRefused() {
    String refused = refusal(folder.resolve("nothing"), true);
    assertTrue(refused.contains("ndctl create-namespace -m devdax"), refused);
  }

  @Test
  void anotherDeviceIsRefused() {
    String refused = refusal(Path.of("/dev/null"), true);
    assertTrue(refused.contains("/dev/null is no device of persistent memory"), refused);
  }

  @Test
  void aFileOnAnOrdinaryDiskIsRefused() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[BYTES]);
    String refused = refusal(file, true);
    assertTrue(refused.contains("mounted with DAX"), refused);
  }

  @Test
  void memoryOfWhichNobodySaysThatItIsDurableIsRefused() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[BYTES]);
    String refused = refusal(file, false);
    assertTrue(refused.contains("ZoneSettings.cardBypassesCaches"), refused);
  }

  @Test
  @Needs(RdmaNeeds.WorkerZones.class)
  void aDeviceIsMappedAndKeepsWhatWasStored() throws IOException {
    String device = System.getProperty("orca.lab.zone");
    ZoneSettings settings = new ZoneSettings(Path.of(device), false);
    long value = System.nanoTime();
    int at;
    try (MappedMemory memory = MappedMemory.open(settings)) {
      at = memory.bytes().limit() - Long.BYTES;
      memory.bytes().putLong(at, value);
      memory.persist(at, Long.BYTES);
      memory.persist(1, 1);
      assertThrows(IllegalStateException.class, () -> memory.persist(at, 2 * Long.BYTES));
      assertThrows(IllegalStateException.class, () -> memory.persist(-1, 1));
    }
    try (MappedMemory again = MappedMemory.open(settings)) {
      assertEquals(value, again.bytes().getLong(at));
    }
  }
}
