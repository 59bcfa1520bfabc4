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

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca grid}: nodes of a grid, each in a process of its own. */
@Command(
    name = "grid",
    description =
        "Run a node of a grid; start, add, remove, stop or ask several on this machine; or use a"
            + " grid.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      GridRun.class,
      GridStart.class,
      GridAdd.class,
      GridRemove.class,
      GridStop.class,
      GridStatus.class,
      GridShell.class
    })
final class GridCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The option that those who deal with several nodes share. */
  static final class Folder {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "The grid's folder (default: grid" + StateFolder.HELP)
    private Path dir;

    boolean isGiven() {
      return dir != null;
    }

    GridFolder get() {
      return new GridFolder(
          (dir == null ? StateFolder.of("grid") : dir).toAbsolutePath().normalize());
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
