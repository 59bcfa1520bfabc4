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
package org.orcagrid.grid;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for processes of {@link MapLoad}. */
final class MapProgress {
  private static final long PATIENCE_NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("orca.lab.patience", 300));

  private MapProgress() {}

  /** Each goes on with each map, and with Kite's keys. */
  static void await(List<MapProcess> which) throws IOException {
    await(which, 1);
    awaitKeys(which);
  }

  /** Each adds to a key and releases one: for that a majority is needed. */
  static void awaitKeys(List<MapProcess> which) throws IOException {
    long now = MapLoad.now();
    for (MapProcess each : which) {
      for (String what : List.of("ADDED KEYS ", "RELEASED KEYS ")) {
        await(each, what, now, 1);
      }
    }
  }

  /** So many writes that begin from now on are acknowledged by each, for each of the maps. */
  static void await(List<MapProcess> which, int writes) throws IOException {
    long now = MapLoad.now();
    for (MapProcess each : which) {
      for (MapLoad.Which map : MapLoad.Which.values()) {
        await(each, "WROTE " + map + " ", now, writes);
      }
    }
  }

  private static void await(MapProcess process, String what, long since, int count)
      throws IOException {
    long mark = process.mark();
    await(
        () -> {
          requireAlive(process);
          return process.linesSince(mark).stream()
                  .filter(line -> isSince(line, what, since))
                  .count()
              >= count;
        },
        process.ledger() + " goes on: " + what);
  }

  private static void requireAlive(MapProcess process) {
    if (!process.isAlive()) {
      throw new AssertionError("The process of " + process.ledger() + " has ended");
    }
  }

  private static boolean isSince(String line, String what, long nanos) {
    if (line.startsWith("FAILED")) {
      throw new AssertionError(line);
    }
    return line.startsWith(what) && Long.parseLong(line.split(" ", -1)[5]) > nanos;
  }

  /** Their clients end, and read all once more; then they do. */
  static void stop(List<MapProcess> processes) throws IOException, InterruptedException {
    for (MapProcess each : processes) {
      each.stop();
    }
    for (MapProcess each : processes) {
      await(
          () -> {
            requireAlive(each);
            return each.linesSince(0).stream().anyMatch(line -> line.startsWith("STOPPED"));
          },
          each.ledger() + " has stopped");
    }
    for (MapProcess each : processes) {
      each.close();
    }
  }

  static void await(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("It has not come true that " + what);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }
}
