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
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca ensemble}: several servers on this machine, to develop and to test with. */
@Command(
    name = "ensemble",
    description = "Start, stop, ask or change several servers on the loopback address.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      EnsembleStart.class,
      EnsembleStop.class,
      EnsembleStatus.class,
      EnsembleSet.class
    })
final class EnsembleCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The option that all of them share. */
  static final class Folder {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "The ensemble's folder (default: ensemble" + StateFolder.HELP)
    private Path dir;

    Path path() {
      return (dir == null ? EnsembleSpec.defaultDir() : dir).toAbsolutePath().normalize();
    }

    List<EnsembleMember> requireMembers() throws CommandFailure {
      List<EnsembleMember> members = EnsembleFiles.read(path());
      if (members.isEmpty()) {
        throw new CommandFailure(
            "There is no ensemble in "
                + path()
                + "; start one with 'orca ensemble start 3' or give its --dir.");
      }
      return members;
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
