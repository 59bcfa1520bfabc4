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

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.function.Consumer;
import org.orcagrid.ddp.forward.ForwardedMaps;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.ForwardingViews;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.PlaceRemovedException;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.ddp.zone.ZoneDevice;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.MappedZones;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransport;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.TransportChoice;
import org.orcagrid.transport.tcp.remote.ClientGateway;
import org.orcagrid.transport.tcp.remote.HomeLines;

/**
 * A node of a grid in this process: its port, its links to the others, its media and its clients.
 */
public final class GridMember implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GridMember.class.getName());

  private final Node node;
  private final NodePort port;
  private final CountedLinks links;
  private final NodeReporter reporter;

  private final Forwarding forwarding;
  private final ClientGateway gateway;

  /** Null if there is none. */
  private final MappedZones memory;

  /** What is seen of the node from when it starts. */
  record Watched(CountedLinks links, SeenPlaces places) {}

  /** All maps of the grid, and the lines to other nodes that some of them need. */
  private record Forwarding(ForwardedMaps maps, HomeLines lines) implements AutoCloseable {
    @Override
    public void close() {
      maps.close();
      lines.close();
    }
  }

  private GridMember(
      Node node,
      NodeReporter reporter,
      Watched watched,
      Forwarding forwarding,
      ClientGateway gateway,
      MappedZones memory) {
    this.node = node;
    this.port = reporter.port();
    this.reporter = reporter;
    this.links = watched.links();
    this.forwarding = forwarding;
    this.gateway = gateway;
    this.memory = memory;
  }

  /** Starts a node that knows the time of day. */
  public static GridMember start(
      NodeSettings settings, Views membership, LinkListener listener, Consumer<Throwable> failures)
      throws IOException, InterruptedException {
    return start(settings, membership, listener, failures, WallClock.of(System::currentTimeMillis));
  }

  /**
   * Starts a node. It serves once it is a member and has caught up.
   *
   * @param membership closed with the node
   * @param failures is told what has ended the node, once
   * @param wall what the node knows of the time of day
   * @throws IOException if the address cannot be listened at, or the transport is not to be had
   */
  public static GridMember start(
      NodeSettings settings,
      Views membership,
      LinkListener listener,
      Consumer<Throwable> failures,
      WallClock wall)
      throws IOException, InterruptedException {
    int place = membership.place();
    NodeSettings.Links links = settings.links();
    Watched watched = new Watched(new CountedLinks(listener), new SeenPlaces());
    MappedZones memory = null;
    HomeLines lines = null;
    try {
      memory = links.zones() == null ? null : TransportChoice.map(links.zones());
      ZoneDevice zones =
          ZoneBinding.of(
              settings.home().folder(), memory, settings.home().size(), settings.workers());
      NodeTransports transports = links.transport().open(watched.links());
      NodePort port =
          NodePort.of(settings.home().address(), links.security(), IoKind.best(), watched.links());
      NodeTransport transport =
          transports.open(
              settings.tcp(place, membership.grid()), port, new Hints(membership, watched.links()));
      lines = new HomeLines(settings.home().grid(), place, membership.grid(), port);
      Views seen = new Addressing(membership, transport, watched.places(), lines);
      Node node = node(settings, new Around(seen, wall, zones), transport, failures);
      NodeReporter reporter = new NodeReporter(settings, membership, node, port, watched);
      ForwardedMaps maps =
          new ForwardedMaps(
              node.maps(), () -> membership.newest().orElse(null), lines, System::nanoTime);
      Forwarding forwarding = new Forwarding(maps, lines);
      ClientGateway gateway =
          gateway(settings, membership.grid(), node, forwarding, reporter, watched.links());
      return new GridMember(node, reporter, watched, forwarding, gateway, memory);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      membership.close();
      if (lines != null) {
        lines.close();
      }
      unmap(memory);
      throw e;
    }
  }

  /** Whether a node has failed because the grid has removed it: then it does not join again. */
  public static boolean isRemoval(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof PlaceRemovedException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /** What a node needs beside its settings. */
  private record Around(Views membership, WallClock wall, ZoneDevice zones) {}

  private static Node node(
      NodeSettings settings, Around around, NodeTransport transport, Consumer<Throwable> failures)
      throws IOException, InterruptedException {
    int place = around.membership().place();
    String name = "orca-grid-" + place;
    return Node.start(
        settings.sizes(place),
        new HostedMaps.Providers(
            around.membership(),
            new FolderMedia(
                settings.home().folder(),
                settings.journals().medium(),
                new DefaultThreadFactory(name + "-medium", true)),
            around.wall(),
            around.zones()),
        new Workers.Environment(
            transport, System::nanoTime, new DefaultThreadFactory(name, true), failures));
  }

  private static ClientGateway gateway(
      NodeSettings settings,
      long grid,
      Node node,
      Forwarding forwarding,
      NodeReporter reporter,
      LinkListener listener)
      throws IOException {
    ClientGateway gateway = null;
    try {
      gateway =
          new ClientGateway(
              settings.home().grid(),
              reporter.port(),
              new ClientGateway.Served(
                  node, forwarding.maps(), clients -> NodeStateText.of(reporter.state(clients))),
              new DefaultThreadFactory("orca-grid-clients", true),
              listener);
      gateway.admitNodes(node.maps(), grid);
      return settings.links().security().clients() == ClientAdmission.NONE
          ? gateway.refuseClients()
          : gateway.admitClients();
    } catch (IOException | RuntimeException | Error e) {
      if (gateway != null) {
        gateway.close();
      }
      node.close();
      throw e;
    }
  }

  private static void unmap(MappedZones memory) {
    try {
      if (memory != null) {
        memory.close();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "The memory of zones stays mapped", e);
    }
  }

  /** The node. */
  public Node node() {
    return node;
  }

  /** All maps of the grid: those that are not at this node are used at others. */
  public Maps maps() {
    return forwarding.maps();
  }

  /** How many clients are connected to this node. */
  public int clients() {
    return gateway.connections();
  }

  /** How many other nodes are connected to use maps of this one. */
  public int forwarders() {
    return gateway.forwarders();
  }

  /** To how many other nodes this one has a line for maps that it does not have. */
  public int homes() {
    return forwarding.lines().lines();
  }

  /** Connections to this node's port that were refused or failed so far. */
  public long refused() {
    return port.refused();
  }

  /** Its links, as they are now. */
  public CountedLinks links() {
    return links;
  }

  /**
   * What it is at, and what it knows of its grid. Costs its workers a short task each, and waits a
   * second at most for those that stand still. Any thread but theirs.
   */
  public NodeState state() throws InterruptedException {
    return reporter.state(clients());
  }

  /** Leaves in good order: the others need not wait for this node's lease to end. */
  @Override
  public synchronized void close() {
    gateway.close();
    forwarding.close();
    node.close();
    unmap(memory);
  }

  /** Tells the membership of connections that are gone. */
  private record Hints(Views membership, LinkListener listener) implements LinkListener {
    @Override
    public void onUp(int peer, int worker) {
      listener.onUp(peer, worker);
    }

    @Override
    public void onDown(int peer, int worker, String reason) {
      membership.onDisconnected(peer);
      listener.onDown(peer, worker, reason);
    }

    @Override
    public void onBadPacket(int peer, int worker, String reason) {
      listener.onBadPacket(peer, worker, reason);
    }
  }

  /**
   * Tells the transport and lines of every view where its nodes are, and notes when it was seen.
   */
  private static final class Addressing extends ForwardingViews {
    private final NodeTransport transport;
    private final SeenPlaces seen;
    private final HomeLines lines;

    Addressing(Views agreed, NodeTransport transport, SeenPlaces seen, HomeLines lines) {
      super(agreed);
      this.transport = transport;
      this.seen = seen;
      this.lines = lines;
    }

    @Override
    protected void beforeView(AgreedView view) {
      seen.onView(view.nodes(), System.currentTimeMillis());
      transport.change(view.addresses());
      lines.onView(view);
    }
  }
}
