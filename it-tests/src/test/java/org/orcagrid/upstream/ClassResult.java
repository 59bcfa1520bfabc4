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

/**
 * How one test class went.
 *
 * @param testClass its full name
 * @param ending how its JVM ended
 * @param passed tests that passed
 * @param skipped tests that the class itself skipped
 * @param failures the methods that failed, once for each time
 * @param seconds how long the JVM ran
 * @param ranOurServers whether one of our servers said in the log that it is in use
 */
record ClassResult(
    String testClass,
    Ending ending,
    int passed,
    int skipped,
    List<String> failures,
    long seconds,
    boolean ranOurServers) {

  /** How the JVM of a test class ended. */
  enum Ending {
    /** It ran its tests to the end and reported them. */
    FINISHED,
    /** It was killed because its time was up. */
    TIMED_OUT,
    /** It ended without a report, or its report holds no test. */
    NO_REPORT
  }

  ClassResult {
    failures = List.copyOf(failures);
  }

  boolean allPassed() {
    return ending == Ending.FINISHED && failures.isEmpty();
  }
}
