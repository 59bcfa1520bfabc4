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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.PortSecurity;

/** The nodes of a store in this JVM, which can be ended and started again. */
public final class LocalStore implements AutoCloseable {
  private static final long SLOW_MILLIS = 10_000;

  private final Path folder;
  private final GeoPlan plan;
  private final GeoNode[] nodes;

  /** The node that forwards nothing for long, -1 for none. */
  private int slow = -1;

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private final Oddity oddity;
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();

  /** Keeps who was refused, and why. */
  private final LinkListener log =
      new LinkListener() {
        @Override
        public void onRefused(String address, String reason) {
          refusals.add(address + ": " + reason);
        }
      };

  /** What is other than usual at a node. */
  public interface Oddity {
    /** Its settings. */
    default GeoConfig config(GeoConfig usual) {
      return usual;
    }

    /** How far its clock is ahead. */
    default long aheadMillis(int node) {
      return 0;
    }
  }

  /** Starts all; the datacenters are dc0, dc1 and so on. */
  public LocalStore(Path folder, int datacenters, int replicas, int partitions) throws IOException {
    this(folder, datacenters, replicas, partitions, new Oddity() {});
  }

  /** The same with something that is other than usual. */
  public LocalStore(Path folder, int datacenters, int replicas, int partitions, Oddity oddity)
      throws IOException {
    this.folder = folder;
    this.oddity = oddity;
    List<HostPort> addresses = freeAddresses(datacenters * replicas);
    List<GeoPlan.Datacenter> places = new ArrayList<>();
    for (int i = 0; i < datacenters; i++) {
      places.add(
          new GeoPlan.Datacenter("dc" + i, addresses.subList(i * replicas, (i + 1) * replicas)));
    }
    this.plan = new GeoPlan("test", places, partitions, replicas, -1);
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

  /** How clients find it. */
  public GeoSettings settings() {
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
    GeoConfig usual =
        new GeoConfig(
            plan.at(node),
            folder.resolve("node-" + node),
            1,
            SegmentLimits.DEFAULT.bytesMax(),
            RaftKind.NAME,
            PortSecurity.NONE,
            null,
            GeoConfig.Trial.NONE);
    GeoConfig own = oddity.config(usual);
    return node == slow ? withTrial(own, new GeoConfig.Trial(0, SLOW_MILLIS, -1)) : own;
  }

  /** The same with another log. */
  static GeoConfig withLog(GeoConfig config, String log) {
    return new GeoConfig(
        config.plan(),
        config.folder(),
        config.workers(),
        config.journalBytesMax(),
        log,
        config.security(),
        config.console(),
        config.trial());
  }

  /** The same in a trial. */
  public static GeoConfig withTrial(GeoConfig config, GeoConfig.Trial trial) {
    return new GeoConfig(
        config.plan(),
        config.folder(),
        config.workers(),
        config.journalBytesMax(),
        config.log(),
        config.security(),
        config.console(),
        trial);
  }

  /** Waits until each partition has a leader in each datacenter, for two minutes at most. */
  public void awaitLeaders() {
    long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!haveLeaders()) {
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError("There are partitions without leaders");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private boolean haveLeaders() {
    long leaders =
        running().stream()
            .flatMap(each -> each.status().lines())
            .filter(each -> each.contains(" leads=true "))
            .count();
    return leaders >= (long) plan.datacenters().size() * plan.partitions();
  }

  /** Starts a node that was ended. */
  public void start(int node) {
    try {
      nodes[node] =
          GeoNode.start(
              config(node),
              log,
              failures::add,
              new GeoNode.Machine(
                  () -> System.currentTimeMillis() + oddity.aheadMillis(node),
                  LogMedium.kind(SegmentLimits.DEFAULT)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a node anew that forwards nothing for long. */
  public void slowDown(int node) {
    end(node);
    slow = node;
    start(node);
  }

  /** Ends a node. */
  public void end(int node) {
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

  /** What some node was told last about whom it is not to talk to; null for nothing. */
  Queue<String> refusals() {
    return refusals;
  }

  /** What has failed in nodes. */
  public Queue<Throwable> failures() {
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
