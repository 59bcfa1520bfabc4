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

/** {@code orca geo stop}. */
@Command(
    name = "stop",
    description = {
      "Stop the store's nodes; what was written stays.",
      "It is no error if none runs."
    })
final class GeoStop implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    List<GeoFolder.Node> nodes = folder.get().requireNodes();
    StopTogether processes = new StopTogether();
    for (GeoFolder.Node each : nodes) {
      processes.add("Node " + (each.number() + 1), PidFile.in(each.folder()));
    }
    int stopped = processes.stop(this::say);
    say("Stopped " + stopped + " of " + nodes.size() + " nodes.");
    return 0;
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
