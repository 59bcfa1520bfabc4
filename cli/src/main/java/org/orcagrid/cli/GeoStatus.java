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

/** {@code orca geo status}. */
@Command(
    name = "status",
    description = {
      "Show the store's nodes: how many partitions each has, leads and serves.",
      "waiting: requests that wait for writes to come; missed: those whose time was over before;"
          + " gaps: how often writes came before those that precede them; from ...: how far the"
          + " partition that is furthest behind is behind a datacenter, in entries of its log, and"
          + " how old that makes it."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all nodes serve",
      "1:none runs",
      "2:wrong usage",
      "3:some run, but not all serve"
    })
final class GeoStatus implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int NONE_RUNS = 1;
  private static final int NOT_ALL_SERVE = 3;
  private static final List<String> COUNTS =
      List.of("keys", "deletions", "waiting", "missed", "gaps");

  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GeoFolder.Node> nodes = folder.get().requireNodes();
    List<String> datacenters =
        nodes.get(0).config().plan().datacenters().stream().map(each -> each.name()).toList();
    List<String> head =
        new ArrayList<>(List.of("node", "datacenter", "pid", "address", "serves", "leads"));
    head.addAll(COUNTS);
    datacenters.forEach(each -> head.add("from " + each));
    TextTable table = new TextTable(head);
    int running = 0;
    for (GeoFolder.Node each : nodes) {
      running += each.running().isPresent() ? 1 : 0;
    }
    int serving = running == 0 ? tell(nodes, table) : ask(nodes, datacenters, table);
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().flush();
    if (running == 0) {
      return NONE_RUNS;
    }
    return serving == nodes.size() ? 0 : NOT_ALL_SERVE;
  }

  private static int tell(List<GeoFolder.Node> nodes, TextTable table) {
    int columns = 6 + COUNTS.size() + nodes.get(0).config().plan().datacenters().size();
    nodes.forEach(each -> table.add(row(each, "-", null, columns)));
    return 0;
  }

  private static List<String> row(GeoFolder.Node node, String pid, List<String> said, int columns) {
    List<String> row =
        new ArrayList<>(
            List.of(
                Integer.toString(node.number() + 1),
                node.datacenter(),
                pid,
                node.config().plan().nodes().get(node.number()).toString()));
    if (said != null) {
      row.addAll(said);
    }
    while (row.size() < columns) {
      row.add("-");
    }
    return row;
  }

  private int ask(List<GeoFolder.Node> nodes, List<String> datacenters, TextTable table)
      throws CommandFailure, InterruptedException {
    int columns = 6 + COUNTS.size() + datacenters.size();
    int serving = 0;
    try (GeoProbe probe = GeoProbe.connect(nodes, LIMIT)) {
      for (GeoFolder.Node each : nodes) {
        Optional<ServerProcess> process = each.running();
        GeoProbe.Said said =
            process.isEmpty() ? null : probe.ask(each.config().plan().nodes().get(each.number()));
        String pid = process.map(one -> Long.toString(one.pid())).orElse("-");
        table.add(row(each, pid, said == null ? null : cells(said, datacenters), columns));
        boolean serves = said != null && said.count("serves", "true") == said.partitions().size();
        serving += serves ? 1 : 0;
      }
    }
    return serving;
  }

  private static List<String> cells(GeoProbe.Said said, List<String> datacenters) {
    List<String> cells = new ArrayList<>();
    cells.add(said.count("serves", "true") + " of " + said.partitions().size());
    cells.add(Long.toString(said.count("leads", "true")));
    COUNTS.forEach(name -> cells.add(Long.toString(said.sum(name))));
    for (String each : datacenters) {
      List<Long> lag = said.lag(each);
      cells.add(lag.get(0) + ", " + lag.get(1) + " ms");
    }
    return cells;
  }
}
