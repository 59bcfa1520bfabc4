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

/** {@code orca geo}: a store over several datacenters. */
@Command(
    name = "geo",
    description =
        "Run a node of a store over several datacenters; start, stop or ask several on this"
            + " machine; or use a store.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      GeoRun.class,
      GeoStart.class,
      GeoStop.class,
      GeoStatus.class,
      GeoLag.class,
      GeoClock.class,
      GeoVerify.class,
      GeoRemove.class,
      GeoPublish.class,
      GeoShell.class
    })
final class GeoCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The option that those who deal with several nodes share. */
  static final class Folder {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "The store's folder (default: geo" + StateFolder.HELP)
    private Path dir;

    GeoFolder get() {
      return new GeoFolder(
          (dir == null ? StateFolder.of("geo") : dir).toAbsolutePath().normalize());
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
