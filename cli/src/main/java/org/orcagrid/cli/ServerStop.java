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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca server stop}: SIGTERM to the recorded process, if it is verified to be ours. */
@Command(
    name = "stop",
    description = "Stop the server that runs with this zoo.cfg; no error if none does.")
final class ServerStop implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ZOO.CFG", description = "The server's configuration.")
  private Path zooCfg;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    ZooCfg cfg = ZooCfg.read(zooCfg);
    PidFile pidFile = PidFile.in(cfg.dataDir());
    Optional<ServerProcess> running = pidFile.running();
    if (running.isEmpty()) {
      DataDirLock.requireFree(cfg.dataDir());
      pidFile.delete();
      spec.commandLine().getOut().println("Not running.");
      return 0;
    }
    ServerProcess process = running.get();
    process.terminate();
    if (!process.awaitEnd(LIMIT)) {
      throw new CommandFailure(
          "The server with pid "
              + process.pid()
              + " still runs "
              + LIMIT.toSeconds()
              + " s after SIGTERM; end it with 'kill -9 "
              + process.pid()
              + "'.");
    }
    pidFile.delete();
    spec.commandLine().getOut().println("Stopped pid " + process.pid() + ".");
    return 0;
  }
}
