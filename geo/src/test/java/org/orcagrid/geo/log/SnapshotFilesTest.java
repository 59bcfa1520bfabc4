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
package org.orcagrid.geo.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFilesTest {
  @TempDir private Path folder;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private SnapshotFiles files;

  @BeforeEach
  void open() throws IOException {
    files = new SnapshotFiles(folder, Thread::new, failures::add);
  }

  @AfterEach
  void close() {
    files.close();
  }

  private void write(long index, long offset, boolean last, int... bytes) {
    byte[] content = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      content[i] = (byte) bytes[i];
    }
    files.write(
        1,
        SnapshotFiles.Source.RECEIVED,
        new SnapshotPiece(index, offset, content, last),
        () -> {});
  }

  private void settle() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    files.load(1, 0, nothing -> done.countDown());
    done.await();
  }

  @Test
  void piecesMakeASnapshotWhenTheLastIsThere() throws Exception {
    write(5, 0, false, 1, 2);
    settle();
    IOException missing = assertThrows(IOException.class, () -> files.load(1, 5));
    assertTrue(missing.getMessage().contains("snapshot-5"), missing.getMessage());
    write(5, 2, true, 3);
    settle();
    assertArrayEquals(new byte[] {1, 2, 3}, files.load(1, 5));
    CountDownLatch read = new CountDownLatch(1);
    files.read(
        1,
        5,
        1,
        10,
        (bytes, isLast) -> {
          assertArrayEquals(new byte[] {2, 3}, bytes);
          assertTrue(isLast);
          read.countDown();
        });
    read.await();
    assertEquals(0, failures.size());
  }

  /** The leader has begun another one while the last piece of the first was on its way. */
  @Test
  void piecesOfTwoSnapshotsDoNotMix() throws Exception {
    write(5, 0, false, 1, 2);
    write(7, 0, false, 8);
    write(7, 1, true, 9);
    settle();
    assertArrayEquals(new byte[] {8, 9}, files.load(1, 7));
    write(5, 2, true, 3);
    settle();
    assertEquals(1, failures.size(), "a piece without those before it is refused");
    assertThrows(IOException.class, () -> files.load(1, 5));
  }

  @Test
  void olderOnesAreRemoved() throws Exception {
    write(5, 0, true, 1);
    write(7, 0, true, 2);
    files.removeBefore(1, 7);
    settle();
    assertThrows(IOException.class, () -> files.load(1, 5));
    assertArrayEquals(new byte[] {2}, files.load(1, 7));
  }
}
