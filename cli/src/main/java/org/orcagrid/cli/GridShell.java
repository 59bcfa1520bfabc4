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
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.orcagrid.client.ClientConfig;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.transport.tcp.PortSecurity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orca grid shell}. */
@Command(
    name = "shell",
    description = {
      "Use a grid that runs: its maps, queues, counters and keys, as texts.",
      "Commands are typed, or come from --command or standard input; then the first that fails ends"
          + " the shell. 'help' is one of them."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:no node can be reached, or a command of a script has failed",
      "2:wrong usage"
    })
final class GridShell implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private GridCommand.Folder folder;

  @Option(
      names = "--connect",
      paramLabel = "HOST:PORT,...",
      description = "Where nodes of the grid listen; without it, those of --dir.")
  private String nodes;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = {
        "A client's settings, one a line: grid.nodes (or --connect), grid.name, grid.secret.file,",
        "grid.tls.keystore and so on, as in grid.cfg."
      })
  private Path config;

  @Option(
      names = "--command",
      paramLabel = "LINE",
      description = "Run this instead of standard input; may be given several times.")
  private List<String> commands;

  @Override
  public Integer call() throws CommandFailure, IOException {
    try (RemoteGrid grid = connect(settings());
        ShellSession session = new ShellSession(grid, spec.commandLine().getOut())) {
      ShellInput input = new ShellInput(session);
      if (commands != null) {
        input.runAll(commands);
      } else if (ShellInput.isTyped()) {
        input.runTyped(
            new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())),
            spec.commandLine().getOut(),
            spec.commandLine().getErr());
      } else {
        input.runScript(
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
      }
      return 0;
    }
  }

  private static RemoteGrid connect(RemoteGrid.Settings settings) throws CommandFailure {
    try {
      return Grid.connect(settings);
    } catch (IllegalStateException e) {
      throw new CommandFailure(
          e.getMessage()
              + "; 'orca grid status' shows the nodes of this machine, and --connect names others.",
          e);
    }
  }

  private RemoteGrid.Settings settings() throws CommandFailure {
    if (folder.isGiven() && (nodes != null || config != null)) {
      throw CommandFailure.usage(
          "--dir is for a grid of this machine, and brings its own addresses and settings; leave it"
              + " out, or leave out --connect and --config.");
    }
    try {
      if (config != null) {
        return ClientConfig.read(config, nodes);
      }
      return nodes == null ? settings(folder.get()) : RemoteGrid.Settings.of(nodes);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e.getMessage());
    } catch (IOException e) {
      throw new CommandFailure(config + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Those of a grid on this machine, whose nodes all say the same. */
  private static RemoteGrid.Settings settings(GridFolder grid) throws CommandFailure {
    List<GridNode> all = grid.requireNodes();
    GridNode first = all.get(0);
    PortSecurity security = first.settings().links().security();
    RemoteGrid.Settings usual = RemoteGrid.Settings.of(GridFolder.clients(all));
    return new RemoteGrid.Settings(
        usual.nodes(),
        first.settings().home().grid(),
        security.tls(),
        usual.connectTimeout(),
        security.secretFile());
  }
}
