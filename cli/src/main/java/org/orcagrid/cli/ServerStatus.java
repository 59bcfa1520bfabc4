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

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.orcagrid.cli.ServerProbe.Answer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca server status}: what the server of a zoo.cfg says of itself. */
@Command(
    name = "status",
    description = "Show the role, the last transaction and the connections of a server.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:running",
      "1:not running",
      "2:wrong usage",
      "3:running, but it serves no client at the moment"
    })
final class ServerStatus implements Callable<Integer> {
  private static final int RUNNING = 0;
  private static final int NOT_RUNNING = 1;
  private static final int NOT_ANSWERING = 3;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ZOO.CFG", description = "The server's configuration.")
  private Path zooCfg;

  @Override
  public Integer call() throws CommandFailure {
    ZooCfg cfg = ZooCfg.read(zooCfg);
    InetSocketAddress client = cfg.anyClientAddress();
    Optional<ServerProcess> process = PidFile.in(cfg.dataDir()).running();
    if (process.isEmpty()) {
      say("Not running: no live process in " + PidFile.in(cfg.dataDir()).file() + ".");
      if (StartWait.accepts(client)) {
        say(
            "Port "
                + client.getPort()
                + " is served by "
                + PortOwner.describe(client.getPort())
                + ".");
      }
      return NOT_RUNNING;
    }
    say("pid: " + process.get().pid());
    say("clients: " + Addresses.text(Addresses.reachable(client)));
    if (cfg.client().isEmpty()) {
      boolean up = StartWait.accepts(client);
      say(up ? "role: not told over TLS" : "Running, but nobody accepts connections.");
      return up ? RUNNING : NOT_ANSWERING;
    }
    return report(ServerProbe.of(client));
  }

  private int report(ServerProbe probe) {
    if (probe.answer() == Answer.NONE) {
      say("Running, but it does not answer; look at its log or resume it if it is paused.");
      return NOT_ANSWERING;
    }
    if (probe.readOnly()) {
      say(
          "Running, but read-only: it waits for a quorum of its ensemble, and serves only clients"
              + " that asked for reads without one.");
      return NOT_ANSWERING;
    }
    if (probe.answer() == Answer.NOT_SERVING) {
      say("Running, but serving no client: it waits for a quorum of its ensemble.");
      return NOT_ANSWERING;
    }
    if (probe.answer() == Answer.SILENT) {
      say("role: not told; add srvr to 4lw.commands.whitelist.");
      return RUNNING;
    }
    say("role: " + probe.role());
    say("zxid: " + probe.zxid());
    say("connections: " + probe.connections());
    return RUNNING;
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
