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
package org.orcagrid.geo.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkLog;
import org.orcagrid.transport.tcp.PortSecurity;

/** The nodes of a store in this JVM, which can be ended and started again. */
final class LocalStore implements AutoCloseable {
  private final Path folder;
  private final String log;
  private final GeoPlan plan;
  private final GeoNode[] nodes;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** How many nodes, and which log they have. */
  record Shape(int datacenters, int replicas, int partitions, String log) {}

  LocalStore(Path folder, Shape shape) throws IOException {
    this.folder = folder;
    this.log = shape.log();
    int datacenters = shape.datacenters();
    int replicas = shape.replicas();
    List<HostPort> addresses = freeAddresses(datacenters * replicas);
    List<GeoPlan.Datacenter> places = new ArrayList<>();
    for (int i = 0; i < datacenters; i++) {
      places.add(
          new GeoPlan.Datacenter("dc" + i, addresses.subList(i * replicas, (i + 1) * replicas)));
    }
    this.plan = new GeoPlan("test", places, shape.partitions(), replicas, -1);
    this.nodes = new GeoNode[addresses.size()];
    for (int i = 0; i < nodes.length; i++) {
      start(i);
    }
  }

  private static List<HostPort> freeAddresses(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(each -> new HostPort("127.0.0.1", each.getLocalPort())).toList();
    } finally {
      for (ServerSocket each : sockets) {
        each.close();
      }
    }
  }

  GeoSettings settings() {
    String text =
        String.join(
            ";",
            plan.datacenters().stream()
                .map(
                    each ->
                        each.name()
                            + "="
                            + String.join(
                                ",", each.nodes().stream().map(Object::toString).toList()))
                .toList());
    return GeoSettings.of(text).name("test");
  }

  GeoPlan plan() {
    return plan;
  }

  GeoConfig config(int node) {
    return new GeoConfig(
        plan.at(node),
        folder.resolve("node-" + node),
        1,
        SegmentLimits.DEFAULT.bytesMax(),
        log,
        PortSecurity.NONE,
        GeoConfig.Trial.NONE);
  }

  void start(int node) {
    try {
      nodes[node] = GeoNode.start(config(node), new LinkLog(), failures::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void end(int node) {
    nodes[node].close();
    nodes[node] = null;
  }

  GeoNode node(int number) {
    return nodes[number];
  }

  List<GeoNode> running() {
    return IntStream.range(0, nodes.length)
        .filter(i -> nodes[i] != null)
        .mapToObj(i -> nodes[i])
        .toList();
  }

  Queue<Throwable> failures() {
    return failures;
  }

  @Override
  public void close() {
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] != null) {
        end(i);
      }
    }
  }
}
