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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code orca grid status}. */
@Command(
    name = "status",
    description = {
      "Show the grid's nodes, whether they serve, its maps, and who votes in its ensemble.",
      "place: in the grid; view: that the node is in; lease: what is left of it; clients and"
          + " sessions (on Kite's keys) at the node; slow: releases that went on without all nodes"
          + " / how often the node had missed one."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all nodes serve",
      "1:none runs",
      "2:wrong usage",
      "3:some run, but not all serve"
    })
final class GridStatus implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int NONE_RUNS = 1;
  private static final int NOT_ALL_SERVE = 3;

  @Spec private CommandSpec spec;
  @Mixin private GridCommand.Folder folder;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GridNode> nodes = folder.get().requireNodes();
    GridReport report = GridReport.of(nodes);
    List<String> head = new ArrayList<>(List.of("node", "pid", "address"));
    head.addAll(GridReport.HEAD);
    head.add("state");
    TextTable table = new TextTable(head);
    int running = 0;
    int serving = 0;
    try (GridProbe probe = new GridProbe()) {
      for (GridNode node : nodes) {
        String state = "not running";
        Optional<ServerProcess> process = node.running();
        if (process.isPresent()) {
          running++;
          String objection = probe.objection(node.settings(), LIMIT);
          serving += objection == null ? 1 : 0;
          state = objection == null ? "serves" : objection;
        }
        List<String> row =
            new ArrayList<>(
                List.of(
                    Integer.toString(node.number()),
                    process.map(each -> Long.toString(each.pid())).orElse("-"),
                    node.settings().home().address().toString()));
        row.addAll(report.cells(node));
        row.add(state);
        table.add(row);
      }
    }
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().print(report.maps());
    if (running > 0) {
      spec.commandLine().getOut().println("\n" + ensemble());
    }
    spec.commandLine().getOut().flush();
    if (running == 0) {
      return NONE_RUNS;
    }
    return serving == nodes.size() ? 0 : NOT_ALL_SERVE;
  }

  private String ensemble() throws CommandFailure, IOException, InterruptedException {
    String servers = folder.get().ensembleWithout(-1);
    try (EnsembleVotes votes =
        EnsembleVotes.connect(servers, Optional.empty(), Deadline.in(LIMIT))) {
      return EnsembleVotes.describe(votes.now());
    } catch (CommandFailure e) {
      return e.getMessage();
    }
  }
}
