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
package org.orcagrid.client;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.MapHost;
import org.orcagrid.client.map.NodeMaps;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.TlsSettings;
import org.orcagrid.transport.tcp.remote.RemoteMaps;
import org.orcagrid.transport.tcp.remote.RemoteNode;
import org.orcagrid.transport.tcp.remote.RemoteSession;

/**
 * A grid in other processes. Each session is one of a node's, over a connection; sessions are
 * spread over the nodes that can be reached. Maps are those of one node.
 *
 * <p>A session outlives a lost connection: for four seconds another one to the same node is tried
 * for, and nothing is lost or done twice. A session whose node can no longer be reached ends: what
 * was under way has an unknown outcome ({@link OutcomeUnknownException}), and anything more is an
 * {@link IllegalStateException} that asks for another session, which this grid then opens at
 * another node. A node whose process has gone is not waited for.
 *
 * <p>Any thread may call this.
 */
public final class RemoteGrid implements Grid, NodeMaps {
  private static final System.Logger LOG = System.getLogger(RemoteGrid.class.getName());

  private final EventLoopGroup loops;
  private final Connections connections;
  private final Deadlines deadlines = new Deadlines();
  private final MapHost host = new MapHost(new RemoteMaps(new MapNodes()), deadlines);

  private final SharedViews views = new SharedViews(this::openShared);

  /** Held by who looks for a node for maps: all others would look for the same. */
  private final Object mapNodeLock = new Object();

  /** Where the maps' sessions are, null while there is none. */
  private volatile RemoteNode mapNode;

  /** Whether a thread looks for one that nobody waits for. */
  private final AtomicBoolean looking = new AtomicBoolean();

  /**
   * Where a grid is and how to talk to it.
   *
   * @param nodes where its nodes listen for clients; some are enough
   * @param gridName the grid's name
   * @param tls null for connections without it
   * @param connectTimeout how long a node may take to accept a connection or a session
   * @param secretFile with the grid's secret, for nodes with {@code grid.clients=secret}; null for
   *     none. With one, this client talks to nodes that know it, and to no others
   */
  public record Settings(
      List<HostPort> nodes,
      String gridName,
      TlsSettings tls,
      Duration connectTimeout,
      Path secretFile) {
    /** Without a secret. */
    public Settings(
        List<HostPort> nodes, String gridName, TlsSettings tls, Duration connectTimeout) {
      this(nodes, gridName, tls, connectTimeout, null);
    }

    /** The same with a secret. */
    public Settings withSecret(Path file) {
      return new Settings(nodes, gridName, tls, connectTimeout, file);
    }

    /** A grid of the usual name, without TLS, 5 s. */
    public static Settings of(String nodes) {
      return new Settings(HostPort.parseAll(nodes), NodeSettings.GRID, null, Duration.ofSeconds(5));
    }
  }

  private RemoteGrid(Settings settings) throws IOException {
    RemoteNode.Credentials shown = RemoteNode.Credentials.of(settings.tls(), settings.secretFile());
    this.loops = RemoteNode.newLoops("orca-grid-client");
    this.connections = new Connections(settings, shown, loops);
  }

  /** Connects to a grid. */
  static RemoteGrid connect(Settings settings) {
    RemoteGrid grid;
    try {
      grid = new RemoteGrid(settings);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    try {
      grid.openSession().close();
      return grid;
    } catch (RuntimeException e) {
      grid.close();
      throw e;
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>At one node after the other, of those that can be reached and have one free.
   */
  @Override
  public GridSession openSession() {
    RemoteSession session = connections.atOneOf(RemoteNode::openSession);
    return new GridSession(session, session.valueBytesMax(), deadlines);
  }

  /**
   * {@inheritDoc}
   *
   * <p>At one of the nodes that can be reached.
   */
  @Override
  public <K, V> KeyView<K, V> view(Codec<K> keys, Codec<V> values) {
    return views.view(keys, values);
  }

  private SharedKeys openShared(SharedViews asking) {
    RemoteSession first = connections.atOneOf(RemoteNode::openSession);
    return SharedKeys.open(
        asking.source(first.keys()::openSession, first.valueBytesMax(), deadlines), first);
  }

  @Override
  public RemoteGrid sharedSessions(int most) {
    views.sessionsMax(most);
    return this;
  }

  /** The maps as one of the nodes has them; as another one has them when that cannot be reached. */
  @Override
  public GridMaps maps() {
    return host;
  }

  @Override
  public DeadlineFigures deadlines() {
    return deadlines.figures();
  }

  /** The grid's name. */
  public String gridName() {
    return connections.gridName();
  }

  /** What this client has of connections, and has counted, as it is now; cheap, any thread. */
  public ClientFigures figures() {
    return connections.figures();
  }

  private final class MapNodes implements RemoteMaps.Nodes {
    @Override
    public RemoteNode node() {
      RemoteNode node = mapNode;
      return node == null || node.lost() != null ? another() : node;
    }

    @Override
    public RemoteNode nodeNow() {
      RemoteNode node = mapNode;
      if (node != null && node.lost() == null) {
        return node;
      }
      if (connections.isClosed()) {
        throw new IllegalStateException("The grid was left");
      }
      if (looking.compareAndSet(false, true)) {
        Thread thread = new Thread(this::look, "orca-grid-connect");
        thread.setDaemon(true);
        thread.start();
      }
      return null;
    }

    private void look() {
      try {
        another();
      } catch (IllegalStateException e) {
        // Whoever waits for a node is told why there is none; who does not, asks again.
        LOG.log(System.Logger.Level.WARNING, e.getMessage());
      } finally {
        looking.set(false);
      }
    }

    private RemoteNode another() {
      if (isClientThread()) {
        throw new IllegalStateException(
            "The connection is lost, and a callback cannot wait for another one");
      }
      synchronized (mapNodeLock) {
        if (mapNode == null || mapNode.lost() != null) {
          mapNode = connections.atOneOf(CompletableFuture::completedStage);
        }
        return mapNode;
      }
    }

    @Override
    public boolean isClientThread() {
      for (EventExecutor each : loops) {
        if (each.inEventLoop()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public Throwable failure() {
      return connections.isClosed() ? new IllegalStateException("The grid was left") : null;
    }
  }

  @Override
  public void close() {
    connections.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
