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
package org.orcagrid.transport.tcp.remote;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.lang.ref.Cleaner;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.forward.Ways;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.transport.tcp.ConnectHandshake;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.NodePort;

/**
 * A node's ways to the maps of others, over TCP: one line to each at most, which is made when it is
 * needed, and which all sessions of the node share. A line is left when its node is no member any
 * more. Safe for use by many threads.
 */
public final class HomeLines implements Ways, AutoCloseable {
  /** Between two tries to connect to a node. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String gridName;
  private final int self;
  private final long grid;
  private final NodePort port;
  private final Cleaner cleaner = Cleaner.create();
  private final EventLoopGroup loops;

  /** Looks names up, which may take long. */
  private final ThreadPoolExecutor names;

  // Guarded by this.
  private final Map<Integer, Home> homes = new HashMap<>();
  private boolean closed;

  /** A line, and the life of the node at its other end. */
  private record Home(
      String address, long registration, long sinceNanos, RemoteNode node, RemoteMaps maps) {
    /** A node that cannot be connected to is not tried again at once. */
    boolean isToBeReplaced(long now) {
      return node.lost() != null && (node.wasConnected() || now - sinceNanos >= PAUSE_NANOS);
    }

    boolean isOf(GridView.Place place) {
      return place.member()
          && place.registration() == registration
          && place.address().equals(address);
    }
  }

  /**
   * The ways of a node.
   *
   * @param gridName the grid's name
   * @param self the node's place
   * @param grid tells the grid from others of the same name
   * @param port says what connections show: the grid's TLS and secret
   */
  public HomeLines(String gridName, int self, long grid, NodePort port) {
    this.gridName = gridName;
    this.self = self;
    this.grid = grid;
    this.port = port;
    this.loops = RemoteNode.newLoops("orca-grid-forward");
    this.names =
        new ThreadPoolExecutor(
            0,
            Quorum.NODES_MAX,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new DefaultThreadFactory("orca-grid-names", true));
  }

  @Override
  public synchronized Maps to(int place, AgreedView view) {
    GridView.Place at = view.nodes().places().get(place);
    Home home = homes.get(place);
    if (home == null || !home.isOf(at) || home.isToBeReplaced(System.nanoTime())) {
      leave(home);
      home = connect(place, at);
      homes.put(place, home);
    }
    return home.maps();
  }

  private Home connect(int place, GridView.Place at) {
    HostPort address = HostPort.parse(at.address());
    ConnectHandshake.Forwarder who = new ConnectHandshake.Forwarder(gridName, self, place, grid);
    RemoteNode node =
        new RemoteNode(
            address,
            (accepted, refused) ->
                ConnectHandshake.ofForwarder(who, port.secret(), accepted, refused),
            port.clientTls(),
            loops.next(),
            MapCalls.NODE_MAX);
    try {
      names.execute(() -> node.connect(address.resolve()));
    } catch (RejectedExecutionException e) {
      node.leave(closed ? "this node was closed" : "too many names are looked up");
    }
    return new Home(
        at.address(),
        at.registration(),
        System.nanoTime(),
        node,
        new RemoteMaps(new One(node), cleaner));
  }

  private static void leave(Home home) {
    if (home != null) {
      home.node().leave("that life of the node is over");
    }
  }

  /** Leaves the lines of nodes that are no members of a view any more. */
  public synchronized void onView(AgreedView view) {
    homes
        .entrySet()
        .removeIf(
            each -> {
              boolean isOver = !each.getValue().isOf(view.nodes().places().get(each.getKey()));
              if (isOver) {
                leave(each.getValue());
              }
              return isOver;
            });
  }

  /** How many lines there are. */
  public synchronized int lines() {
    return homes.size();
  }

  @Override
  public boolean isWorker() {
    for (EventExecutor each : loops) {
      if (each.inEventLoop()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void later(Runnable task, long nanos) {
    try {
      Future<?> unused = loops.next().schedule(task, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // It is closed: nobody waits for it any more.
      assert loops.isShuttingDown();
    }
  }

  /** Maps that are always those of one node: when its line is lost, its sessions have ended. */
  private final class One implements RemoteMaps.Nodes {
    private final RemoteNode node;

    One(RemoteNode node) {
      this.node = node;
    }

    @Override
    public RemoteNode node() {
      return node;
    }

    @Override
    public RemoteNode nodeNow() {
      return node;
    }

    @Override
    public boolean isClientThread() {
      return isWorker();
    }

    @Override
    public Throwable failure() {
      return null;
    }
  }

  /** Leaves all nodes; what is under way has an unknown outcome. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      homes.values().forEach(each -> each.node().leave("this node was closed"));
      homes.clear();
    }
    names.shutdown();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
