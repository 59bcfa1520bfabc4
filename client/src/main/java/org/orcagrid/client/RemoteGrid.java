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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
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
 * <p>A session whose node can no longer be reached ends: what was under way has an unknown outcome
 * ({@link OutcomeUnknownException}), and anything more is an {@link IllegalStateException} that
 * asks for another session, which this grid then opens at another node.
 *
 * <p>Any thread may call this.
 */
public final class RemoteGrid implements Grid, NodeMaps {
  private final Settings settings;
  private final RemoteNode.Credentials shown;
  private final EventLoopGroup loops;
  private final Map<HostPort, RemoteNode> nodes = new HashMap<>();
  private final MapHost host = new MapHost(new RemoteMaps(new MapNodes()));

  /** Where the maps' sessions are, null while there is none. */
  private RemoteNode mapNode;

  private int turn = ThreadLocalRandom.current().nextInt(Short.MAX_VALUE);
  private boolean closed;

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
    this.settings = settings;
    this.shown = RemoteNode.Credentials.of(settings.tls(), settings.secretFile());
    this.loops = RemoteNode.newLoops("orca-grid-client");
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
  public synchronized GridSession openSession() {
    RemoteSession session = atOneOf(this::openSession);
    return new GridSession(session, session.valueBytesMax());
  }

  /** What the next node gives that gives it. */
  private <T> T atOneOf(Function<HostPort, T> opening) {
    StringBuilder reasons = new StringBuilder();
    for (int tries = 0; tries < settings.nodes().size(); tries++) {
      turn = (turn + 1) % settings.nodes().size();
      try {
        return opening.apply(settings.nodes().get(turn));
      } catch (IllegalStateException e) {
        reasons.append("; ").append(e.getMessage());
      }
    }
    throw new IllegalStateException(
        "No node of the grid \"" + settings.gridName() + "\" gives a session" + reasons);
  }

  private RemoteSession openSession(HostPort address) {
    return get(node(address).openSession(), address);
  }

  private RemoteNode node(HostPort address) {
    if (closed) {
      throw new IllegalStateException("The grid was left");
    }
    RemoteNode node = nodes.get(address);
    if (node == null || node.lost() != null) {
      node = get(RemoteNode.connect(address, settings.gridName(), shown, loops), address);
      nodes.put(address, node);
    }
    return node;
  }

  /** The maps as one of the nodes has them; as another one has them when that cannot be reached. */
  @Override
  public GridMaps maps() {
    return host;
  }

  private synchronized RemoteNode mapNode() {
    if (mapNode == null || mapNode.lost() != null) {
      mapNode = atOneOf(this::node);
    }
    return mapNode;
  }

  private final class MapNodes implements RemoteMaps.Nodes {
    @Override
    public RemoteNode node() {
      return mapNode();
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
      synchronized (RemoteGrid.this) {
        return closed ? new IllegalStateException("The grid was left") : null;
      }
    }
  }

  private <T extends AutoCloseable> T get(CompletionStage<T> stage, HostPort address) {
    try {
      return stage
          .toCompletableFuture()
          .get(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      // It may come late, and nobody wants it then.
      stage.thenAccept(RemoteGrid::close);
      throw new IllegalStateException(
          address + " has not answered in " + settings.connectTimeout(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + address, e);
    }
  }

  private static void close(AutoCloseable late) {
    try {
      late.close();
    } catch (Exception e) {
      throw new IllegalStateException("What came late cannot be closed", e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    nodes.values().forEach(RemoteNode::close);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
