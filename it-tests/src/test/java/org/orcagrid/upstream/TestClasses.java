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

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Unpacks the published test classes into a directory, rewritten or as they are. */
final class TestClasses {
  /**
   * What was unpacked.
   *
   * @param directory the root of a class path
   * @param changedClasses how many classes were rewritten
   * @param changes how many instructions and superclasses that were
   */
  record Unpacked(Path directory, int changedClasses, int changes) {}

  private final Path jar;
  private final ClassRewriter rewriter = new ClassRewriter();

  TestClasses(Path jar) {
    this.jar = jar;
  }

  /** Unpacks for a target, over whatever an earlier run left in the directory. */
  Unpacked unpack(Target target, Path directory) throws IOException {
    int changedClasses = 0;
    int changes = 0;
    try (JarFile file = new JarFile(jar.toFile())) {
      for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (entry.isDirectory() || !entry.getName().endsWith(".class")) {
          continue;
        }
        ClassRewriter.Rewritten rewritten = read(file, entry, target);
        write(directory.resolve(entry.getName()), rewritten.bytes());
        changes += rewritten.changes();
        changedClasses += rewritten.changes() > 0 ? 1 : 0;
      }
    }
    if (target.ours()) {
      addFactoryProperty(directory);
    }
    return new Unpacked(directory, changedClasses, changes);
  }

  private ClassRewriter.Rewritten read(JarFile file, JarEntry entry, Target target)
      throws IOException {
    try (InputStream in = file.getInputStream(entry)) {
      byte[] bytes = in.readAllBytes();
      return target.ours() ? rewriter.rewrite(bytes) : new ClassRewriter.Rewritten(bytes, 0);
    }
  }

  /** The rewritten classes call it, and nothing else of this package is on their class path. */
  private static void addFactoryProperty(Path directory) throws IOException {
    String name = FactoryProperty.class.getName().replace('.', '/') + ".class";
    try (InputStream in = FactoryProperty.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new IOException("not on the class path: " + name);
      }
      write(directory.resolve(name), in.readAllBytes());
    }
  }

  private static void write(Path path, byte[] bytes) throws IOException {
    Files.createDirectories(path.getParent());
    Files.write(path, bytes);
  }
}
