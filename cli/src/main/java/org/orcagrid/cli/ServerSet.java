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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca server set}: the same step for one server, whose ensemble is on other machines. */
@Command(
    name = "set",
    description = {
      "Change settings of a server that runs in the background: it is restarted, and gets its old"
          + " values back if it does not serve then.",
      "For an ensemble: one server after the other, the one that leads last."
    })
final class ServerSet implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "ZOO.CFG", description = "The server's configuration.")
  private Path zooCfg;

  @Parameters(
      index = "1..*",
      paramLabel = "KEY=VALUE",
      arity = "1..*",
      description = "Lines of zoo.cfg, such as orca.durability=sync; KEY= takes the line out.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long it may take until it is healthy (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    SettingsChange change = SettingsChange.of(settings);
    ServerChange server = new ServerChange("The server of " + zooCfg, zooCfg, change);
    server.check(
        warning -> {
          spec.commandLine().getErr().println(warning);
          spec.commandLine().getErr().flush();
        });
    if (server.isDone()) {
      say(server.name() + " has " + change + "; nothing was changed.");
      return 0;
    }
    // What the other servers have is not known here: they are taken to have what this one has.
    change.requireMixable(server.lines(), server.changedLines());
    // It follows once it serves: how far its leader is, on another machine, is not asked.
    server.apply(server::probe, Duration.ofSeconds(timeoutSeconds), this::say);
    ServerProbe probe = server.probe();
    say(server.name() + ": " + change + ", " + probe.role() + ", zxid " + probe.zxid());
    return 0;
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
