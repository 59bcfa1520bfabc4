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
package org.orcagrid.ddp.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** What maps take of memory, with the limits that maps have unless others are asked for. */
@Timeout(120)
class MemoryOfMapsTest {
  private static final int MAPS = 300;
  private static final int BYTES_OF_A_MAP_MAX = 64 << 10;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path folder;
  private LocalMaps maps;

  @AfterEach
  void close() {
    maps.close();
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** What is left when the collector finds no more: other tests may have left some to it. */
  private static long heapBytes() {
    long least = Long.MAX_VALUE;
    for (int times = 0; times < 4; times++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private List<MapDefinition> define() throws Exception {
    List<MapDefinition> all = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      Ddp model = Ddp.all().get(map % Ddp.all().size());
      all.add(maps.node(0).define("map" + map, model, Conflicts.ABORT, PATIENCE_NANOS));
    }
    assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
    return all;
  }

  @Test
  void anEmptyMapTakes64KbAtMost() throws Exception {
    maps = LocalMaps.start(1, folder, LogMedium.kind(SegmentLimits.DEFAULT));
    // The buffers of the node.
    maps.node(0).define("first", Ddp.parse("eventual/eventual"), Conflicts.ABORT, PATIENCE_NANOS);
    long heapBefore = heapBytes();
    long directBefore = directBytes();
    define();
    long direct = directBytes() - directBefore;
    long heap = heapBytes() - heapBefore;
    assertTrue(
        direct + heap <= (long) MAPS * BYTES_OF_A_MAP_MAX,
        direct / MAPS + " bytes outside the heap and " + heap / MAPS + " on it for each map");
  }

  @Test
  void allMapsShareTheBuffersOfAJournal() throws Exception {
    // Files of 16 MB for each of them would be much for a test.
    SegmentLimits limits = new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28);
    maps = LocalMaps.start(1, folder, LogMedium.kind(limits));
    MapDefinition first =
        maps.node(0).define("first", Ddp.parse("eventual/eventual"), Conflicts.ABORT, 1L << 40);
    write(List.of(first), 1 << 10);
    System.gc();
    long directBefore = directBytes();
    List<MapDefinition> all = new ArrayList<>();
    for (int map = 0; map < 30; map++) {
      Ddp model = Ddp.all().get(map % Ddp.all().size());
      all.add(maps.node(0).define("map" + map, model, Conflicts.ABORT, PATIENCE_NANOS));
    }
    write(all, 100 << 10);
    long direct = directBytes() - directBefore;
    long values = 30L * 10 * (100 << 10);
    // Blocks of values are up to twice as large. Both buffers of the journal, and what its worker
    // encodes, are there once for all maps.
    assertTrue(direct <= (8 << 20) + 2 * values, direct + " bytes outside the heap");
  }

  private void write(List<MapDefinition> all, int bytes) {
    List<CompletableFuture<Operation>> written = new ArrayList<>();
    for (MapDefinition map : all) {
      MapSession session = maps.node(0).openSession(map);
      for (int key = 0; key < 10; key++) {
        Key name = Key.of("key" + key);
        byte[] value = new byte[bytes];
        written.add(session.submit(Operation.write(name, value)));
        if (map.model().persistency().isByScope()) {
          written.add(session.submit(Operation.of(Operation.Kind.PERSIST)));
        }
      }
    }
    written.forEach(each -> assertEquals(Operation.Status.DONE, each.join().status()));
  }
}
