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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the lines of a shell come from, and what follows when one of them fails. */
final class ShellInput {
  private static final Path STANDARD_INPUT = Path.of("/proc/self/fd/0");

  private final ShellSession session;

  ShellInput(ShellSession session) {
    this.session = session;
  }

  /**
   * Whether somebody types. What {@code System.console()} tells differs between JDKs, and is of
   * standard output as well.
   */
  static boolean isTyped() {
    try {
      String source = Files.readSymbolicLink(STANDARD_INPUT).toString();
      return source.startsWith("/dev/pts/")
          || source.startsWith("/dev/tty")
          || source.equals("/dev/console");
    } catch (IOException e) {
      // Where the system does not tell, a script must end at its first failure all the same.
      return false;
    }
  }

  /** Runs commands that were given one by one; ends with the first that fails, naming it. */
  void runAll(List<String> commands) throws CommandFailure {
    for (int i = 0; i < commands.size() && !session.isOver(); i++) {
      run("Command " + (i + 1), commands.get(i));
    }
  }

  /** Runs the lines of a script; ends with the first that fails, naming it. */
  void runScript(BufferedReader lines) throws CommandFailure, IOException {
    int number = 1;
    for (String line = lines.readLine();
        line != null && !session.isOver();
        line = session.isOver() ? null : lines.readLine()) {
      run("Line " + number, line);
      number++;
    }
  }

  private void run(String which, String line) throws CommandFailure {
    try {
      session.run(line);
    } catch (CommandFailure e) {
      throw new CommandFailure(
          which + " (" + ShellWords.shown(line.strip()) + "): " + e.getMessage(), e);
    }
  }

  /** Runs what somebody types, who is told of each failure and goes on. */
  void runTyped(BufferedReader lines, PrintWriter out, PrintWriter err) throws IOException {
    while (!session.isOver()) {
      out.print(session.title() + "> ");
      out.flush();
      String line = lines.readLine();
      if (line == null) {
        out.println();
        out.flush();
        return;
      }
      try {
        session.run(line);
      } catch (CommandFailure e) {
        FailureReport.print(e, err, false);
      }
    }
  }
}
