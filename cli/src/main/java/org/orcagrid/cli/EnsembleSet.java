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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca ensemble set}: other values in every zoo.cfg, one server after the other. */
@Command(
    name = "set",
    description = {
      "Change settings of an ensemble that runs, one server after the other, the leader last.",
      "Each server is restarted, and the next one follows once it serves and has caught up. The"
          + " first that does not gets its old values back, and the command ends there. The new"
          + " values stay when the ensemble is stopped and started again."
    })
final class EnsembleSet implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private EnsembleCommand.Folder folder;

  @Parameters(
      paramLabel = "KEY=VALUE",
      arity = "1..*",
      description = "Lines of zoo.cfg, such as orca.durability=sync; KEY= takes the line out.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long a server may take until it is healthy (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  private final List<ServerChange> done = new ArrayList<>();
  private final List<ServerChange> left = new ArrayList<>();

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    SettingsChange change = SettingsChange.of(settings);
    List<ServerChange> all = new ArrayList<>();
    for (EnsembleMember member : folder.requireMembers()) {
      all.add(new ServerChange("Server " + member.id(), member.zooCfg(), change));
    }
    check(all, change);
    for (ServerChange each : all) {
      (each.isDone() ? done : left).add(each);
    }
    if (left.isEmpty()) {
      say("All " + all.size() + " servers have " + change + "; nothing was changed.");
      return 0;
    }
    while (!left.isEmpty()) {
      ServerChange next;
      try {
        awaitServing(all);
        next = next();
        next.apply(() -> leader(all), Duration.ofSeconds(timeoutSeconds), this::say);
      } catch (CommandFailure | IOException e) {
        throw new CommandFailure(
            FailureReport.sentence(e)
                + " With the new values: "
                + names(done)
                + "; with the old ones: "
                + names(left)
                + ". Mend the cause and repeat this command, or set the old values.",
            e);
      }
      left.remove(next);
      done.add(next);
      ServerProbe probe = next.probe();
      say(next.name() + ": " + change + ", " + probe.role() + ", zxid " + probe.zxid());
    }
    return 0;
  }

  /** Looks at everything before anything is stopped. */
  private void check(List<ServerChange> all, SettingsChange change)
      throws CommandFailure, IOException {
    for (ServerChange each : all) {
      each.check(this::warn);
    }
    for (ServerChange each : all) {
      Properties changed = each.changedLines();
      for (ServerChange other : all) {
        change.requireMixable(other.lines(), changed);
      }
    }
  }

  /** A restart takes a server away: before it, all must be there. */
  private void awaitServing(List<ServerChange> all) throws CommandFailure, InterruptedException {
    Deadline deadline = Deadline.in(Duration.ofSeconds(timeoutSeconds));
    for (ServerChange each : all) {
      if (!deadline.await(() -> serves(each))) {
        throw gone(each);
      }
    }
  }

  /** Fails if it never will: nobody but the operator starts it again. */
  private static boolean serves(ServerChange server) throws CommandFailure {
    if (!server.runs()) {
      throw gone(server);
    }
    return server.probe().serving();
  }

  private static CommandFailure gone(ServerChange server) {
    return new CommandFailure(
        server.name() + " does not serve clients any more, so no other one was restarted.");
  }

  /** The leader last: with it the ensemble changes, and each earlier restart would move it. */
  private ServerChange next() {
    Optional<ServerChange> follower =
        left.stream().filter(each -> !each.probe().leads()).findFirst();
    return follower.orElseGet(() -> left.get(0));
  }

  private static ServerProbe leader(List<ServerChange> all) {
    for (ServerChange each : all) {
      ServerProbe probe = each.probe();
      if (probe.leads()) {
        return probe;
      }
    }
    return ServerProbe.parse("");
  }

  private static String names(List<ServerChange> servers) {
    return servers.isEmpty()
        ? "none"
        : servers.stream().map(ServerChange::name).collect(Collectors.joining(", "));
  }

  private void warn(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
