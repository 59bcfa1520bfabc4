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

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca help [COMMAND...]}; picocli's own stops at the first level of commands. */
@Command(name = "help", description = "Show how a command is used, as in 'orca help server run'.")
final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", description = "The command; none for all of them.")
  private List<String> path = new ArrayList<>();

  @Override
  public void run() {
    CommandLine command = spec.root().commandLine();
    for (String name : path) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw new ParameterException(command, FailureReport.noSuchCommand(command, name));
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
  }
}
