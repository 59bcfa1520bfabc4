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

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the selection of CI against our servers. {@code -Dupstream=true} enables it and makes Maven
 * fetch what it needs.
 */
@Tag("upstream")
@EnabledIfSystemProperty(
    named = "upstream",
    matches = "true",
    disabledReason =
        "runs ZooKeeper's own tests: say -Dupstream=true, or run build/upstream-tests.sh")
class UpstreamSelectionTest {
  private Runner runner;

  @AfterEach
  void endEveryTestJvm() {
    if (runner != null) {
      runner.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> withSynchronousDurability() throws IOException, InterruptedException {
    return selection(Target.ORCA_SYNC);
  }

  @TestFactory
  Stream<DynamicTest> withConsistencyAwareDurability() throws IOException, InterruptedException {
    return selection(Target.ORCA_CAD);
  }

  private Stream<DynamicTest> selection(Target target) throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("basedir", "."), "target", "upstream");
    runner = new Runner(new Workspace(root), target, Options.DEFAULT_TIMEOUT, 1);
    runner.prepare();
    Results results = new Results(target, KnownFailures.load());
    return ClassList.ciSelection().stream()
        .map(testClass -> DynamicTest.dynamicTest(testClass, () -> check(results, testClass)));
  }

  private void check(Results results, String testClass) throws IOException, InterruptedException {
    ClassResult result = runner.run(testClass);
    assertTrue(
        results.isExpected(result), () -> results.progress(result) + " " + result.failures());
    assertTrue(result.ranOurServers(), () -> testClass + " did not touch our servers");
  }
}
