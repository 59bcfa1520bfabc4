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
package org.orcagrid.bench.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * How many writes a second a node makes durable when so many maps are written at once. Run by hand:
 *
 * <pre>
 * java -cp ... org.orcagrid.bench.load.DurableMaps FOLDER MAPS SECONDS
 * </pre>
 */
public final class DurableMaps {
  private static final int UNDER_WAY = 1024;
  private static final int KEYS = 1000;
  private static final int WARM_UP_SECONDS = 3;
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  private final List<GridMap<String, byte[]>> maps = new ArrayList<>();
  private final Semaphore underWay = new Semaphore(UNDER_WAY);
  private final byte[] value = new byte[100];

  private DurableMaps(GridMaps grid, int count) {
    for (int map = 0; map < count; map++) {
      GridMap<String, byte[]> each = grid.map("map" + map, Codec.STRING, Codec.BYTES, SAFE);
      // What is done when a write ends is quick.
      maps.add(each.executor(Runnable::run));
    }
  }

  /** Prints writes a second, and threads. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[0]);
    int maps = Integer.parseInt(arguments[1]);
    int seconds = Integer.parseInt(arguments[2]);
    try (EmbeddedGrid grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withFolder(folder))) {
      DurableMaps load = new DurableMaps(grid.maps(), maps);
      load.writeFor(WARM_UP_SECONDS);
      double writes = load.writeFor(seconds);
      System.out.printf("%d maps: %.0f writes/s, %d threads%n", maps, writes, Thread.activeCount());
    }
  }

  /** Writes with so many operations under way; how many a second. */
  private double writeFor(int seconds) throws InterruptedException {
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    List<CompletionStage<Void>> last = new ArrayList<>();
    long count = 0;
    while (System.nanoTime() - end < 0) {
      underWay.acquire();
      GridMap<String, byte[]> map = maps.get((int) (count % maps.size()));
      CompletionStage<Void> write = map.setAsync("key" + count / maps.size() % KEYS, value);
      write.whenComplete((done, failure) -> underWay.release());
      last.add(write);
      if (last.size() > UNDER_WAY) {
        last = new ArrayList<>(last.subList(last.size() / 2, last.size()));
      }
      count++;
    }
    last.forEach(each -> each.toCompletableFuture().join());
    return count * 1e9 / (System.nanoTime() - begin);
  }
}
