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

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
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
 * What maps cost that nobody uses: time to open them, memory, processor time of an idle grid, and
 * writes of one map beside them. Run by hand, in a JVM of its own:
 *
 * <pre>
 * java -cp ... org.orcagrid.bench.load.IdleMaps FOLDER NODES MAPS SECONDS
 * </pre>
 */
public final class IdleMaps {
  private static final int UNDER_WAY = 256;
  private static final int KEYS = 1000;
  private static final int ROUNDS = 5;

  /** Nobody waits for a disk: it is the worker's time that is measured. */
  private static final Ddp MODEL = Ddp.parse("linearizable/eventual");

  private IdleMaps() {}

  /** Prints one line. */
  public static void main(String[] arguments) throws InterruptedException {
    int maps = Integer.parseInt(arguments[2]);
    int seconds = Integer.parseInt(arguments[3]);
    EmbeddedGrid.Settings settings =
        EmbeddedGrid.Settings.DEFAULT
            .withFolder(Path.of(arguments[0]))
            .withNodes(Integer.parseInt(arguments[1]));
    try (EmbeddedGrid grid = Grid.embedded(settings)) {
      GridMaps node = grid.maps();
      // What is done when a write ends is quick.
      GridMap<String, byte[]> busy =
          node.map("busy", Codec.STRING, Codec.BYTES, MODEL).executor(Runnable::run);
      writeFor(busy, seconds);
      long memory = memory();
      long begin = System.nanoTime();
      for (int map = 1; map < maps; map++) {
        node.map("idle" + map, Codec.STRING, Codec.BYTES, MODEL);
      }
      long opened = System.nanoTime() - begin;
      double each = Math.max(1, maps - 1);
      long taken = memory() - memory;
      double idle = processorPerSecond(seconds);
      double writes = 0;
      for (int round = 0; round < ROUNDS; round++) {
        writes = Math.max(writes, writeFor(busy, seconds));
      }
      System.out.printf(
          "%d maps: %.2f ms to open each, %.1f KB each, %.1f ms of processor a second idle, %.0f"
              + " writes/s of one (best of %d)%n",
          maps, opened / each / 1e6, taken / each / 1024, idle * 1e3, writes, ROUNDS);
    }
  }

  /** Heap that is left after collections, and direct memory. */
  private static long memory() {
    long least = Long.MAX_VALUE;
    for (int times = 0; times < 4; times++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least
        + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
  }

  private static double processorPerSecond(int seconds) throws InterruptedException {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    TimeUnit.SECONDS.sleep(1);
    long begin = System.nanoTime();
    long before = process.getProcessCpuTime();
    TimeUnit.SECONDS.sleep(seconds);
    return (process.getProcessCpuTime() - before) / (double) (System.nanoTime() - begin);
  }

  /** Writes with so many operations under way; how many a second. */
  private static double writeFor(GridMap<String, byte[]> map, int seconds)
      throws InterruptedException {
    Semaphore underWay = new Semaphore(UNDER_WAY);
    byte[] value = new byte[100];
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    long count = 0;
    while (System.nanoTime() - end < 0) {
      underWay.acquire();
      CompletionStage<Void> write = map.setAsync("key" + count % KEYS, value);
      write.whenComplete((done, failure) -> underWay.release());
      count++;
    }
    underWay.acquire(UNDER_WAY);
    return count * 1e9 / (System.nanoTime() - begin);
  }
}
