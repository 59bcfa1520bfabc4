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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The results of a run, as a person and as a program read them.
 *
 * @param target which servers it was
 * @param known the failures that are expected
 */
record Results(Target target, KnownFailures known) {
  private static final String HEADER =
      "target,class,verdict,passed,failed,skipped,seconds,ran_our_servers,failures";

  /** One line about a class that just ended. */
  String progress(ClassResult result) {
    return String.format(
        "%-11s %4d passed %3d failed %3d skipped %4d s  %s%s",
        verdict(result),
        result.passed(),
        result.failures().size(),
        result.skipped(),
        result.seconds(),
        shortName(result.testClass()),
        touched(result) ? "" : "  [did not touch our servers]");
  }

  /** Whether a class went as it should: nothing failed that is not known to. */
  boolean isExpected(ClassResult result) {
    return result.allPassed() || known.cover(target, result);
  }

  /** The table at the end: what went wrong, what proves nothing, and the sums. */
  String summary(List<ClassResult> results) {
    StringBuilder text = new StringBuilder();
    section(text, "Failed", results.stream().filter(r -> !isExpected(r)).toList());
    section(
        text,
        "Failed as known",
        results.stream().filter(r -> isExpected(r) && !r.allPassed()).toList());
    section(text, "Did not touch our servers", results.stream().filter(r -> !touched(r)).toList());
    text.append(
        String.format(
            "%ntarget %s: %d classes, %d as expected; tests: %d passed, %d failed, %d skipped;"
                + " %d s%n",
            target.label(),
            results.size(),
            results.stream().filter(this::isExpected).count(),
            results.stream().mapToInt(ClassResult::passed).sum(),
            results.stream().mapToInt(r -> r.failures().size()).sum(),
            results.stream().mapToInt(ClassResult::skipped).sum(),
            results.stream().mapToLong(ClassResult::seconds).sum()));
    return text.toString();
  }

  /** Writes the comma-separated file. */
  void write(Path file, List<ClassResult> results) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(HEADER);
    for (ClassResult result : results) {
      lines.add(
          String.join(
              ",",
              target.label(),
              result.testClass(),
              verdict(result),
              Integer.toString(result.passed()),
              Integer.toString(result.failures().size()),
              Integer.toString(result.skipped()),
              Long.toString(result.seconds()),
              Boolean.toString(result.ranOurServers()),
              String.join(" ", result.failures())));
    }
    Files.write(file, lines);
  }

  private void section(StringBuilder text, String title, List<ClassResult> results) {
    if (results.isEmpty()) {
      return;
    }
    text.append(String.format("%n%s:%n", title));
    for (ClassResult result : results) {
      text.append("  ").append(progress(result)).append(System.lineSeparator());
      result.failures().stream()
          .distinct()
          .forEach(method -> text.append("      ").append(method).append(System.lineSeparator()));
    }
  }

  private String verdict(ClassResult result) {
    if (result.allPassed()) {
      return "passed";
    }
    if (known.cover(target, result)) {
      return "known";
    }
    return switch (result.ending()) {
      case FINISHED -> "FAILED";
      case TIMED_OUT -> "TIMED-OUT";
      case NO_REPORT -> "NO-REPORT";
    };
  }

  private boolean touched(ClassResult result) {
    return !target.ours() || result.ranOurServers();
  }

  private static String shortName(String testClass) {
    return testClass.replaceFirst("^org\\.apache\\.zookeeper\\.", "");
  }
}
