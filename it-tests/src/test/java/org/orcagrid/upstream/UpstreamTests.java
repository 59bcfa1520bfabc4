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
import java.io.PrintStream;
import java.util.List;

/**
 * The command that runs ZooKeeper's published test classes: {@code build/upstream-tests.sh} builds
 * and calls it.
 *
 * <p>It ends with 0 if every class went as expected, 1 if not, 2 if it could not run.
 */
public final class UpstreamTests {
  private static final int FAILED = 1;
  private static final int NOT_RUN = 2;

  private final PrintStream out;

  private UpstreamTests(PrintStream out) {
    this.out = out;
  }

  /** Runs the command. */
  public static void main(String[] arguments) throws InterruptedException {
    int status;
    try {
      Options options = Options.parse(List.of(arguments));
      status = new UpstreamTests(System.out).run(options) ? 0 : FAILED;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(Options.USAGE);
      status = NOT_RUN;
    } catch (IOException e) {
      System.err.println(e);
      status = NOT_RUN;
    }
    System.exit(status);
  }

  private boolean run(Options options) throws IOException, InterruptedException {
    Workspace workspace = new Workspace(options.workspace());
    Target target = options.target();
    Results results = new Results(target, KnownFailures.load());
    try (Runner runner = new Runner(workspace, target, options.timeout(), options.parallelism())) {
      TestClasses.Unpacked unpacked = runner.prepare();
      out.printf(
          "%d classes on %s; %d places in %d of the published classes rewritten%n",
          options.classes().size(), target.label(), unpacked.changes(), unpacked.changedClasses());

      List<ClassResult> all =
          runner.run(options.classes(), result -> out.println(results.progress(result)));
      results.write(workspace.results(target), all);
      out.print(results.summary(all));
      out.println("results: " + workspace.results(target));
      return all.stream().allMatch(results::isExpected);
    }
  }
}
