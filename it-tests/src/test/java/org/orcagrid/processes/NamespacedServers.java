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
package org.orcagrid.processes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.ZooKeeper;
import org.orcagrid.cli.ServerProbe;

/** Server processes of ours, each in a network namespace of its own. Closing it ends them. */
final class NamespacedServers implements Servers, AutoCloseable {
  private static final int CLIENT_PORT = 2181;
  private static final int QUORUM_PORT = 2888;
  private static final int ELECTION_PORT = 3888;
  private static final long END_SECONDS = 20;
  private static final int LINES = 60;

  private final Namespaces namespaces;
  private final Path dir;
  private final int count;
  private final Map<Integer, Process> processes = new TreeMap<>();

  private NamespacedServers(Namespaces namespaces, Path dir, int count) {
    this.namespaces = namespaces;
    this.dir = dir;
    this.count = count;
  }

  /** Starts them and waits until they serve. */
  static NamespacedServers start(
      Namespaces namespaces, Path dir, int count, Map<String, String> settings) throws Exception {
    NamespacedServers servers = new NamespacedServers(namespaces, dir, count);
    try {
      for (int id = 1; id <= count; id++) {
        servers.start(id, settings);
      }
      servers.awaitLeader(servers.all());
      return servers;
    } catch (Exception e) {
      servers.close();
      throw e;
    }
  }

  private void start(int id, Map<String, String> settings) throws IOException {
    Path home = Files.createDirectories(dir.resolve("server-" + id));
    Path data = Files.createDirectories(home.resolve("data"));
    Files.writeString(data.resolve("myid"), Integer.toString(id));
    List<String> cfg = new ArrayList<>();
    cfg.add("dataDir=" + data);
    cfg.add("clientPort=" + CLIENT_PORT);
    cfg.add("tickTime=200");
    cfg.add("initLimit=100");
    cfg.add("syncLimit=10");
    cfg.add("maxSessionTimeout=60000");
    cfg.add("admin.enableServer=false");
    cfg.add("4lw.commands.whitelist=*");
    settings.forEach((key, value) -> cfg.add(key + "=" + value));
    for (int other = 1; other <= count; other++) {
      cfg.add(
          "server."
              + other
              + "="
              + namespaces.address(other)
              + ":"
              + QUORUM_PORT
              + ":"
              + ELECTION_PORT);
    }
    Path zooCfg = Files.write(home.resolve("zoo.cfg"), cfg);
    List<String> command = new ArrayList<>(namespaces.prefix(id));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Programs.SMALL_JVM);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("org.orcagrid.cli.Orca");
    command.addAll(List.of("server", "run", zooCfg.toString()));
    processes.put(
        id,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("out").toFile())
            .start());
  }

  int[] all() {
    return IntStream.rangeClosed(1, count).toArray();
  }

  private ServerProbe probe(int id) {
    return ServerProbe.of(new InetSocketAddress(namespaces.address(id), CLIENT_PORT));
  }

  /** Waits until all of these serve and one of them leads; returns that one. */
  int awaitLeader(int... ids) throws Exception {
    int[] leader = {0};
    Eventually.await(
        TestEnsemble.SERVING_LIMIT,
        () -> {
          leader[0] = 0;
          boolean all = true;
          for (int id : ids) {
            ServerProbe probe = probe(id);
            all &= probe.serving();
            leader[0] = probe.leads() ? id : leader[0];
          }
          return all && leader[0] != 0;
        },
        () -> "servers " + Arrays.toString(ids) + " do not all serve: " + logs());
    return leader[0];
  }

  @Override
  public String connectString(int... ids) {
    return Arrays.stream(ids)
        .mapToObj(id -> namespaces.address(id) + ":" + CLIENT_PORT)
        .collect(Collectors.joining(","));
  }

  @Override
  public ZooKeeper connect(int... ids) throws Exception {
    return TestEnsemble.connect(connectString(ids));
  }

  @Override
  public String logs() {
    return Arrays.stream(all()).mapToObj(this::log).collect(Collectors.joining("\n"));
  }

  private String log(int id) {
    try {
      List<String> lines = Files.readAllLines(dir.resolve("server-" + id).resolve("out"));
      return "server "
          + id
          + ":\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "server " + id + " has no log: " + e;
    }
  }

  @Override
  public void close() {
    // "ip netns exec" becomes the server's JVM: it is the process that is ended.
    processes.values().forEach(Process::destroyForcibly);
    for (Process process : processes.values()) {
      try {
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
