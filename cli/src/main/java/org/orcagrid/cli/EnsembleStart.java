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

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca ensemble start}. */
@Command(
    name = "start",
    description = {
      "Start N servers in the background and wait until they have a leader and all serve.",
      "Each has its zoo.cfg, data, log (orca.log) and process id (orca.pid) in a folder of its own."
          + " An ensemble that was stopped goes on with its data and with the lines of each"
          + " zoo.cfg, --set and --console laid over them; AdminServer is on with --admin only. If"
          + " some servers run already, those that do not are started again."
    })
final class EnsembleStart implements Callable<Integer> {
  private static final String CONSOLE_PORT = "orca.consolePort";
  private static final int PORT_MAX = 65_535;

  @Spec private CommandSpec spec;
  @Mixin private EnsembleCommand.Folder folder;

  @Parameters(paramLabel = "N", description = "How many servers, 1 to 99.")
  private int servers;

  @Option(
      names = "--base-port",
      paramLabel = "PORT",
      description = {
        "Client ports are PORT, PORT+1, ...; the quorum's, the elections' and AdminServer's are"
            + " 100, 200 and 300 above. Without it free ports are chosen."
      })
  private int basePort;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "A line for every zoo.cfg, such as orca.durability=sync; KEY= takes it out. May be"
              + " repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--admin", description = "Switch AdminServer on (it is off otherwise).")
  private boolean admin;

  @Option(
      names = "--console",
      paramLabel = "PORT",
      description = "Serve a web console for each server, at PORT, PORT+1, ... (off otherwise).")
  private int consolePort;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait until all serve (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    if (servers < 1 || servers > EnsembleSpec.SERVERS_MAX) {
      throw CommandFailure.usage(
          "An ensemble has 1 to " + EnsembleSpec.SERVERS_MAX + " servers, not " + servers + ".");
    }
    Deadline deadline = Deadline.in(Duration.ofSeconds(timeoutSeconds));
    EnsembleSpec ensembleSpec =
        new EnsembleSpec(
            servers,
            folder.path(),
            basePort,
            admin,
            settings,
            consoles(),
            ServerProgram.orca(),
            PeerRoutes.DIRECT,
            Set.of());
    Optional<EnsembleResume> running = EnsembleResume.of(ensembleSpec);
    if (running.isPresent()) {
      EnsembleResume resumed = running.get();
      resumed.requireSame();
      resumed.start(Duration.ofSeconds(timeoutSeconds), this::say);
      print(resumed.members());
      return 0;
    }
    Set<String> kept = EnsembleFiles.kept(ensembleSpec);
    if (!kept.isEmpty()) {
      say("Kept from before, in zoo.cfg: " + String.join(", ", kept) + " (--set changes them).");
    }
    EnsembleSpec all = EnsembleFiles.goingOn(ensembleSpec);
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(all, Lifetime.DETACHED)) {
      ensemble.awaitServing(Duration.ofSeconds(timeoutSeconds));
      for (EnsembleMember member : ensemble.members()) {
        EnsembleResume.awaitTls(member, deadline);
      }
      print(ensemble.members());
      ensemble.detach();
    } catch (FileSystemException e) {
      throw StateFolder.failure(folder.path(), e);
    }
    return 0;
  }

  private void print(List<EnsembleMember> members) throws CommandFailure {
    EnsembleTable table = new EnsembleTable();
    for (EnsembleMember member : members) {
      table.add(member, ServerProbe.of(member.clientAddress()).role());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(table);
    out.flush();
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  private Map<Integer, Map<String, String>> consoles() throws CommandFailure {
    Map<Integer, Map<String, String>> consoles = new TreeMap<>();
    if (consolePort == 0) {
      return consoles;
    }
    if (consolePort < 1 || consolePort > PORT_MAX - servers) {
      throw CommandFailure.usage(
          "The consoles' first port must be 1 to " + (PORT_MAX - servers) + ", not " + consolePort);
    }
    for (int id = 1; id <= servers; id++) {
      consoles.put(id, Map.of(CONSOLE_PORT, Integer.toString(consolePort + id - 1)));
    }
    return consoles;
  }
}
