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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** Many keys at once, with three nodes in one JVM; {@code MapsTest} has what every map does. */
@Timeout(60)
class GridMapTest {
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  @TempDir Path folder;
  private EmbeddedGrid grid;

  @AfterEach
  void close() {
    if (grid != null) {
      grid.close();
    }
  }

  private void start() {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(3).withFolder(folder));
  }

  private GridMap<String, Long> counts(int node, Ddp model) {
    return grid.maps(node).map("counts", Codec.STRING, Codec.LONG, model);
  }

  @Test
  void manyKeysAreReadAtOnceInTheirOrder() {
    start();
    GridMap<String, Long> map = counts(0, SAFE);
    Map<String, Long> all = new TreeMap<>();
    for (long i = 0; i < 3_000; i++) {
      all.put("key " + i, i);
    }
    map.setAll(all);
    map.delete("key 7");
    List<String> keys = new ArrayList<>(all.keySet());
    keys.add("none");
    keys.add("key 1");
    Map<String, Long> found = counts(1, SAFE).getAll(keys);
    all.remove("key 7");
    assertEquals(new ArrayList<>(all.entrySet()), new ArrayList<>(found.entrySet()));
    assertThrows(
        NullPointerException.class, () -> map.getAll(Arrays.asList("key 1", null)), "no key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"causal/synchronous", "causal/strict", "causal/read-enforced"})
  void aThreadFindsAmongAllKeysWhatItHasWritten(String model) {
    start();
    GridMap<String, Long> map = counts(0, Ddp.parse(model));
    for (int i = 0; i < 100; i++) {
      map.set("key" + i, 1L);
      assertEquals(i + 1, map.size());
      assertTrue(map.keySet().contains("key" + i));
      assertEquals(1L, map.snapshot().get("key" + i));
    }
    map.clear();
    assertEquals(0, map.size());
  }
}
