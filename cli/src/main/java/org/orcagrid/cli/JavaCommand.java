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

import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** {@code orca java}: the launcher runs it before there is any Java; here is its help. */
@Command(
    name = "java",
    preprocessor = JavaCommand.TakesAll.class,
    customSynopsis = "orca java [JVM-FLAG...] FILE.java|CLASS [ARGUMENT...]",
    description = {
      "Run a Java program of yours with the grid on its class path.",
      "The program gets the grid's client, JCache and the optional media. A FILE.java is compiled"
          + " first, as 'java FILE.java' does. The exit status is the program's."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:the file cannot be read or compiled; or the program's own",
      "other:the program's own"
    })
final class JavaCommand implements Callable<Integer> {

  /** Takes the arguments as they are: they are the JVM's and the program's. */
  static final class TakesAll implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // picocli's signature
    public boolean preprocess(
        Stack<String> args, CommandSpec command, ArgSpec argSpec, Map<String, Object> info) {
      if (args.size() == 1 && args.peek().equals("--help")) {
        return false;
      }
      args.clear();
      return true;
    }
  }

  @Override
  public Integer call() throws CommandFailure {
    throw new CommandFailure(
        "The launcher runs 'orca java'; use the script orca, as in './orca java FILE.java'.");
  }
}
