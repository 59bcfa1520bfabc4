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
package org.orcagrid.geo.node;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;

/**
 * A node's {@code geo.cfg}. The store's name, datacenters, partitions and replicas must be the same
 * at all nodes; nodes that differ refuse each other.
 *
 * @param plan with this node's number
 * @param folder where its partitions are durable
 * @param workers threads that do the node's work
 * @param journalBytesMax of a worker's journal
 * @param log how partitions' logs are replicated
 * @param security of its port
 * @param console where its page and meters are served, null for none
 * @param trial for trials on one machine
 */
public record GeoConfig(
    GeoPlan plan,
    Path folder,
    int workers,
    long journalBytesMax,
    String log,
    PortSecurity security,
    HostPort console,
    Trial trial) {

  /**
   * What is slowed down in trials on one machine.
   *
   * @param wanMillis how much longer a round trip to another datacenter takes
   * @param forwardMillis how much later writes are forwarded
   * @param stalled a partition whose packets are dropped while there is a file {@link #STALL} in
   *     the node's folder; -1 for none
   */
  public record Trial(long wanMillis, long forwardMillis, int stalled) {
    /** Nothing. */
    public static final Trial NONE = new Trial(0, 0, -1);

    /** The file's name. */
    public static final String STALL = "stall";
  }

  private static final String NAME = "geo.name";
  static final String DATACENTERS = "geo.datacenters";
  static final String PARTITIONS = "geo.partitions";
  static final String REPLICAS = "geo.replicas";
  private static final String ENSEMBLE = "geo.ensemble";
  private static final String ADDRESS = "geo.address";
  private static final String FOLDER = "geo.folder";
  private static final String WORKERS = "geo.workers";
  private static final String JOURNAL_BYTES = "geo.journal.bytes";
  private static final String CONSOLE_PORT = "geo.console.port";
  private static final String CONSOLE_ADDRESS = "geo.console.address";
  private static final String LOG = "geo.log";
  private static final String WAN = "geo.trial.wan.millis";
  private static final String FORWARD = "geo.trial.forward.millis";
  private static final String STALLED = "geo.trial.stall.partition";

  private static final Set<String> KNOWN =
      Set.of(
          NAME,
          DATACENTERS,
          PARTITIONS,
          REPLICAS,
          ENSEMBLE,
          ADDRESS,
          FOLDER,
          WORKERS,
          JOURNAL_BYTES,
          CONSOLE_PORT,
          CONSOLE_ADDRESS,
          LOG,
          WAN,
          FORWARD,
          STALLED);

  private static final int WORKERS_MAX = 64;
  private static final int PORT_MAX = 65_535;
  private static final int WAN_MILLIS_MAX = 10_000;

  /**
   * Reads one that names its datacenters.
   *
   * @throws IOException if it cannot be read, or says what cannot be meant; the message names the
   *     line and the fix
   */
  public static GeoConfig read(Path file) throws IOException {
    return read(file, StoreRecord.Source.NONE);
  }

  /**
   * Reads one.
   *
   * @param records where the store's record is, if it names an ensemble
   * @throws IOException if it cannot be read, or says what cannot be meant; the message names the
   *     line and the fix
   */
  public static GeoConfig read(Path file, StoreRecord.Source records) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      lines.load(reader);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + e, e);
    }
    try {
      return of(lines, file.toAbsolutePath().getParent(), records);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static GeoConfig of(Properties lines, Path beside, StoreRecord.Source records)
      throws IOException {
    Set<String> unknown = new TreeSet<>(lines.stringPropertyNames());
    unknown.removeAll(KNOWN);
    unknown.removeAll(PortSecurity.NAMES);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no setting "
              + unknown.iterator().next()
              + "; there are "
              + new TreeSet<>(KNOWN)
              + " and "
              + PortSecurity.NAMES);
    }
    GeoPlan plan = plan(lines, records);
    HostPort address = HostPort.parse(required(lines, ADDRESS));
    int self = plan.nodes().indexOf(address);
    if (self < 0) {
      throw new IllegalArgumentException(
          ADDRESS
              + "="
              + address
              + " is none of the nodes in "
              + DATACENTERS
              + ": "
              + plan.nodes());
    }
    Path folder = beside.resolve(lines.getProperty(FOLDER, "data").strip());
    return new GeoConfig(
        plan.at(self),
        folder,
        (int) number(lines, WORKERS, 1, WORKERS_MAX),
        number(lines, JOURNAL_BYTES, SegmentLimits.DEFAULT.bytesMax(), Long.MAX_VALUE),
        lines.getProperty(LOG, RaftKind.NAME).strip(),
        PortSecurity.of(lines),
        console(lines),
        new Trial(
            number(lines, WAN, 0, WAN_MILLIS_MAX),
            number(lines, FORWARD, 0, WAN_MILLIS_MAX),
            (int) number(lines, STALLED, -1, GeoPlan.PARTITIONS_MAX)));
  }

  private static GeoPlan plan(Properties lines, StoreRecord.Source records) throws IOException {
    String name = lines.getProperty(NAME, "geo").strip();
    String ensemble = lines.getProperty(ENSEMBLE, "").strip();
    if (ensemble.isEmpty()) {
      return new GeoPlan(
          name,
          datacenters(required(lines, DATACENTERS)),
          (int) number(lines, PARTITIONS, 32, GeoPlan.PARTITIONS_MAX),
          (int) number(lines, REPLICAS, 3, GeoPlan.NODES_MAX),
          -1);
    }
    for (String each : List.of(DATACENTERS, PARTITIONS, REPLICAS)) {
      if (lines.containsKey(each)) {
        throw new IllegalArgumentException(
            each + " is in the record that " + ENSEMBLE + " keeps; take one of these lines away");
      }
    }
    StoreRecord record = records.read(ensemble, name);
    GeoPlan plan = record.plan(name);
    int self = plan.nodes().indexOf(HostPort.parse(required(lines, ADDRESS)));
    String own = self < 0 ? null : plan.datacenters().get(plan.datacenter(self)).name();
    if (own != null && record.removed().contains(own)) {
      throw new IllegalArgumentException(
          "Datacenter " + own + " was removed from the store \"" + name + "\" for good");
    }
    return plan;
  }

  private static HostPort console(Properties lines) {
    int port = (int) number(lines, CONSOLE_PORT, 0, PORT_MAX);
    String host = lines.getProperty(CONSOLE_ADDRESS, "127.0.0.1").strip();
    return port == 0 ? null : new HostPort(host, port);
  }

  /**
   * Reads datacenters: {@code west=h1:7500,h2:7500;east=h3:7500}.
   *
   * @throws IllegalArgumentException if they are written otherwise
   */
  public static List<GeoPlan.Datacenter> datacenters(String text) {
    Map<String, List<HostPort>> all = new TreeMap<>();
    List<GeoPlan.Datacenter> datacenters = new ArrayList<>();
    for (String each : text.split(";")) {
      String[] parts = each.split("=", 2);
      String name = parts[0].strip();
      if (parts.length < 2 || name.isEmpty() || parts[1].isBlank()) {
        throw new IllegalArgumentException(
            "Datacenters are written as west=h1:7500,h2:7500;east=h3:7500, not \"" + text + "\"");
      }
      List<HostPort> nodes = HostPort.parseAll(parts[1]);
      if (all.put(name, nodes) != null) {
        throw new IllegalArgumentException("Two datacenters have the name " + name);
      }
      datacenters.add(new GeoPlan.Datacenter(name, nodes));
    }
    return datacenters;
  }

  private static String required(Properties lines, String name) {
    String value = lines.getProperty(name, "").strip();
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  private static long number(Properties lines, String name, long otherwise, long max) {
    String value = lines.getProperty(name, Long.toString(otherwise)).strip();
    try {
      long number = Long.parseLong(value);
      if (number >= Math.min(1, otherwise) && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is a number, not \"" + value + "\"", e);
    }
    throw new IllegalArgumentException(
        name + " is from " + Math.min(1, otherwise) + " to " + max + ", not " + value);
  }
}
