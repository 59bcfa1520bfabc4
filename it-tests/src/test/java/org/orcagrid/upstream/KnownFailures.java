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

import java.util.List;

/** Tests that are known to fail on a target, from {@code known-failures.txt}. */
final class KnownFailures {
  /**
   * One line: {@code target class[#method] reason}, where target {@code *} means every one.
   *
   * @param target the label of a target, or {@code *}
   * @param test a class, or a method as {@code class#method}
   */
  private record Entry(String target, String test) {
    boolean covers(Target other, String testClass, String method) {
      return (target.equals("*") || target.equals(other.label()))
          && (test.equals(testClass) || test.equals(testClass + "#" + method));
    }
  }

  private final List<Entry> entries;

  private KnownFailures(List<Entry> entries) {
    this.entries = entries;
  }

  /** Reads the list. */
  static KnownFailures load() {
    return parse(ClassList.lines("known-failures.txt"));
  }

  static KnownFailures parse(List<String> lines) {
    return new KnownFailures(lines.stream().map(KnownFailures::entry).toList());
  }

  private static Entry entry(String line) {
    String[] parts = line.split("\\s+", 3);
    if (parts.length != 3) {
      throw new IllegalStateException(
          "known-failures.txt: expected \"target class[#method] reason\": " + line);
    }
    return new Entry(parts[0], parts[1]);
  }

  /** Whether a run went no worse than the list says. */
  boolean cover(Target target, ClassResult result) {
    if (result.ending() != ClassResult.Ending.FINISHED) {
      return entries.stream().anyMatch(e -> e.covers(target, result.testClass(), ""));
    }
    return result.failures().stream()
        .allMatch(
            method -> entries.stream().anyMatch(e -> e.covers(target, result.testClass(), method)));
  }
}
