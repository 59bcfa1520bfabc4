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
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.StoreRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca geo publish}. */
@Command(
    name = "publish",
    description = {
      "Write what all nodes of a store agree on into an ensemble, once for each ensemble.",
      "Nodes whose geo.cfg has geo.ensemble read it there."
    })
final class GeoPublish implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "GEO.CFG", description = "A configuration with geo.datacenters.")
  private Path file;

  @Option(
      names = "--ensemble",
      required = true,
      paramLabel = "HOSTS",
      description = "Where the servers listen for clients: h1:2181,h2:2181.")
  private String ensemble;

  @Override
  public Integer call() throws CommandFailure {
    try {
      GeoConfig config = GeoConfig.read(file);
      new GeoRecords().create(ensemble, config.plan().name(), StoreRecord.of(config.plan()));
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage() + ".", e);
    }
    spec.commandLine().getOut().println("The ensemble " + ensemble + " has the store's record.");
    spec.commandLine().getOut().flush();
    return 0;
  }
}
