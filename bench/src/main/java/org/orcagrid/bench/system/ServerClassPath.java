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
package org.orcagrid.bench.system;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.orcagrid.cli.ServerProgram;

/** The class path of stock servers, made from that of ours. */
public final class ServerClassPath {
  private static final String OUR_PACKAGE = "org/orcagrid/";
  private static final String RELEASED_CLASS = "org/apache/zookeeper/ZooKeeper.class";

  private ServerClassPath() {}

  /**
   * Returns the class path without the entries that hold our classes, so that a stock server is
   * nothing but released jars. An entry that holds both, as an all-in-one jar does, stays.
   */
  public static String withoutOurs() {
    return Arrays.stream(ServerProgram.serverClassPath().split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath())
        .filter(Files::exists)
        .filter(entry -> !holds(entry, OUR_PACKAGE) || holds(entry, RELEASED_CLASS))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean holds(Path entry, String name) {
    if (Files.isDirectory(entry)) {
      return Files.exists(entry.resolve(name));
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      return jar.stream().anyMatch(e -> e.getName().startsWith(name));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot read " + entry + " of the class path; repair or remove it.", e);
    }
  }
}
