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
package org.orcagrid.bench.geolog;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.Orca;
import org.orcagrid.examples.ensemble.Folders;
import org.orcagrid.geo.client.GeoSettings;
import picocli.CommandLine;

/** A store of one datacenter with three nodes, each a process, as {@code orca geo start} has it. */
public final class LogStore implements AutoCloseable {
  private static final int NODES = 3;
  private static final int SECONDS_MAX = 180;

  private final String log;
  private final Path folder;
  private final int basePort;

  private LogStore(String log, Path folder, int basePort) {
    this.log = log;
    this.folder = folder;
    this.basePort = basePort;
  }

  /**
   * Starts one, and waits until all partitions have leaders.
   *
   * @param folder which is made, and removed in the end
   */
  public static LogStore start(String log, Path folder, int basePort, int partitions)
      throws CommandFailure, IOException {
    if (Files.exists(folder)) {
      throw new CommandFailure(folder + " is there already; remove it, or choose another --dir.");
    }
    LogStore store = new LogStore(log, folder, basePort);
    store.orca(
        "start",
        "--log",
        log,
        "--datacenters",
        "1",
        "--replicas",
        Integer.toString(NODES),
        "--partitions",
        Integer.toString(partitions),
        "--base-port",
        Integer.toString(basePort),
        "--wan",
        "0ms",
        "--timeout",
        Integer.toString(SECONDS_MAX));
    return store;
  }

  private void orca(String command, String... options) throws CommandFailure {
    List<String> words = new ArrayList<>(List.of("geo", command));
    words.addAll(List.of(options));
    words.addAll(List.of("--dir", folder.toString()));
    StringWriter said = new StringWriter();
    CommandLine orca = Orca.commandLine();
    orca.setOut(new PrintWriter(Writer.nullWriter())).setErr(new PrintWriter(said, true));
    if (orca.execute(words.toArray(String[]::new)) != 0) {
      throw new CommandFailure("The store on " + log + " did not " + command + ": " + said);
    }
  }

  /** Which log it has. */
  public String log() {
    return log;
  }

  GeoSettings settings() {
    List<String> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add("127.0.0.1:" + (basePort + i));
    }
    return GeoSettings.of("west=" + String.join(",", nodes)).timeout(Duration.ofSeconds(20));
  }

  /** What its nodes have used of the processors since they were started. */
  Duration processorTime() throws IOException {
    Duration all = Duration.ZERO;
    for (int i = 1; i <= NODES; i++) {
      Path file = folder.resolve("node-" + i).resolve("orca.pid");
      long pid = Long.parseLong(Files.readAllLines(file).get(0));
      all =
          all.plus(
              ProcessHandle.of(pid)
                  .flatMap(each -> each.info().totalCpuDuration())
                  .orElseThrow(() -> new IOException("Node " + pid + " does not run any more")));
    }
    return all;
  }

  @Override
  public void close() throws CommandFailure, IOException {
    orca("stop");
    Folders.delete(folder);
  }
}
