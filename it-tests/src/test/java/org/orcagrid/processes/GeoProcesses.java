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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.transport.tcp.HostPort;

/**
 * The nodes of a geo store, each a process of {@link GeoTrialNode}, to which something is done.
 * Nodes count from 0, datacenter by datacenter. The folder is as {@code orca geo} has it. Closing
 * it ends them.
 */
final class GeoProcesses implements AutoCloseable {
  private static final int WAN_MILLIS = 20;
  private static final int PORT = 7500;
  private static final int LINES = 30;
  private static final long END_SECONDS = 20;

  private final Path dir;
  private final Shape shape;
  private final Namespaces namespaces;
  private final List<HostPort> addresses = new ArrayList<>();
  private final Map<Integer, Process> processes = new HashMap<>();
  private final Set<Cut> cuts = new HashSet<>();

  /**
   * How many there are.
   *
   * @param replicas nodes of a datacenter, of which each has each partition
   */
  record Shape(int datacenters, int replicas, int partitions) {
    int nodes() {
      return datacenters * replicas;
    }

    String name(int datacenter) {
      return "dc" + datacenter;
    }

    int datacenter(int node) {
      return node / replicas;
    }

    /** The nodes of a datacenter. */
    List<Integer> of(int datacenter) {
      int first = datacenter * replicas;
      return IntStream.range(first, first + replicas).boxed().toList();
    }

    List<Integer> all() {
      return IntStream.range(0, nodes()).boxed().toList();
    }
  }

  /** What one node sends to another is dropped. */
  private record Cut(int from, int to) {}

  /**
   * Writes their settings; nobody runs yet.
   *
   * @param namespaces one for each; null where this machine lets nobody make them
   */
  GeoProcesses(Path dir, Shape shape, Namespaces namespaces) throws Exception {
    this.dir = dir;
    this.shape = shape;
    this.namespaces = namespaces;
    int base = namespaces == null ? FreePorts.find(1, new Random()).get(0) : PORT;
    for (int i = 0; i < shape.nodes(); i++) {
      addresses.add(
          namespaces == null
              ? new HostPort("127.0.0.1", base + i)
              : new HostPort(namespaces.address(i + 1), base));
    }
    Path secret = Files.createDirectories(dir).resolve("secret");
    Files.writeString(secret, "what all nodes of these rounds know");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    for (int i = 0; i < shape.nodes(); i++) {
      Files.write(
          Files.createDirectories(folder(i)).resolve("geo.cfg"),
          List.of(
              "geo.datacenters=" + datacenters(),
              "geo.partitions=" + shape.partitions(),
              "geo.replicas=" + shape.replicas(),
              "geo.address=" + addresses.get(i),
              "geo.trial.wan.millis=" + WAN_MILLIS,
              "grid.secret.file=" + secret,
              "grid.clients=open"));
    }
  }

  private Path folder(int node) {
    return dir.resolve("node-" + (node + 1));
  }

  private String datacenters() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < shape.datacenters(); i++) {
      List<String> there = shape.of(i).stream().map(node -> "" + addresses.get(node)).toList();
      all.add(shape.name(i) + "=" + String.join(",", there));
    }
    return String.join(";", all);
  }

  Shape shape() {
    return shape;
  }

  Path dir() {
    return dir;
  }

  HostPort address(int node) {
    return addresses.get(node);
  }

  /** How clients find them; they need not prove anything. */
  GeoSettings settings() {
    return GeoSettings.of(datacenters());
  }

  /** Whether nodes can be cut off from each other here. */
  boolean areCuttable() {
    return namespaces != null;
  }

  // --- what is done to them ----------------------------------------------------------------------

  void start(int node, GeoTrialNode.Disk disk) throws IOException {
    List<String> command = new ArrayList<>();
    if (namespaces != null) {
      command.addAll(namespaces.prefix(node + 1));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Programs.SMALL_JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(GeoTrialNode.class.getName());
    command.addAll(List.of(disk.name(), folder(node).resolve("geo.cfg").toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(out(node).toFile()));
    processes.put(node, builder.start());
  }

  private Path out(int node) {
    return folder(node).resolve("out");
  }

  /** kill -9, of all of them before anybody learns of it. */
  void kill(List<Integer> nodes) {
    nodes.forEach(node -> processes.get(node).destroyForcibly());
    nodes.forEach(node -> processes.get(node).onExit().join());
  }

  void pause(int node) throws IOException, InterruptedException {
    signal("-STOP", node);
  }

  void resume(int node) throws IOException, InterruptedException {
    signal("-CONT", node);
  }

  private void signal(String signal, int node) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", signal, "" + processes.get(node).pid()).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill " + signal + " of node " + node + " failed");
    }
  }

  /** From now on a node's clock is so far ahead of the machine's. */
  void setClock(int node, long aheadMillis) throws IOException {
    Path whole = folder(node).resolve("clock.part");
    Files.writeString(whole, Long.toString(aheadMillis));
    Files.move(whole, GeoTrialNode.clock(folder(node)), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Drops what one node sends to another. */
  void cut(int from, int to) throws IOException, InterruptedException {
    if (cuts.add(new Cut(from, to))) {
      namespaces.drop(from + 1, to + 1);
    }
  }

  void mend(int from, int to) throws IOException, InterruptedException {
    if (cuts.remove(new Cut(from, to))) {
      namespaces.pass(from + 1, to + 1);
    }
  }

  // --- what they say -----------------------------------------------------------------------------

  /** Those that have ended although nobody has killed them. */
  List<Integer> ended() {
    return shape.all().stream().filter(node -> !processes.get(node).isAlive()).toList();
  }

  /** The last lines of what a node has said. */
  String log(int node) {
    try {
      List<String> lines = Files.readAllLines(out(node));
      return "node "
          + node
          + ":\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "node " + node + " has no log: " + e;
    }
  }

  @Override
  public void close() {
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
