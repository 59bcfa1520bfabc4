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
package org.orcagrid.bench.compare;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A master of Redis and its replicas, with defaults but for durability, which is off. */
public final class RedisServers {
  /** How to get it. */
  public static final String HOW_TO_INSTALL =
      "redis-server is not on the PATH, so that Redis is left out; install it, for instance with"
          + " 'apt-get install redis-server', to have it measured.";

  private static final String PROGRAM = "redis-server";
  private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private RedisServers() {}

  /** Returns where the program is; empty if it is not installed. */
  public static Optional<Path> program() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, PROGRAM))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts them, and returns when they accept connections.
   *
   * @param ports of the master, and of the replicas
   */
  static List<Process> start(List<Integer> ports, Path home, ProcessReaper reaper)
      throws IOException, InterruptedException {
    Path program = program().orElseThrow(() -> new IOException(HOW_TO_INSTALL));
    List<Process> servers = new ArrayList<>();
    for (int port : ports) {
      Path folder = Files.createDirectories(home.resolve("redis-server-" + servers.size()));
      List<String> command = new ArrayList<>();
      command.add(program.toString());
      command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
      command.addAll(List.of("--save", "", "--appendonly", "no", "--dir", folder.toString()));
      if (!servers.isEmpty()) {
        command.addAll(List.of("--replicaof", "127.0.0.1 " + ports.get(0)));
      }
      servers.add(
          reaper.watch(
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(folder.resolve("log").toFile())
                  .start()));
    }
    for (int server = 0; server < ports.size(); server++) {
      await(servers.get(server), ports.get(server));
    }
    return servers;
  }

  private static void await(Process server, int port) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_NANOS_MAX;
    while (!accepts(port)) {
      if (!server.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IOException("redis-server does not start at port " + port + ".");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      // Not yet, which is the answer.
      return false;
    }
  }
}
