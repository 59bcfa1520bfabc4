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
package org.orcagrid.client.map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.ddp.model.Ddp;

/** Maps in memory only, as programs have them: without a folder, and beside durable ones. */
@Timeout(60)
class MemoryOnlyMapTest {
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");
  private static final Ddp MEMORY = Ddp.parse("linearizable/none");
  private static final String VALUE = "what no file is to have";

  @TempDir private Path folder;

  private static GridMap<String, String> cache(GridMaps at) {
    return at.map("cache", Codec.STRING, Codec.STRING, MEMORY);
  }

  @Test
  void aGridWithoutAFolderHasThemAndRefusesOthers() {
    try (EmbeddedGrid grid = Grid.embedded(3)) {
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class,
              () -> grid.map("cache", Codec.STRING, Codec.STRING, SAFE));
      assertTrue(refused.getMessage().contains("withFolder"), refused.getMessage());
      assertTrue(refused.getMessage().contains("linearizable/none"), refused.getMessage());
      cache(grid.maps(0)).set("key", VALUE);
      assertEquals(VALUE, cache(grid.maps(1)).get("key"));
      grid.crash(0);
      assertEquals(VALUE, cache(grid.maps(2)).get("key"));
      GridQueue<Long> queue = grid.maps(1).queue("jobs", Codec.LONG, MEMORY);
      queue.offer(1L);
      assertEquals(1L, grid.maps(2).queue("jobs", Codec.LONG, MEMORY).poll());
      grid.maps(1).removeMap("cache");
      assertNull(cache(grid.maps(1)).get("key"));
    }
  }

  @Test
  void anotherGridOnTheFolderHasDurableMapsAsTheyWereAndThoseEmpty() throws IOException {
    EmbeddedGrid.Settings settings =
        EmbeddedGrid.Settings.DEFAULT.withNodes(2).withFolder(folder.resolve("grid"));
    try (EmbeddedGrid grid = Grid.embedded(settings)) {
      cache(grid).set("key", VALUE);
      grid.map("carts", Codec.STRING, Codec.STRING, SAFE).set("key", "durable");
    }
    assertTrue(isInAFile("durable"));
    assertFalse(isInAFile(VALUE));
    try (EmbeddedGrid grid = Grid.embedded(settings)) {
      assertEquals(Map.of(), cache(grid).snapshot());
      assertEquals(Optional.empty(), cache(grid).recovery());
      assertEquals("durable", grid.map("carts", Codec.STRING, Codec.STRING, SAFE).get("key"));
    }
  }

  private boolean isInAFile(String text) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        // One byte is one character.
        if (Files.readString(file, ISO_8859_1).contains(text)) {
          return true;
        }
      }
    }
    return false;
  }
}
