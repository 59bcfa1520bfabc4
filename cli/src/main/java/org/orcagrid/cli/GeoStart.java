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
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.log.RaftKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orca geo start}. */
@Command(
    name = "start",
    description = {
      "Start the nodes of a store in the background and wait until all partitions have leaders.",
      "Nodes that run already stay; the others go on with what is in their folders. Each has its"
          + " geo.cfg, log (orca.log) and process id (orca.pid) in a folder of its own."
    })
final class GeoStart implements Callable<Integer> {
  private static final long PAUSE_MILLIS = 100;

  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  @Option(
      names = "--datacenters",
      paramLabel = "D",
      defaultValue = "2",
      description = "How many datacenters (default: ${DEFAULT-VALUE}).")
  private int datacenters;

  @Option(
      names = "--replicas",
      paramLabel = "R",
      defaultValue = "3",
      description = "Nodes of each, and replicas of a partition there (default: ${DEFAULT-VALUE}).")
  private int replicas;

  @Option(
      names = "--partitions",
      paramLabel = "P",
      defaultValue = "32",
      description = "How many partitions; this never changes (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--wan",
      paramLabel = "TIME",
      defaultValue = "15ms",
      description = "Round trip between datacenters, which is simulated (default: 15ms).")
  private String wan;

  @Option(
      names = "--log",
      paramLabel = "LOG",
      defaultValue = "raft",
      description =
          "How a partition's log is replicated: raft, or ratis of the optional module geo-ratis;"
              + " this never changes (default: ${DEFAULT-VALUE}).")
  private String log;

  @Option(
      names = "--base-port",
      paramLabel = "PORT",
      defaultValue = "7500",
      description = "The nodes listen at PORT, PORT+1, ... (default: ${DEFAULT-VALUE}).")
  private int basePort;

  @Option(
      names = "--console",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The nodes serve pages and meters at PORT, PORT+1, ... (default: they do not).")
  private int console;

  @Option(
      names = "--ensemble",
      paramLabel = "HOSTS",
      defaultValue = "",
      description =
          "The ensemble that keeps what the nodes agree on: h1:2181,h2:2181 (default: their files"
              + " do).")
  private String ensemble;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait until all serve (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    GeoFolder store = folder.get();
    try {
      List<GeoFolder.Node> nodes =
          store.write(
              new GeoFolder.Wish(
                  datacenters,
                  replicas,
                  partitions,
                  basePort,
                  console,
                  ensemble,
                  wanMillis(),
                  log()));
      start(nodes);
      spec.commandLine()
          .getOut()
          .println(
              "Connect with RemoteGeo.connect(GeoSettings.of(\""
                  + nodes.get(0).config().plan().text()
                  + "\"))");
      spec.commandLine().getOut().flush();
      return 0;
    } catch (FileSystemException e) {
      throw StateFolder.failure(store.dir(), e);
    }
  }

  private String log() throws CommandFailure {
    try {
      return LogKind.named(log).name();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e.getMessage() + ".");
    }
  }

  /** Other logs than ours are optional: they are on the class path of all that is installed. */
  private static ServerProgram program(GeoFolder.Node node) {
    boolean isOurs = node.config().log().equals(RaftKind.NAME);
    ServerProgram program = ServerProgram.geoNode();
    return isOurs ? program : program.withClassPath(System.getProperty("java.class.path"));
  }

  private long wanMillis() throws CommandFailure {
    String number = wan.endsWith("ms") ? wan.substring(0, wan.length() - 2) : wan;
    try {
      long millis = Long.parseLong(number.strip());
      if (millis >= 0) {
        return millis;
      }
    } catch (NumberFormatException e) {
      throw CommandFailure.usage("--wan is a time such as 15ms, not " + wan + ".");
    }
    throw CommandFailure.usage("--wan is 0ms at least, not " + wan + ".");
  }

  private void start(List<GeoFolder.Node> nodes)
      throws CommandFailure, IOException, InterruptedException {
    List<Launched> started = new ArrayList<>();
    for (GeoFolder.Node each : nodes) {
      if (each.running().isEmpty()) {
        int port = each.config().plan().nodes().get(each.number()).port();
        if (!FreePorts.free(port)) {
          end(started);
          throw new CommandFailure(
              "Port "
                  + port
                  + " is taken by "
                  + PortOwner.describe(port)
                  + "; stop that process, or choose another --base-port.");
        }
        started.add(
            ProcessLauncher.launch(program(each), each.file(), each.folder(), Lifetime.DETACHED));
      }
    }
    try {
      await(nodes, started);
    } catch (CommandFailure | IOException | InterruptedException e) {
      end(started);
      throw e;
    }
  }

  private static void end(List<Launched> started) {
    started.forEach(each -> each.process().destroyForcibly());
  }

  private void await(List<GeoFolder.Node> nodes, List<Launched> started)
      throws CommandFailure, IOException, InterruptedException {
    Duration limit = Duration.ofSeconds(Math.min(timeoutSeconds, 30));
    Deadline deadline = Deadline.in(Duration.ofSeconds(timeoutSeconds));
    try (GeoProbe probe = GeoProbe.connect(nodes, limit)) {
      boolean serves = false;
      while (!serves) {
        for (Launched each : started) {
          if (!each.process().isAlive()) {
            throw CommandFailure.withEvidence(
                "A node has ended; its log is " + each.output().log() + ".",
                each.output().tail(each.mark()));
          }
        }
        serves = serves(nodes, probe);
        if (!serves && deadline.passed()) {
          throw new CommandFailure(
              "Not all partitions have leaders after "
                  + timeoutSeconds
                  + " s; 'orca geo status' and the nodes' logs tell more.");
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  private boolean serves(List<GeoFolder.Node> nodes, GeoProbe probe) throws InterruptedException {
    Set<String> led = new HashSet<>();
    for (GeoFolder.Node each : nodes) {
      GeoProbe.Said said = probe.ask(each.config().plan().nodes().get(each.number()));
      if (said == null || said.count("serves", "true") < said.partitions().size()) {
        return false;
      }
      for (Map<String, String> partition : said.partitions()) {
        if ("true".equals(partition.get("leads"))) {
          led.add(each.datacenter() + partition.get("partition"));
        }
      }
    }
    return led.size() == datacenters * partitions;
  }
}
