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
package org.orcagrid.bench.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The folder that a command writes its results into. */
final class ResultFolder {
  private final Path folder;

  /**
   * Makes the folder if it is not there.
   *
   * @throws IOException if it cannot be made
   */
  ResultFolder(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /** Returns where ensembles keep their data meanwhile: the same disk as the results. */
  Path serverData() {
    return folder.resolve(".servers");
  }

  /** Writes a file anew. */
  void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  /**
   * Reads a file that was written earlier.
   *
   * @throws IOException if it is not there
   */
  String read(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  /** Removes the ensembles' folder, which is empty by then. */
  void cleanUp() throws IOException {
    Files.deleteIfExists(serverData());
  }

  /** Removes a folder with everything in it. */
  static void delete(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
