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
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orca geo lag}. */
@Command(
    name = "lag",
    description = {
      "Show how far each datacenter is behind the writes of each other one.",
      "behind: partitions with entries missing; entries and age: of the one that is furthest"
          + " behind, at the replica that is; bytes: what the datacenter has not acknowledged, of"
          + " all partitions, as those who forward know it."
    })
final class GeoLag implements Callable<Integer> {
  private static final String LAG = "lag.";
  private static final Duration LIMIT = Duration.ofSeconds(3);

  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  @Option(names = "--partitions", description = "A line for each partition.")
  private boolean each;

  /** What is known of one origin's writes at one datacenter. */
  private static final class Worst {
    private long behind;
    private long entries;
    private long millis;
    private long bytes;

    private void add(long more, long older) {
      behind += more > 0 ? 1 : 0;
      entries = Math.max(entries, more);
      millis = Math.max(millis, older);
    }
  }

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GeoFolder.Node> nodes = folder.get().requireNodes();
    Map<List<String>, Worst> all = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    try (GeoProbe probe = GeoProbe.connect(nodes, LIMIT)) {
      for (GeoFolder.Node node : nodes) {
        GeoProbe.Said said = probe.ask(node.config().plan().nodes().get(node.number()));
        if (said == null) {
          spec.commandLine().getErr().println("Node " + (node.number() + 1) + " does not answer.");
          continue;
        }
        said.partitions().forEach(partition -> add(all, node.datacenter(), partition));
      }
    }
    List<String> head = new ArrayList<>(List.of("datacenter", "behind writes of"));
    head.addAll(each ? List.of("partition") : List.of("behind"));
    head.addAll(List.of("entries", "age", "bytes"));
    TextTable table = new TextTable(head);
    all.forEach(
        (key, worst) -> {
          List<String> row = new ArrayList<>(key);
          if (!each) {
            row.add(worst.behind + " partitions");
          }
          row.add(Long.toString(worst.entries));
          row.add(worst.millis + " ms");
          row.add(Long.toString(worst.bytes));
          table.add(row);
        });
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().flush();
    return 0;
  }

  private void add(Map<List<String>, Worst> all, String datacenter, Map<String, String> partition) {
    partition.forEach(
        (name, value) -> {
          if (name.startsWith(LAG) && !name.equals(LAG + datacenter)) {
            String[] lag = value.replace("ms", "").split("/");
            worst(all, datacenter, name.substring(LAG.length()), partition)
                .add(Long.parseLong(lag[0]), Long.parseLong(lag[1]));
          } else if (name.startsWith(GeoProbe.BEHIND)) {
            worst(all, name.substring(GeoProbe.BEHIND.length()), datacenter, partition).bytes +=
                GeoProbe.bytesBehind(value);
          }
        });
  }

  private Worst worst(
      Map<List<String>, Worst> all,
      String datacenter,
      String origin,
      Map<String, String> partition) {
    List<String> key = new ArrayList<>(List.of(datacenter, origin));
    key.addAll(each ? List.of(partition.get("partition")) : List.of());
    return all.computeIfAbsent(key, none -> new Worst());
  }
}
