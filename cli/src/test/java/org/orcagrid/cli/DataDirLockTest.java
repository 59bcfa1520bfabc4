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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirLockTest {
  @TempDir Path folder;

  @Test
  void isHeldOnceAndFreedByClose() throws Exception {
    Path dataDir = folder.resolve("new").resolve("data");
    try (DataDirLock first = DataDirLock.acquire(dataDir)) {
      CommandFailure failure =
          assertThrows(CommandFailure.class, () -> DataDirLock.acquire(dataDir), first::toString);
      assertEquals(
          "The data folder "
              + dataDir
              + " is in use by the running server with pid "
              + ProcessHandle.current().pid()
              + "; stop that server or choose another dataDir.",
          failure.getMessage());
    }
    DataDirLock.acquire(dataDir).close();
  }

  @Test
  void aFileInThePlaceOfTheFolderIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");
    CommandFailure failure = assertThrows(CommandFailure.class, () -> DataDirLock.acquire(file));
    assertTrue(failure.getMessage().contains(file + " (it is not a folder)"), failure::getMessage);
  }

  @Test
  void theFolderOfTheLogIsLockedAsWell(@TempDir Path other) throws Exception {
    Path log = other.resolve("log");
    try (DataDirLock first = DataDirLock.acquire(other.resolve("data-1"), log)) {
      CommandFailure failure =
          assertThrows(
              CommandFailure.class,
              () -> DataDirLock.acquire(other.resolve("data-2"), log),
              first::toString);
      assertTrue(failure.getMessage().contains("choose another dataLogDir"), failure::getMessage);
    }
    // The second attempt kept nothing.
    DataDirLock.acquire(other.resolve("data-2"), log).close();
  }
}
