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
import java.net.BindException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.OrcaConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code orca server run}: the server in this process, until a signal ends it. */
@Command(
    name = "run",
    description = {
      "Run one server in the foreground, its log on standard output.",
      "JVM flags come from the environment variable ORCA_JVM_FLAGS. SIGTERM and SIGINT stop it"
          + " within 5 seconds, with exit status 0."
    })
final class ServerRun implements Callable<Integer> {
  @Parameters(paramLabel = "ZOO.CFG", description = "The server's configuration.")
  private Path zooCfg;

  /** For the command line, which sets the rest. */
  ServerRun() {}

  /** The command with its one parameter. */
  ServerRun(Path zooCfg) {
    this.zooCfg = zooCfg;
  }

  @Override
  public Integer call()
      throws CommandFailure, OrcaConfigException, IOException, InterruptedException {
    ZooCfg cfg = ZooCfg.read(zooCfg);
    cfg.requireDataDir();
    cfg.requireNumbers();
    // A refusal is a sentence and no more: whatever can be refused is before the first log line.
    try (QuietLog quiet = new QuietLog()) {
      TlsCheck.require(cfg);
      requireConsoleFree(cfg, OrcaServerConfig.fromZooCfg(cfg.file()));
    }
    try (DataDirLock lock = DataDirLock.acquire(cfg.dataDir(), cfg.dataLogDir())) {
      PortCheck.requireFree(cfg);
      OrcaServerConfig config = OrcaServerConfig.fromZooCfg(cfg.file());
      PidFile pidFile = PidFile.in(cfg.dataDir());
      StopOnSignal stop = StopOnSignal.arm(pidFile, lock);
      pidFile.write(ProcessHandle.current());
      try (OrcaServer server = start(cfg, config)) {
        stop.stopFirst(server);
        Logger log = LoggerFactory.getLogger(ServerRun.class);
        log.info("Started with {}; clients connect to {}", cfg.file(), server.connectString());
        ServiceManager.ready();
        server.join();
        stop.disarm();
      } finally {
        stop.disarm();
        pidFile.delete();
      }
    }
    throw new CommandFailure("The server has stopped by itself; its log says why.");
  }

  private static void requireConsoleFree(ZooCfg cfg, OrcaServerConfig config)
      throws CommandFailure {
    if (config.settings().console() != null) {
      PortCheck.requireFree(cfg, "orca.consolePort", config.settings().console());
    }
  }

  private static OrcaServer start(ZooCfg cfg, OrcaServerConfig config)
      throws OrcaConfigException, CommandFailure {
    try {
      return OrcaServer.start(config);
    } catch (BindException e) {
      // Taken in the moment since the check.
      if (PortCheck.isTaken(e) && config.clientAddress() != null) {
        throw PortCheck.taken(cfg, "clientPort", config.clientAddress().getPort(), e);
      }
      throw cannotStart(e);
    } catch (IOException e) {
      throw cannotStart(e);
    }
  }

  private static CommandFailure cannotStart(IOException e) {
    return new CommandFailure("The server cannot start: " + e.getMessage(), e);
  }
}
