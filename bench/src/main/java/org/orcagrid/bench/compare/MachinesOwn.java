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
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;

/** Products whose servers are programs of the machine. */
public enum MachinesOwn {
  /** A master and its replicas, with defaults but for durability, which is off. */
  REDIS(Product.REDIS, "redis-server") {
    @Override
    List<String> arguments(Servers all, int server) {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("--port", Integer.toString(all.ports().get(server))));
      arguments.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
      arguments.addAll(List.of("--dir", all.folder(server).toString()));
      if (server > 0) {
        arguments.addAll(List.of("--replicaof", "127.0.0.1 " + all.ports().get(0)));
      }
      return arguments;
    }
  },
  /** Three members with defaults, which force their logs. */
  ETCD(Product.ETCD, "etcd") {
    @Override
    List<String> arguments(Servers all, int server) {
      StringJoiner cluster = new StringJoiner(",");
      for (int each = 0; each < all.ports().size(); each++) {
        cluster.add("s" + each + "=" + url(all.beside().get(each)));
      }
      String clients = url(all.ports().get(server));
      String peers = url(all.beside().get(server));
      return List.of(
          "--name=s" + server,
          "--data-dir=" + all.folder(server).resolve("data"),
          "--listen-client-urls=" + clients,
          "--advertise-client-urls=" + clients,
          "--listen-peer-urls=" + peers,
          "--initial-advertise-peer-urls=" + peers,
          "--initial-cluster=" + cluster,
          "--logger=zap");
    }
  };

  private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final Product product;
  private final String program;

  MachinesOwn(Product product, String program) {
    this.product = product;
    this.program = program;
  }

  /**
   * What is started.
   *
   * @param ports where clients connect
   * @param beside another one for each
   * @param home each has a folder in it
   */
  record Servers(String program, List<Integer> ports, List<Integer> beside, Path home) {
    Path folder(int server) {
      return home.resolve(program + "-" + server);
    }
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }

  /** The arguments of a server's program. */
  abstract List<String> arguments(Servers all, int server);

  /** Whose servers these are. */
  public Product product() {
    return product;
  }

  /** How to get it. */
  public String howToInstall() {
    return program
        + " is not on the PATH, so that it is left out; install it, for instance with 'apt-get"
        + " install "
        + (program.endsWith("-server") ? program : program + "-server")
        + "', to have it measured.";
  }

  /** Returns where the program is; empty if it is not installed. */
  public Optional<Path> program() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Those of a product; empty if it has none. */
  static Optional<MachinesOwn> of(Product product) {
    return Arrays.stream(values()).filter(each -> each.product == product).findFirst();
  }

  /** Starts one for each port, and returns when they accept connections. */
  List<Process> start(List<Integer> ports, Path home, ProcessReaper reaper)
      throws IOException, InterruptedException {
    Path found = program().orElseThrow(() -> new IOException(howToInstall()));
    Servers all = new Servers(program, ports, free(ports.size()), home);
    List<Process> servers = new ArrayList<>();
    for (int server = 0; server < ports.size(); server++) {
      Path folder = Files.createDirectories(all.folder(server));
      List<String> command = new ArrayList<>(List.of(found.toString()));
      command.addAll(arguments(all, server));
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

  private static List<Integer> free(int count) throws IOException {
    try {
      return FreePorts.find(count, new Random());
    } catch (CommandFailure e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void await(Process server, int port) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_NANOS_MAX;
    while (!accepts(port)) {
      if (!server.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IOException(program + " does not start at port " + port + ".");
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
