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
package org.orcagrid.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command as another module adds one; registered in the tests' META-INF/services. */
public final class SampleProvider implements SubcommandProvider {
  @Override
  public Object subcommand() {
    return new Sample();
  }

  @Command(name = "sample", mixinStandardHelpOptions = true, description = "A test's command.")
  static final class Sample implements Callable<Integer> {
    @Parameters(defaultValue = "well")
    private String how = "";

    @Override
    public Integer call() throws CommandFailure {
      if (how.equals("badly")) {
        throw new CommandFailure("It went badly; try 'well'.");
      }
      if (how.equals("unexpectedly")) {
        throw new IllegalStateException("state=7");
      }
      return 0;
    }
  }
}
