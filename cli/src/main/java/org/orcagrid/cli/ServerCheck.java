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

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca server check}: what is wrong with a zoo.cfg. */
@Command(
    name = "check",
    description = {
      "Show every problem of a configuration; start nothing.",
      "Looks at unknown keys, values, the data folder, ports, keystores and the servers' lines. A"
          + " warning is something that a server starts with."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:in order, with warnings perhaps", "1:a server would not start or not serve"})
final class ServerCheck implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ZOO.CFG", description = "The server's configuration.")
  private Path zooCfg;

  @Override
  public Integer call() {
    ConfigCheck check = ConfigCheck.of(zooCfg);
    PrintWriter out = spec.commandLine().getOut();
    check.errors().forEach(sentence -> out.println("error: " + sentence));
    check.warnings().forEach(sentence -> out.println("warning: " + sentence));
    check.notes().forEach(sentence -> out.println("note: " + sentence));
    if (check.errors().isEmpty()) {
      out.println(zooCfg.getFileName() + " is in order.");
      return 0;
    }
    return 1;
  }
}
