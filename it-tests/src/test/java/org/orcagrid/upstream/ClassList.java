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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The lists that lie beside this class as resources: one entry on a line; # starts a comment at the
 * beginning of a line or after a space, since it also stands in Class#method.
 */
final class ClassList {
  private ClassList() {}

  /** What CI runs on every change: a few minutes that touch every family of tests. */
  static List<String> ciSelection() {
    return lines("ci-selection.txt");
  }

  /** Everything that says something about our servers. */
  static List<String> fullSelection() {
    return lines("full-selection.txt");
  }

  /** The lines of a list, stripped, without comments and empty ones. */
  static List<String> lines(String resource) {
    try (InputStream in = ClassList.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no such list: " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.replaceFirst("(^|\\s)#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }
}
