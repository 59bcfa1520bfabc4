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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** A slow listener; {@code MapsTest} has what all are told. */
@Timeout(60)
class MapListenerTest {

  @TempDir Path folder;
  private EmbeddedGrid grid;
  private final BlockingQueue<MapChange<String, Long>> told = new LinkedBlockingQueue<>();

  @BeforeEach
  void start() {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(3).withFolder(folder));
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private GridMap<String, Long> map(int node, Ddp model) {
    return grid.maps(node).map(model.id().replace('/', '-'), Codec.STRING, Codec.LONG, model);
  }

  private MapChange<String, Long> next() throws InterruptedException {
    MapChange<String, Long> change = told.poll(20, TimeUnit.SECONDS);
    assertTrue(change != null, "nothing was told");
    return change;
  }

  @Test
  void aListenerThatIsSlowIsToldOfManyChangesAsOne() throws Exception {
    Ddp fast = Ddp.of(Consistency.EVENTUAL, Persistency.EVENTUAL);
    GridMap<String, Long> map = map(0, fast);
    CountDownLatch goOn = new CountDownLatch(1);
    Map<String, Long> last = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    int keys = 10;
    int rounds = MapListening.WAITING_MAX / keys + 200;
    try (MapListening listening =
        map.listen(
            change -> {
              await(goOn);
              Long before = last.put(change.key(), change.value());
              if (before != null && !before.equals(change.before())) {
                wrong.add(before + " was told before " + change);
              }
              told.add(change);
            })) {
      for (long round = 0; round < rounds; round++) {
        for (int key = 0; key < keys; key++) {
          map.setAsync("key" + key, round);
        }
        if (round % 100 == 0) {
          map.get("key0");
        }
      }
      map.set("end", 1L);
      goOn.countDown();
      String key = "";
      for (int i = 0; !key.equals("end"); i++) {
        key = next().key();
        assertTrue(i < keys * rounds, "all changes were told");
      }
      assertEquals(List.of(), wrong);
      for (int each = 0; each < keys; each++) {
        assertEquals(rounds - 1L, last.get("key" + each));
      }
      assertTrue(listening.merged() > 0, "no changes were merged");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
