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
package org.orcagrid.needs;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Looks for programs. */
public final class Programs {
  private Programs() {}

  /** Returns what is missing: the first program that no folder of the PATH has; null if none is. */
  public static String missing(String... names) {
    String[] folders = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1);
    for (String name : names) {
      if (Arrays.stream(folders)
          .filter(folder -> !folder.isEmpty())
          .noneMatch(folder -> Files.isExecutable(Path.of(folder, name)))) {
        return name + " is not on the PATH";
      }
    }
    return null;
  }
}
