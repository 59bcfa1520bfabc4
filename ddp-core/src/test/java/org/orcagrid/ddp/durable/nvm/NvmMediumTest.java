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
package org.orcagrid.ddp.durable.nvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.nio.mapmode.ExtendedMapMode;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.DurableMediumContract;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.log.LogSettings;
import org.orcagrid.ddp.durable.segment.FailingFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/**
 * The log in persistent memory. Ordinary mappings stand in for it where there is none; the lab
 * (docs/rdma.md) has a DAX file system.
 */
class NvmMediumTest extends DurableMediumContract {
  /** Whether temporary folders are on a DAX file system. */
  static final boolean DAX = Boolean.getBoolean("orca.lab.dax");

  static final MapMode MODE = DAX ? ExtendedMapMode.READ_WRITE_SYNC : MapMode.READ_WRITE;

  private static final SegmentLimits LIMITS =
      new SegmentLimits(1 << 16, RECORD_BYTES_MAX, 1 << 15, 1 << 19);

  @Override
  protected NvmMedium open(Path folder) throws IOException {
    return NvmMedium.open(new MappedFiles(folder, MODE), LIMITS);
  }

  @Override
  protected NvmMedium openOnFailingDevice(Path folder, int operations) throws IOException {
    return NvmMedium.open(new FailingFiles(new MappedFiles(folder, MODE), operations), LIMITS);
  }

  @Override
  protected void damage(Path folder) throws IOException {
    damage(folder.resolve("segment-1.log"), 120);
  }

  @Test
  void aFileSystemWithoutDaxIsRefusedInASentence() {
    assumeFalse(DAX, "all folders of this machine are on DAX");
    IOException refusal =
        assertThrows(IOException.class, () -> NvmMedium.open(folder(), LIMITS).close());
    assertTrue(refusal.getMessage().contains("is not on persistent memory"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("mounted with DAX"), refusal.getMessage());
    assertFalse(Files.exists(folder().resolve("probe")));
  }

  @Test
  void everythingIsDurableWhenForceReturns() throws IOException {
    try (NvmMedium medium = open(folder())) {
      int[] told = {0};
      medium.onProgress(() -> told[0]++);
      replay(medium);
      for (int i = 1; i <= 500; i++) {
        long position = medium.append(record(100, i));
        assertTrue(position > DurableMedium.NOTHING);
        medium.force();
        assertEquals(position, medium.durable());
        assertEquals(i, told[0]);
        medium.trim(position);
      }
    }
  }

  @Test
  void aLogInOrdinaryFilesIsReadAndTheOtherWayRound() throws IOException {
    try (NvmMedium medium = open(folder())) {
      replay(medium);
      medium.append(record(100, 1));
    }
    try (LogMedium medium = LogMedium.open(new LogSettings(folder(), LIMITS), Thread::new)) {
      assertEquals(1, replay(medium).size());
      medium.append(record(100, 2));
    }
    try (NvmMedium medium = open(folder())) {
      assertEquals(2, replay(medium).size());
    }
  }
}
