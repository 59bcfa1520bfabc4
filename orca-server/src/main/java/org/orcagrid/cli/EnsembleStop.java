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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code orca ensemble stop}. */
@Command(
    name = "stop",
    description = "Stop the ensemble's servers; their data stays. No error if none runs.")
final class EnsembleStop implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(6);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;
  @Mixin private EnsembleCommand.Folder folder;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<EnsembleMember> members = folder.requireMembers();
    Map<EnsembleMember, ServerProcess> running = new LinkedHashMap<>();
    for (EnsembleMember member : members) {
      PidFile.in(member.dataDir()).running().ifPresent(process -> running.put(member, process));
    }
    // All at once: one after the other would make the rest elect leaders while they stop.
    running.values().forEach(ServerProcess::terminate);
    Deadline deadline = Deadline.in(LIMIT);
    for (Map.Entry<EnsembleMember, ServerProcess> entry : running.entrySet()) {
      boolean ended = deadline.await(() -> !entry.getValue().alive());
      if (!ended) {
        kill(entry.getKey(), entry.getValue());
      }
      PidFile.in(entry.getKey().dataDir()).delete();
    }
    say("Stopped " + running.size() + " of " + members.size() + " servers.");
    return 0;
  }

  private void kill(EnsembleMember member, ServerProcess process)
      throws CommandFailure, InterruptedException {
    say("Server " + member.id() + " did not stop in time and is killed.");
    process.kill();
    if (!process.awaitEnd(KILL_LIMIT)) {
      throw new CommandFailure(
          "Server "
              + member.id()
              + " (pid "
              + process.pid()
              + ") does not end after SIGKILL; look whether its disk hangs.");
    }
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
