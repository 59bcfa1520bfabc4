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
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import org.orcagrid.cli.ServerProbe.Answer;
import org.orcagrid.server.settings.KeyWarnings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca server start}: the server in a process of its own. */
@Command(
    name = "start",
    description = {
      "Start one server in the background and wait until it answers at every client port.",
      "Its log is orca.log, its process id orca.pid in the data folder. One server of several is"
          + " started when it is up; it serves once a quorum of them is."
    })
final class ServerStart implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ZOO.CFG", description = "The server's configuration.")
  private Path zooCfg;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long to wait for its answer (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    ZooCfg cfg = ZooCfg.read(zooCfg);
    InetSocketAddress client = cfg.anyClientAddress();
    cfg.requireDataDir();
    Optional<ServerProcess> running = PidFile.in(cfg.dataDir()).running();
    if (running.isPresent()) {
      throw new CommandFailure(
          "The server of "
              + cfg.file()
              + " is running already with pid "
              + running.get().pid()
              + "; stop it first with 'orca server stop'.");
    }
    for (String warning : KeyWarnings.of(cfg.file())) {
      spec.commandLine().getErr().println("Warning: " + warning);
    }
    // Before the launch, since another server at this port would answer in our server's place.
    PortCheck.requireFree(cfg);
    Launched launched =
        ProcessLauncher.launch(ServerProgram.orca(), cfg.file(), cfg.dataDir(), Lifetime.DETACHED);
    ServerProbe probe = awaitAnswer(cfg, launched, client);
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "Started with pid "
            + launched.process().pid()
            + (probe.answer() == Answer.NOT_SERVING
                ? "; it serves clients at "
                    + Addresses.text(Addresses.reachable(client))
                    + " once a quorum of its "
                    + cfg.servers()
                    + " servers is up"
                : "; clients connect to " + Addresses.text(Addresses.reachable(client))));
    out.println("Log: " + launched.output().log());
    return 0;
  }

  /** A port that is open and yet completes no handshake is of no use to a client. */
  private static void awaitTls(ZooCfg cfg, StartWait wait, Duration limit)
      throws CommandFailure, IOException, InterruptedException {
    if (cfg.secureClient().isEmpty()) {
      return;
    }
    InetSocketAddress secure = cfg.secureClient().get();
    AtomicReference<TlsProbe> last = new AtomicReference<>();
    wait.await(
        limit,
        () -> {
          last.set(TlsProbe.of(secure));
          return last.get().listening();
        });
    Optional<String> objection = last.get().objection();
    if (objection.isPresent()) {
      throw new CommandFailure(
          "The server of "
              + cfg.file()
              + " listens on "
              + Addresses.text(Addresses.reachable(secure))
              + " (secureClientPort), but no TLS handshake can be had ("
              + objection.get()
              + "); it still runs, and its log may say why: "
              + wait.launched().output().log()
              + ".");
    }
  }

  private ServerProbe awaitAnswer(ZooCfg cfg, Launched launched, InetSocketAddress client)
      throws CommandFailure, IOException, InterruptedException {
    StartWait wait = new StartWait(launched, "the server of " + cfg.file());
    Duration limit = Duration.ofSeconds(timeoutSeconds);
    if (cfg.client().isEmpty()) {
      awaitTls(cfg, wait, limit);
      return ServerProbe.parse("");
    }
    // A lone server that is up but not serving is still loading; one of several may wait for long.
    wait.await(
        limit,
        () -> {
          Answer answer = ServerProbe.of(client).answer();
          return answer != Answer.NONE && (answer != Answer.NOT_SERVING || cfg.servers() > 1);
        });
    awaitTls(cfg, wait, limit);
    return ServerProbe.of(client);
  }
}
