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
package org.orcagrid.bench.geostore;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.bench.compare.ProcessReaper;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.transport.tcp.HostPort;

/** Two datacenters of three nodes on this machine, each node a process as `orca geo start` has. */
final class GeoStore {
  static final int NODES = 6;

  /** The partition that stalls while {@link #stall} says so. */
  static final int STALLED = 0;

  /** The node whose JVM says how much memory it has outside its heap. */
  static final int TRACKED = NODES - 1;

  private static final int REPLICAS = 3;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long POLL_MILLIS = 20;

  private final Path home;
  private final int partitions;
  private final List<Integer> ports;
  private final ProcessReaper reaper;
  private final List<Process> nodes = new ArrayList<>();

  /** Writes the nodes' configurations; none runs yet. */
  GeoStore(Path home, int partitions, ProcessReaper reaper) throws IOException, CommandFailure {
    this.home = home;
    this.partitions = partitions;
    this.ports = FreePorts.find(NODES, new Random());
    this.reaper = reaper;
    for (int node = 0; node < NODES; node++) {
      Files.createDirectories(folder(node));
      Files.writeString(
          file(node),
          String.join(
              "\n",
              "geo.datacenters=" + datacenters(),
              "geo.partitions=" + partitions,
              "geo.address=" + address(node),
              "geo.trial.wan.millis=15",
              "geo.trial.stall.partition=" + STALLED,
              ""));
      nodes.add(null);
    }
  }

  private Path folder(int node) {
    return home.resolve("node-" + node);
  }

  private Path file(int node) {
    return folder(node).resolve("geo.cfg");
  }

  private HostPort address(int node) {
    return new HostPort("127.0.0.1", ports.get(node));
  }

  private String datacenters() {
    StringBuilder text = new StringBuilder();
    for (int node = 0; node < NODES; node++) {
      text.append(node == 0 ? "west=" : node == REPLICAS ? ";east=" : ",").append(address(node));
    }
    return text.toString();
  }

  /** How a client at home in the first datacenter finds the store. */
  GeoSettings settings() {
    return GeoSettings.of(datacenters()).home("west").timeout(Duration.ofSeconds(30));
  }

  int partitions() {
    return partitions;
  }

  Process node(int node) {
    return nodes.get(node);
  }

  /** Starts a node's process, with what is in its folder. */
  void start(int node) throws IOException {
    ServerProgram program = ServerProgram.geoNode();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dorca.log.file=" + folder(node).resolve("orca.log"));
    command.addAll(program.jvmFlags());
    if (node == TRACKED) {
      command.add("-XX:NativeMemoryTracking=summary");
    }
    command.addAll(List.of("-cp", program.classPath(), program.mainClass()));
    command.addAll(program.arguments());
    command.add(file(node).toString());
    File printed = folder(node).resolve("printed").toFile();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(printed))
            .start();
    nodes.set(node, reaper.watch(process));
  }

  /** Waits until a node's port can be connected to; when that was. */
  long awaitListening(int node) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!listens(node)) {
      requireTime(node, begin);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return System.nanoTime();
  }

  private boolean listens(int node) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ports.get(node))) {
      return socket.isConnected();
    } catch (IOException e) {
      // Not yet, which is the answer.
      return false;
    }
  }

  private void requireTime(int node, long begin) throws IOException {
    if (!nodes.get(node).isAlive() || System.nanoTime() - begin > PATIENCE_NANOS) {
      throw new IOException("Node " + node + " does not serve; see " + folder(node));
    }
  }

  /** Waits until all serve and each partition has a leader in each datacenter; when that was. */
  long awaitServing(RemoteGeo geo) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      Set<String> led = new HashSet<>();
      boolean all = true;
      for (int node = 0; node < NODES && all; node++) {
        requireTime(node, begin);
        all = serves(geo, node, led);
      }
      if (all && led.size() == partitions * NODES / REPLICAS) {
        return System.nanoTime();
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /** Waits until one node serves all its partitions; when that was. */
  long awaitServing(RemoteGeo geo, int node) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!serves(geo, node, new HashSet<>())) {
      requireTime(node, begin);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return System.nanoTime();
  }

  private boolean serves(RemoteGeo geo, int node, Set<String> led) throws InterruptedException {
    int serving = 0;
    for (String line : status(geo, node).lines().toList()) {
      if (line.contains(" serves=true ")) {
        serving++;
      }
      if (line.contains(" leads=true ")) {
        led.add(node / REPLICAS + line.substring(0, line.indexOf(' ')));
      }
    }
    return serving == partitions;
  }

  /** What a node says of itself; empty if it says nothing. */
  String status(RemoteGeo geo, int node) throws InterruptedException {
    try {
      return geo.status(address(node), false).get(3, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // It will be asked again.
      return "";
    }
  }

  /** Whether all nodes drop the packets of one partition from now on. */
  void stall(boolean yes) throws IOException {
    for (int node = 0; node < NODES; node++) {
      Path mark =
          Files.createDirectories(folder(node).resolve("data")).resolve(GeoConfig.Trial.STALL);
      if (yes) {
        Files.writeString(mark, "");
      } else {
        Files.deleteIfExists(mark);
      }
    }
  }

  /** Processor time of all nodes so far. */
  Duration processorTime() {
    Duration sum = Duration.ZERO;
    for (Process each : nodes) {
      sum = sum.plus(each.info().totalCpuDuration().orElse(Duration.ZERO));
    }
    return sum;
  }
}
