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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.orcagrid.transport.tcp.HostPort;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca geo remove}. */
@Command(
    name = "remove",
    description = {
      "Remove a datacenter that will not come back, and wait until all others agree.",
      "What they have of its writes they hand to each other. Writes that only it had are lost;"
          + " sessions that saw them are told so, once. This cannot be undone."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all nodes of the others say that it is removed",
      "1:it still runs, there is no such datacenter, or some do not say so in time"
    })
final class GeoRemove implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 200;

  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  @Parameters(paramLabel = "DATACENTER", description = "Its name.")
  private String datacenter;

  @Option(
      names = "--even-if-it-runs",
      description = "Remove it though a node of it answers; what it writes from now on is lost.")
  private boolean force;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GeoFolder.Node> nodes = folder.get().requireNodes();
    List<GeoFolder.Node> others =
        nodes.stream().filter(each -> !each.datacenter().equals(datacenter)).toList();
    if (others.size() == nodes.size() || others.isEmpty()) {
      throw new CommandFailure(
          "There is no datacenter "
              + datacenter
              + " that can be removed; there are "
              + nodes.stream().map(GeoFolder.Node::datacenter).distinct().toList()
              + ".");
    }
    try (GeoProbe probe = GeoProbe.connect(others, LIMIT)) {
      requireGone(nodes, probe);
      remove(others, probe);
    }
    Set<String> ensembles = new TreeSet<>();
    for (GeoFolder.Node each : others) {
      ensembles.add(each.ensemble());
    }
    ensembles.remove("");
    for (String each : ensembles) {
      new GeoRecords().remove(each, nodes.get(0).config().plan().name(), datacenter);
    }
    spec.commandLine().getOut().println("Datacenter " + datacenter + " is removed.");
    spec.commandLine().getOut().flush();
    return 0;
  }

  private static HostPort address(GeoFolder.Node node) {
    return node.config().plan().nodes().get(node.number());
  }

  private void requireGone(List<GeoFolder.Node> nodes, GeoProbe probe)
      throws CommandFailure, InterruptedException {
    for (GeoFolder.Node each : nodes) {
      if (each.datacenter().equals(datacenter) && !force && probe.ask(address(each)) != null) {
        throw new CommandFailure(
            "Node "
                + (each.number() + 1)
                + " of "
                + datacenter
                + " answers; stop its nodes first, so that nobody goes on to write there, or say"
                + " --even-if-it-runs.");
      }
    }
  }

  private void remove(List<GeoFolder.Node> others, GeoProbe probe)
      throws CommandFailure, InterruptedException {
    Deadline deadline = Deadline.in(Duration.ofSeconds(timeoutSeconds));
    List<String> open = new ArrayList<>();
    do {
      open.clear();
      for (GeoFolder.Node each : others) {
        probe.remove(address(each), datacenter);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      for (GeoFolder.Node each : others) {
        long left = left(probe.ask(address(each)));
        if (left != 0) {
          String what = left < 0 ? "does not answer" : "has " + left + " partitions left";
          open.add("node " + (each.number() + 1) + " " + what);
        }
      }
      if (!open.isEmpty() && deadline.passed()) {
        throw new CommandFailure(
            "Not all say after "
                + timeoutSeconds
                + " s that "
                + datacenter
                + " is removed: "
                + String.join(", ", open)
                + "; start these nodes, and run the command again.");
      }
    } while (!open.isEmpty());
  }

  private long left(GeoProbe.Said said) {
    if (said == null) {
      return -1;
    }
    long left = 0;
    for (Map<String, String> each : said.partitions()) {
      left += List.of(each.get("removed").split(",")).contains(datacenter) ? 0 : 1;
    }
    return left;
  }
}
