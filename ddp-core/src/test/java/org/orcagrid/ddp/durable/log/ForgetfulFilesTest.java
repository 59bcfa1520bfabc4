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
package org.orcagrid.ddp.durable.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.segment.SegmentFile;

/** What a killed process leaves of its logs is what it has forced. */
class ForgetfulFilesTest {
  private static final String NAME = "000.segment";

  @TempDir private Path dir;

  private byte[] onDisk() throws IOException {
    return Files.readAllBytes(dir.resolve(NAME));
  }

  private static byte[] read(SegmentFile file, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    file.read(into, 0);
    return into.array();
  }

  private static void write(SegmentFile file, int position, int... bytes) throws IOException {
    ByteBuffer from = ByteBuffer.allocate(bytes.length);
    for (int each : bytes) {
      from.put((byte) each);
    }
    file.write(from.flip(), position);
  }

  @Test
  void onlyForcedBytesAreInTheFileAndAllAreRead() throws IOException {
    try (ForgetfulFiles files = new ForgetfulFiles(new ChannelFiles(dir));
        SegmentFile file = files.allocate(NAME, 8)) {
      write(file, 0, 1, 2, 3, 4);
      write(file, 2, 5, 6, 7, 8);
      assertArrayEquals(new byte[8], onDisk());
      assertArrayEquals(new byte[] {1, 2, 5, 6, 7, 8, 0, 0}, read(file, 8));
      file.force(1, 3);
      assertArrayEquals(new byte[] {0, 2, 5, 6, 0, 0, 0, 0}, onDisk());
      assertArrayEquals(new byte[] {1, 2, 5, 6, 7, 8, 0, 0}, read(file, 8));
      write(file, 3, 9);
      file.force(0, 8);
      assertArrayEquals(new byte[] {1, 2, 5, 9, 7, 8, 0, 0}, onDisk());
    }
  }

  @Test
  void aFileThatIsOpenedAgainHasItsUnforcedBytesAndSoHasAFolderThatWasClosed() throws IOException {
    try (ForgetfulFiles files = new ForgetfulFiles(new ChannelFiles(dir))) {
      try (SegmentFile file = files.allocate(NAME, 4)) {
        write(file, 1, 1, 2);
      }
      assertArrayEquals(new byte[4], onDisk());
      try (SegmentFile file = files.open(NAME)) {
        assertArrayEquals(new byte[] {0, 1, 2, 0}, read(file, 4));
      }
    }
    assertArrayEquals(new byte[] {0, 1, 2, 0}, onDisk());
  }
}
