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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Writes files that are there as a whole or not at all. */
final class WholeFile {
  private WholeFile() {}

  /** Writes a file in place of the one that there may be; who may read that may read this. */
  static void write(Path file, String text) throws IOException {
    replace(file, prepare(file, text));
  }

  /**
   * Writes what is to replace a file later, beside it, with its owner and mode. A file that is
   * read-only stays so.
   *
   * @return where it is
   */
  static Path prepare(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.deleteIfExists(next);
    if (!Files.exists(file)) {
      return Files.writeString(next, text);
    }
    Files.copy(file, next, StandardCopyOption.COPY_ATTRIBUTES);
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(next);
    Set<PosixFilePermission> writable = EnumSet.of(PosixFilePermission.OWNER_WRITE);
    writable.addAll(mode);
    Files.setPosixFilePermissions(next, writable);
    Files.writeString(next, text);
    Files.setPosixFilePermissions(next, mode);
    return next;
  }

  /** Puts what was prepared in a file's place. */
  static void replace(Path file, Path next) throws IOException {
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
