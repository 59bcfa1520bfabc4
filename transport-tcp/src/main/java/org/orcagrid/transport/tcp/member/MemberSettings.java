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
package org.orcagrid.transport.tcp.member;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TransportWish;

/**
 * What a node of a grid is made of. All but {@code self} must be the same at all nodes; nodes that
 * differ refuse each other. A node has one address, for the other nodes and for clients.
 *
 * @param cluster the grid's name
 * @param self this node's place in {@code nodes}, from 0
 * @param nodes where each node listens
 * @param workers threads that do the node's work
 * @param sessions sessions of a worker
 * @param keysMax keys at most
 * @param valueBytesMax bytes of a value at most
 * @param bytesMax bytes of all keys and values at most, outside the heap; used as they are needed
 * @param security who may connect
 * @param joining how nodes find each other where they are not fixed; null if they are
 * @param transport between the nodes; clients have TCP
 */
public record MemberSettings(
    String cluster,
    int self,
    List<HostPort> nodes,
    int workers,
    int sessions,
    int keysMax,
    int valueBytesMax,
    long bytesMax,
    PortSecurity security,
    Joining joining,
    TransportWish transport) {
  /**
   * The file in which nodes on one machine agree on views, so that one that has ended can be
   * started again. For {@code orca grid run}; others give {@link GridMember#join} a membership.
   */
  public static final String VIEWS = "grid.views";

  /** The name of a grid that was given none. */
  public static final String CLUSTER = "grid";

  private static final int PACKET_BYTES_MIN = 16 * 1024;

  private static final Set<String> KNOWN = known();

  private static Set<String> known() {
    Set<String> known = new TreeSet<>(PortSecurity.NAMES);
    known.addAll(
        List.of(
            "grid.cluster",
            "grid.self",
            "grid.nodes",
            "grid.ensemble",
            "grid.size",
            "grid.address",
            VIEWS,
            "grid.workers",
            "grid.sessions",
            "grid.keys",
            "grid.value.bytes",
            "grid.bytes",
            "grid.transport"));
    return known;
  }

  /**
   * How a node finds the others through an ensemble of ORCA or ZooKeeper servers.
   *
   * @param ensemble host:port of some of its servers, with commas between them
   * @param size how many nodes the grid has
   * @param address where this node listens, as the others and clients reach it
   */
  public record Joining(String ensemble, int size, HostPort address) {}

  /** The settings of a node among fixed others, over TCP. */
  public MemberSettings(
      String cluster,
      int self,
      List<HostPort> nodes,
      int workers,
      int sessions,
      int keysMax,
      int valueBytesMax,
      long bytesMax,
      PortSecurity security) {
    this(
        cluster,
        self,
        nodes,
        workers,
        sessions,
        keysMax,
        valueBytesMax,
        bytesMax,
        security,
        null,
        TransportWish.TCP);
  }

  /** The same as node {@code place} among these nodes. */
  MemberSettings at(int place, List<HostPort> all) {
    return new MemberSettings(
        cluster,
        place,
        all,
        workers,
        sessions,
        keysMax,
        valueBytesMax,
        bytesMax,
        security,
        joining,
        transport);
  }

  /** The same with another transport between the nodes. */
  public MemberSettings withTransport(TransportWish other) {
    return new MemberSettings(
        cluster,
        self,
        nodes,
        workers,
        sessions,
        keysMax,
        valueBytesMax,
        bytesMax,
        security,
        joining,
        other);
  }

  /** The same with another answer to who may connect. */
  public MemberSettings withSecurity(PortSecurity other) {
    return new MemberSettings(
        cluster,
        self,
        nodes,
        workers,
        sessions,
        keysMax,
        valueBytesMax,
        bytesMax,
        other,
        joining,
        transport);
  }

  /** The settings of a node that finds the others by itself; the rest as in {@link #of}. */
  public static MemberSettings of(Joining joining) {
    return new MemberSettings(
        CLUSTER,
        0,
        List.of(),
        1,
        256,
        1_000_000,
        64 << 10,
        1L << 30,
        PortSecurity.NONE,
        joining,
        TransportWish.TCP);
  }

  /** One worker, 256 sessions, 1,000,000 keys, values of 64 KB, 1 GB, neither TLS nor a secret. */
  public static MemberSettings of(int self, List<HostPort> nodes) {
    return new MemberSettings(
        CLUSTER, self, nodes, 1, 256, 1_000_000, 64 << 10, 1L << 30, PortSecurity.NONE);
  }

  /**
   * Reads a file of properties, {@code grid.…}.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if something in it is missing, unknown or wrong, saying what
   */
  public static MemberSettings read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    try {
      return of(properties);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private static MemberSettings of(Properties given) {
    for (String name : new TreeSet<>(given.stringPropertyNames())) {
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException(
            "There is no setting " + name + "; there are " + String.join(", ", KNOWN));
      }
    }
    MemberSettings defaults =
        given.getProperty("grid.ensemble") == null
            ? of(
                (int) number(given, "grid.self", -1),
                HostPort.parseAll(required(given, "grid.nodes")))
            : of(joining(given));
    return new MemberSettings(
        given.getProperty("grid.cluster", CLUSTER).trim(),
        defaults.self,
        defaults.nodes,
        (int) number(given, "grid.workers", defaults.workers),
        (int) number(given, "grid.sessions", defaults.sessions),
        (int) number(given, "grid.keys", defaults.keysMax),
        (int) number(given, "grid.value.bytes", defaults.valueBytesMax),
        number(given, "grid.bytes", defaults.bytesMax),
        PortSecurity.of(given),
        defaults.joining,
        transport(given));
  }

  private static Joining joining(Properties given) {
    for (String fixed : List.of("grid.nodes", "grid.self", VIEWS)) {
      if (given.getProperty(fixed) != null) {
        throw new IllegalArgumentException(
            fixed + " and grid.ensemble exclude each other: nodes are fixed, or find each other");
      }
    }
    return new Joining(
        required(given, "grid.ensemble"),
        (int) number(given, "grid.size", -1),
        HostPort.parse(required(given, "grid.address")));
  }

  private static TransportWish transport(Properties given) {
    String text = given.getProperty("grid.transport");
    try {
      return text == null ? TransportWish.TCP : TransportWish.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("grid.transport: " + e.getMessage(), e);
    }
  }

  private static String required(Properties given, String name) {
    String text = given.getProperty(name);
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return text.trim();
  }

  private static long number(Properties given, String name, long otherwise) {
    if (given.getProperty(name) == null && otherwise >= 0) {
      return otherwise;
    }
    String text = required(given, name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is a number, not " + text, e);
    }
  }

  /** Where this node listens. */
  public HostPort address() {
    return joining == null ? nodes.get(self) : joining.address();
  }

  TcpSettings links() {
    return new TcpSettings(
        cluster,
        self,
        nodes,
        workers,
        sessions,
        Math.max(PACKET_BYTES_MIN, KiteSettings.messageBytesMax(valueBytesMax)));
  }

  KiteSettings kite() {
    return KiteSettings.of(nodes.size(), self, workers, sessions);
  }

  ReplicaStore.Limits limits() {
    return new ReplicaStore.Limits(keysMax, valueBytesMax, bytesMax);
  }
}
