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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.cli.ServerOutput.Mark;

/**
 * Starts server processes. Each writes its log, which is rolled over, and what else it prints is
 * appended to a file beside it. Whichever program writes no pid file gets it written.
 */
final class ProcessLauncher {
  private ProcessLauncher() {}

  /** What becomes of a server when the terminal or this JVM goes away. */
  enum Lifetime {
    /** It ends with the terminal, as a test's or a benchmark's server should. */
    ATTACHED,
    /**
     * It outlives both. It ignores what a terminal sends to all of its processes: SIGHUP, SIGINT
     * (Ctrl-C) and SIGTSTP (Ctrl-Z).
     */
    DETACHED
  }

  /**
   * A JVM leaves a signal alone that is ignored when it starts. The shell becomes the program, so
   * the process id is the program's.
   */
  private static final List<String> DETACH =
      List.of("sh", "-c", "trap '' HUP INT TSTP; exec \"$@\"", "sh");

  /**
   * A started process and where in the file its own output begins.
   *
   * @param process the handle for signals
   * @param output its log and what else it prints, behind what earlier processes wrote
   * @param mark where this process's part of them begins
   */
  record Launched(Process process, ServerOutput output, Mark mark) {}

  static Launched launch(ServerProgram program, Path zooCfg, Path dataDir, Lifetime lifetime)
      throws IOException {
    Files.createDirectories(dataDir);
    ServerOutput output = ServerOutput.in(dataDir);
    Mark mark = output.mark();
    List<String> command = new ArrayList<>();
    if (lifetime == Lifetime.DETACHED) {
      command.addAll(DETACH);
    }
    command.addAll(program.command(zooCfg, output.log()));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.printed().toFile()))
            .start();
    if (!program.writesPidFile()) {
      PidFile.in(dataDir).write(process.toHandle());
    }
    return new Launched(process, output, mark);
  }
}
