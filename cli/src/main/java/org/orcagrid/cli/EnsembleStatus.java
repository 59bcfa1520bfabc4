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

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code orca ensemble status}. */
@Command(
    name = "status",
    description = "Show the ensemble's servers and their roles.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all servers serve",
      "1:none runs",
      "2:wrong usage",
      "3:some run, but not all serve"
    })
final class EnsembleStatus implements Callable<Integer> {
  private static final int NONE_RUNS = 1;
  private static final int NOT_ALL_SERVE = 3;

  @Spec private CommandSpec spec;
  @Mixin private EnsembleCommand.Folder folder;

  @Override
  public Integer call() throws CommandFailure {
    List<EnsembleMember> members = folder.requireMembers();
    EnsembleTable table = new EnsembleTable();
    int running = 0;
    int serving = 0;
    for (EnsembleMember member : members) {
      if (PidFile.in(member.dataDir()).running().isEmpty()) {
        table.add(member, "not running");
        continue;
      }
      running++;
      ServerProbe probe = ServerProbe.of(member.clientAddress());
      serving += probe.serving() ? 1 : 0;
      table.add(member, role(probe));
    }
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().flush();
    if (running == 0) {
      return NONE_RUNS;
    }
    return serving == members.size() ? 0 : NOT_ALL_SERVE;
  }

  private static String role(ServerProbe probe) {
    return switch (probe.answer()) {
      case NONE -> "not answering";
      case NOT_SERVING -> probe.readOnly() ? probe.role() : "not serving";
      case SILENT -> "not told";
      case SERVING -> probe.role();
    };
  }
}
