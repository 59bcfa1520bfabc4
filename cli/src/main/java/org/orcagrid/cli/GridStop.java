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
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code orca grid stop}. */
@Command(
    name = "stop",
    description = {
      "Stop the grid's nodes; what was in memory is gone, and maps stay.",
      "It is no error if none runs."
    })
final class GridStop implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private GridCommand.Folder folder;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GridNode> nodes = folder.get().requireNodes();
    StopTogether processes = new StopTogether();
    for (GridNode node : nodes) {
      processes.add("Node " + node.number(), PidFile.in(node.folder()));
    }
    int stopped = processes.stop(this::say);
    for (GridNode node : nodes) {
      node.requireEnded(folder.get().dir());
    }
    say("Stopped " + stopped + " of " + nodes.size() + " nodes.");
    return 0;
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
