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
package org.orcagrid.medium.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

class VersionMapTest {
  private static final int RECORD_BYTES_MAX = 100_000;
  private static final int STEPS = 700;

  @TempDir(factory = FoldersInMemory.class)
  private Path folder;

  /** Else Chronicle Map would refuse what the limits allow, and end the medium. */
  @ParameterizedTest
  @CsvSource({"1,200000", "10,400000", "1000,400000", "100000,200000"})
  void allThatTheLimitsAllowFitsIntoTheFile(long entriesMax, long mapBytesMax) throws IOException {
    ChronicleLimits limits =
        new ChronicleLimits(
            new SegmentLimits(1 << 20, RECORD_BYTES_MAX, 1 << 19, 1 << 22),
            entriesMax,
            mapBytesMax);
    SplittableRandom random = new SplittableRandom(1);
    Path file = folder.resolve("map");
    Totals totals;
    int put = 0;
    try (VersionMap map = VersionMap.open(file, limits, Totals.NONE)) {
      for (int step = 1; step <= STEPS; step++) {
        int bytes = random.nextInt(4) == 0 ? RECORD_BYTES_MAX : random.nextInt(1_000);
        ByteBuffer key = ByteBuffer.allocate(4).putInt(0, random.nextInt((int) entriesMax * 2));
        Item item = Item.latest(step, 0, key, step, ByteBuffer.allocate(bytes));
        if (map.fits(1, item.bytes())) {
          map.put(item);
          put++;
        } else if (random.nextInt(4) == 0) {
          map.removeBefore(step - random.nextInt(50));
        }
      }
      totals = map.totals();
    }
    assertTrue(put > STEPS / 50, "put: " + put);
    try (VersionMap map = VersionMap.open(file, limits, totals)) {
      assertEquals(totals.entries(), map.places(true).size());
    }
  }
}
