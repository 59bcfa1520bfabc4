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
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** The folder that a command writes its results into. */
final class ResultFolder {
  private final Path folder;
  private final Set<String> written = new LinkedHashSet<>();

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
    written.add(name);
  }

  /**
   * Reads a file that was written earlier.
   *
   * @throws IOException if it is not there
   */
  String read(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  /**
   * Ends a run: shows its page, removes the ensembles' folder, which is empty unless an earlier run
   * was broken off, and says which files were written.
   */
  void finish(String page, PrintWriter console) throws IOException {
    console.println();
    console.println(page);
    try {
      Files.deleteIfExists(serverData());
    } catch (DirectoryNotEmptyException e) {
      console.println(
          "A run that was broken off has left files in " + serverData() + ": delete it.");
    }
    console.println("Written to " + folder + ": " + String.join(", ", written) + ".");
    console.flush();
  }
}
