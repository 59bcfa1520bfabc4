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
package org.orcagrid.node;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.MembershipProvider;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.transport.tcp.GridSecret;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TransportChoice;
import org.orcagrid.transport.tcp.ZoneSettings;

/**
 * What a node of a grid is made of. The grid's name and first size, the workers, the lease, the
 * keys and the transport must be the same at all nodes; nodes that differ refuse each other.
 *
 * @param home which grid it belongs to, and where it is
 * @param links how it talks to other nodes and to clients
 * @param journals where maps are durable
 * @param workers threads that do the node's work
 * @param lease how long a node may be silent before the others go on without it
 * @param keys how large the part in memory is: Kite's keys
 */
public record NodeSettings(
    Home home, Links links, Journals journals, int workers, LeaseTimes lease, KeySettings keys) {
  /** The name of a grid that was given none. */
  public static final String GRID = "grid";

  private static final int PACKET_BYTES_MIN = 64 * 1024;

  /**
   * Which grid a node belongs to, and where it is.
   *
   * @param grid the grid's name
   * @param size how many nodes the grid begins with; it may grow
   * @param address where this node listens, for the others and for clients, as they reach it
   * @param folder where this node's maps are durable; of its own, and the same after a restart
   * @param ensemble who agrees on views: host:port of some servers of ORCA or ZooKeeper, with
   *     commas between them; null if the node is given a membership
   */
  public record Home(String grid, int size, HostPort address, Path folder, String ensemble) {
    /** Refuses a size that no grid has. */
    public Home {
      if (size < 1 || size > KiteSettings.NODES_MAX) {
        throw new IllegalArgumentException(
            "A grid begins with 1 to " + KiteSettings.NODES_MAX + " nodes, not " + size);
      }
    }
  }

  /**
   * How a node talks.
   *
   * @param security who may connect
   * @param transport between the nodes; clients have TCP
   * @param zones memory that the other nodes may write into, null for none
   * @param catchUpBytesPerSecond what it tells nodes that catch up at most, 0 for no bound
   * @param console where {@code orca grid run} serves the console, null for none
   */
  public record Links(
      PortSecurity security,
      TransportChoice transport,
      ZoneSettings zones,
      long catchUpBytesPerSecond,
      HostPort console) {
    /** No TLS, no secret, TCP, no memory for others, 64 MB/s for catching up, no console. */
    public static final Links DEFAULT =
        new Links(
            PortSecurity.NONE, TransportChoice.TCP, null, Budget.DEFAULT_BYTES_PER_SECOND, null);

    /** Refuses what cannot work. */
    public Links {
      if (catchUpBytesPerSecond < 0) {
        throw new IllegalArgumentException(
            "A node tells at least 0 bytes a second, for no bound, not " + catchUpBytesPerSecond);
      }
    }
  }

  /**
   * Where a worker's maps are durable.
   *
   * @param medium of which kind; the same after a restart
   * @param bytesMax how many bytes a log has at most, at least four times what is in the maps of a
   *     worker; 0 for another medium, which has limits of its own
   */
  public record Journals(MediumKind medium, long bytesMax) {
    /** Logs of up to 16 GB. */
    public static final Journals DEFAULT = logs(SegmentLimits.DEFAULT.bytesMax());

    private static final int SEGMENTS_MIN = 16;

    /**
     * Logs that have so many bytes at most.
     *
     * @throws IllegalArgumentException if that is too little
     */
    public static Journals logs(long bytesMax) {
      long least = (long) SEGMENTS_MIN * SegmentLimits.DEFAULT.segmentBytes();
      if (bytesMax < least) {
        throw new IllegalArgumentException(
            "grid.journal.bytes is at least " + least + ", not " + bytesMax);
      }
      return new Journals(LogMedium.kind(SegmentLimits.DEFAULT.withBytesMax(bytesMax)), bytesMax);
    }
  }

  /** One worker, logs of up to 16 GB, {@link Links#DEFAULT}, a lease of 800 ms. */
  public static NodeSettings of(Home home) {
    return new NodeSettings(
        home, Links.DEFAULT, Journals.DEFAULT, 1, LeaseTimes.DEFAULT, KeySettings.DEFAULT);
  }

  /** The same of a node without an ensemble: whoever starts it gives it a membership. */
  public static NodeSettings of(String grid, int size, HostPort address, Path folder) {
    return of(new Home(grid, size, address, folder, null));
  }

  /** The same with views that an ensemble agrees on. */
  public NodeSettings withEnsemble(String ensemble) {
    Home other = new Home(home.grid, home.size, home.address, home.folder, ensemble);
    return new NodeSettings(other, links, journals, workers, lease, keys);
  }

  /** The same with another medium. */
  public NodeSettings withMedium(MediumKind other) {
    return withJournals(new Journals(other, 0));
  }

  /** The same with other journals. */
  public NodeSettings withJournals(Journals other) {
    return new NodeSettings(home, links, other, workers, lease, keys);
  }

  /** The same with another answer to who may connect. */
  public NodeSettings withSecurity(PortSecurity other) {
    return with(
        new Links(other, links.transport, links.zones, links.catchUpBytesPerSecond, links.console));
  }

  /** The same with another transport between the nodes. */
  public NodeSettings withTransport(TransportChoice other) {
    return with(
        new Links(links.security, other, links.zones, links.catchUpBytesPerSecond, links.console));
  }

  /** The same with memory that the other nodes may write into. */
  public NodeSettings withZones(ZoneSettings other) {
    return with(
        new Links(
            links.security, links.transport, other, links.catchUpBytesPerSecond, links.console));
  }

  /** The same with another bound for what it tells nodes that catch up, 0 for none. */
  public NodeSettings withCatchUpBytesPerSecond(long other) {
    return with(new Links(links.security, links.transport, links.zones, other, links.console));
  }

  /** The same with a console, or with none if that is null. */
  public NodeSettings withConsole(HostPort other) {
    return with(
        new Links(
            links.security, links.transport, links.zones, links.catchUpBytesPerSecond, other));
  }

  private NodeSettings with(Links other) {
    return new NodeSettings(home, other, journals, workers, lease, keys);
  }

  /** The same with another number of workers. */
  public NodeSettings withWorkers(int other) {
    return new NodeSettings(home, links, journals, other, lease, keys);
  }

  /** The same with another lease. */
  public NodeSettings withLease(LeaseTimes other) {
    return new NodeSettings(home, links, journals, workers, other, keys);
  }

  /** The same with another part in memory. */
  public NodeSettings withKeys(KeySettings other) {
    return new NodeSettings(home, links, journals, workers, lease, other);
  }

  /**
   * Takes the node's place by its ensemble.
   *
   * @throws IOException if it does not answer, has no place for the folder, or knows less than the
   *     folder does
   * @throws IllegalArgumentException if the settings have no ensemble
   */
  public Views membership() throws IOException, InterruptedException {
    MembershipProvider.Place place = place();
    return MembershipProvider.find().join(place);
  }

  /** The same of a node that is part of a server of the ensemble. */
  public Views hostedMembership() throws IOException, InterruptedException {
    MembershipProvider.Place place = place().asHosted();
    return MembershipProvider.find().join(place);
  }

  /**
   * Has the grid lose the place of the node at an address, and waits until it has.
   *
   * @param limit how long to wait; the place goes on leaving after that
   * @param says is told what is waited for
   * @return the place
   * @throws IOException if the grid cannot lose it, or has not in time, saying why
   */
  public int removePlace(String nodeAddress, Duration limit, Consumer<String> says)
      throws IOException, InterruptedException {
    if (links.zones != null) {
      throw new IOException(
          "A grid whose nodes write into each other's memory keeps its nodes: they have divided"
              + " that memory among "
              + home.size);
    }
    MembershipProvider.Place place = place();
    return MembershipProvider.find().remove(place, nodeAddress, limit.toNanos(), says);
  }

  /**
   * Gives the node's folder a place that the grid did not have, unless it has one. The grid grows
   * by it when the node joins, and all other nodes serve.
   *
   * @return the place
   * @throws IOException if the ensemble does not answer, or the grid has as many places as it may
   * @throws IllegalArgumentException if the settings have no ensemble
   */
  public int addPlace() throws IOException, InterruptedException {
    MembershipProvider.Place place = place();
    return MembershipProvider.find().add(place);
  }

  /**
   * How many nodes the grid may have. Nodes that write into each other's memory have divided it
   * among as many as there were at first.
   */
  public int sizeMax() {
    return links.zones == null ? KiteSettings.NODES_MAX : home.size;
  }

  private MembershipProvider.Place place() throws IOException {
    if (home.ensemble == null) {
      throw new IllegalArgumentException(
          "grid.ensemble is missing: host:port of servers of ORCA or ZooKeeper, which agree on who"
              + " is a node");
    }
    Path secret = links.security.secretFile();
    String credential = secret == null ? null : GridSecret.read(secret).ofEnsemble(home.grid);
    return new MembershipProvider.Place(
        home.ensemble,
        home.grid,
        home.size,
        sizeMax(),
        home.address.toString(),
        home.folder,
        lease,
        credential);
  }

  TcpSettings tcp(int place, long grid) {
    // The others are told of by views.
    List<HostPort> nodes = new ArrayList<>(Collections.nCopies(sizeMax(), HostPort.NOWHERE));
    nodes.set(place, home.address);
    int packetBytesMax = Math.max(PACKET_BYTES_MIN, keys.packetBytesMax());
    return new TcpSettings(home.grid, place, nodes, workers, keys.sessions(), packetBytesMax, grid);
  }

  Node.Sizes sizes(int place) {
    int nodes = sizeMax();
    MapSizes usual = MapSizes.of(nodes, place);
    MapSizes maps =
        new MapSizes(
            nodes, place, workers, usual.backlogMax(), usual.resendNanos(), usual.progressNanos());
    return new Node.Sizes(
        maps,
        KiteSettings.of(nodes, place, workers, keys.sessions()),
        keys.limits(),
        links.catchUpBytesPerSecond);
  }
}
