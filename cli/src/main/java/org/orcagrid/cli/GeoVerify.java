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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code orca geo verify}. */
@Command(
    name = "verify",
    description = {
      "Compare a digest of each partition at all nodes.",
      "They are the same when nobody writes and all has been forwarded."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:all replicas are the same", "1:some differ, or do not answer"})
final class GeoVerify implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(3);

  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GeoFolder.Node> nodes = folder.get().requireNodes();
    Map<String, Map<Integer, String>> digests = new TreeMap<>();
    long keys = 0;
    try (GeoProbe probe = GeoProbe.connect(nodes, LIMIT)) {
      for (GeoFolder.Node each : nodes) {
        GeoProbe.Said said = probe.ask(each.config().plan().nodes().get(each.number()), true);
        if (said == null) {
          throw new CommandFailure("Node " + (each.number() + 1) + " does not answer.");
        }
        keys = Math.max(keys, said.sum("keys"));
        for (Map<String, String> partition : said.partitions()) {
          digests
              .computeIfAbsent(partition.get("partition"), none -> new TreeMap<>())
              .put(each.number() + 1, partition.get("digest"));
        }
      }
    }
    int differ = 0;
    for (Map.Entry<String, Map<Integer, String>> each : digests.entrySet()) {
      if (each.getValue().values().stream().distinct().count() > 1) {
        differ++;
        say("Partition " + each.getKey() + " differs: " + each.getValue());
      }
    }
    if (differ > 0) {
      throw new CommandFailure(
          differ + " of " + digests.size() + " partitions differ between nodes.");
    }
    say(
        "All replicas of "
            + digests.size()
            + " partitions at "
            + nodes.size()
            + " nodes are the same; "
            + keys
            + " keys at a node at most.");
    return 0;
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
