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
package org.orcagrid.upstream;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory {@code it-tests/target/upstream}: what Maven's profile {@code upstream} put there,
 * and what a run leaves.
 *
 * @param root the directory
 */
record Workspace(Path root) {
  Workspace {
    root = root.toAbsolutePath().normalize();
  }

  /** The published test classes. */
  Path testsJar() throws IOException {
    return library("zookeeper-.*-tests\\.jar");
  }

  /** The Java agent that upstream's surefire configuration has on the command line. */
  Path agent() throws IOException {
    return library("jmockit-.*\\.jar");
  }

  /**
   * The class path of a test JVM: the agent first, since it insists on coming before JUnit, then
   * the test classes, the servers, and upstream's test libraries.
   */
  List<Path> classPath(Target target, Path testClasses) throws IOException {
    List<Path> path = new ArrayList<>();
    path.add(agent());
    path.add(testClasses);
    for (Path entry : servers()) {
      if (target.ours() || !isOurs(entry)) {
        path.add(entry);
      }
    }
    for (Path jar : libraries()) {
      if (!jar.equals(agent()) && !jar.equals(testsJar())) {
        path.add(jar);
      }
    }
    return path;
  }

  /** Whether orca-server has been built with the classes that the rewritten tests construct. */
  boolean hasOurServers() throws IOException {
    for (Path entry : servers()) {
      if (isOurs(entry)) {
        // A run from the reactor sees a directory; a jar is a built module, and complete.
        return Files.isRegularFile(entry)
            || Files.exists(
                entry.resolve("org/apache/zookeeper/server/quorum/OrcaQuorumPeer.class"));
      }
    }
    return false;
  }

  Path testClasses(Target target) {
    return root.resolve("classes").resolve(target.label());
  }

  Path log(Target target, String testClass) {
    return root.resolve("logs").resolve(target.label()).resolve(testClass + ".log");
  }

  Path runDirectory(Target target, String testClass) {
    return root.resolve("runs").resolve(target.label()).resolve(testClass);
  }

  Path results(Target target) {
    return root.resolve("results-" + target.label() + ".csv");
  }

  Path keyStores() {
    return root.resolve("ssl");
  }

  Path logbackConfiguration() {
    return root.resolve("logback.xml");
  }

  private List<Path> servers() throws IOException {
    String path = Files.readString(root.resolve("servers.classpath")).strip();
    return Stream.of(path.split(File.pathSeparator)).map(Path::of).toList();
  }

  private List<Path> libraries() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("lib"))) {
      return files.filter(file -> fileName(file).endsWith(".jar")).sorted().toList();
    }
  }

  private Path library(String name) throws IOException {
    List<Path> libraries = libraries();
    for (Path jar : libraries) {
      if (fileName(jar).matches(name)) {
        return jar;
      }
    }
    throw new IOException("no " + name + " among " + libraries);
  }

  private static boolean isOurs(Path entry) {
    return entry.endsWith(Path.of("orca-server", "target", "classes"))
        || fileName(entry).startsWith("orca-server-");
  }

  private static String fileName(Path path) {
    return String.valueOf(path.getFileName());
  }
}
