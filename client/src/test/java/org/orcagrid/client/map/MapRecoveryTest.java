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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.log.RecoveryReport;

/** What a map says of how it came back from the nodes' folders. */
@Timeout(60)
class MapRecoveryTest {
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);
  private static final SegmentLimits LIMITS =
      new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28);

  @TempDir Path folder;

  private static EmbeddedGrid start(Path folder) {
    return Grid.embedded(
        EmbeddedGrid.Settings.DEFAULT
            .withNodes(3)
            .withFolder(folder)
            .withMedium(LogMedium.kind(LIMITS)));
  }

  private static GridMap<String, Long> map(EmbeddedGrid grid, Ddp model) {
    return grid.map("carts", Codec.STRING, Codec.LONG, model);
  }

  @Test
  void whoWasNotSaysUntilWhenItsLogHasAll() throws IOException {
    Path crashed = folder.resolve("crashed");
    long before = System.currentTimeMillis();
    long after;
    try (EmbeddedGrid grid = start(folder.resolve("running"))) {
      map(grid, SAFE).set("key", 1L);
      after = System.currentTimeMillis();
      // What the folders have at this moment is what a crash would have left.
      copy(folder.resolve("running"), crashed);
    }
    try (EmbeddedGrid grid = start(crashed)) {
      RecoveryReport report = map(grid, SAFE).recovery().orElseThrow();
      assertFalse(report.closed());
      assertTrue(report.together());
      assertTrue(report.isOfLoss());
      assertEquals(1, report.found() + report.lacked());
      assertTrue(before <= report.reachedMillis() && report.reachedMillis() <= after);
      assertEquals(1L, map(grid, SAFE).get("key"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      all.forEach(
          each -> {
            try {
              Files.copy(each, to.resolve(from.relativize(each)));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
