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
package org.orcagrid.bench.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts every server as a JVM of its own, from the class path of this one. */
public final class ProcessLauncher implements SystemLauncher {
  private static final List<String> STOCK_PROGRAM =
      List.of("org.apache.zookeeper.server.quorum.QuorumPeerMain");
  private static final List<String> ORCA_PROGRAM =
      List.of("org.orcagrid.cli.Orca", "server", "run");
  private static final String HEAP = "-Xmx512m";

  private final Path directory;

  /**
   * Makes a launcher.
   *
   * @param directory where the servers' data goes while they run; it must be on the disk that is to
   *     be measured, and is created if missing
   */
  public ProcessLauncher(Path directory) {
    this.directory = directory.toAbsolutePath();
  }

  @Override
  public SystemUnderTest launch(SystemSpec spec, int servers, double fsyncDelayMs)
      throws IOException {
    if (fsyncDelayMs > 0 && !spec.canDelayFsync()) {
      throw new IllegalArgumentException(
          "An added fsync delay is not available for " + spec.id() + "; run it with delay 0.");
    }
    Files.createDirectories(directory);
    Path home = Files.createTempDirectory(directory, spec.id() + "-");
    List<ServerFiles.Ports> ports = ports(servers);
    List<ServerProcess> processes = new ArrayList<>();
    try {
      for (int i = 0; i < servers; i++) {
        Path serverHome = Files.createDirectories(home.resolve("server" + (i + 1)));
        Path configuration = ServerFiles.write(serverHome, i, ports, spec.settings());
        processes.add(
            ServerProcess.start(
                command(spec, serverHome, configuration, fsyncDelayMs),
                serverHome.resolve("server.log")));
      }
    } catch (IOException e) {
      processes.forEach(ServerProcess::close);
      throw e;
    }
    List<ServerAddress> addresses =
        ports.stream().map(p -> new ServerAddress("127.0.0.1", p.client())).toList();
    return new ProcessEnsemble(spec, home, addresses, processes);
  }

  private static List<String> command(
      SystemSpec spec, Path serverHome, Path configuration, double fsyncDelayMs) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(HEAP);
    command.add("-Dlogback.configurationFile=" + serverHome.resolve("logback.xml"));
    if (fsyncDelayMs > 0) {
      command.add("-Dorca.test.fsyncDelayMs=" + fsyncDelayMs);
    }
    command.add("-cp");
    command.add(
        switch (spec.server()) {
          case ORCA -> ServerClassPath.whole();
          case STOCK -> ServerClassPath.withoutOurs();
        });
    command.addAll(
        switch (spec.server()) {
          case ORCA -> ORCA_PROGRAM;
          case STOCK -> STOCK_PROGRAM;
        });
    command.add(configuration.toString());
    return command;
  }

  private static List<ServerFiles.Ports> ports(int servers) throws IOException {
    List<Integer> free = FreePorts.take(3 * servers);
    List<ServerFiles.Ports> ports = new ArrayList<>();
    for (int i = 0; i < free.size(); i += 3) {
      ports.add(new ServerFiles.Ports(free.get(i), free.get(i + 1), free.get(i + 2)));
    }
    return ports;
  }
}
