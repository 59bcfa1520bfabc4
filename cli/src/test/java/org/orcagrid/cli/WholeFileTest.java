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
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  @TempDir Path folder;

  @Test
  void aFileKeepsItsMode() throws Exception {
    for (String mode : new String[] {"r--r--r--", "rw-r-----", "rw-------"}) {
      Path file = Files.writeString(folder.resolve("zoo.cfg"), "old");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      Path next = WholeFile.prepare(file, "new");
      assertEquals("old", Files.readString(file));
      WholeFile.replace(file, next);
      assertEquals("new", Files.readString(file));
      assertEquals(mode, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      assertFalse(Files.exists(next));
      Files.delete(file);
    }
  }

  @Test
  void aNewFileIsWritten() throws Exception {
    Path file = folder.resolve("zoo.cfg");
    WholeFile.write(file, "new");
    assertEquals("new", Files.readString(file));
  }
}
