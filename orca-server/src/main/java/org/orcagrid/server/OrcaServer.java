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
package org.orcagrid.server;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.server.OrcaNIOServerCnxnFactory;
import org.apache.zookeeper.server.OrcaNettyServerCnxnFactory;
import org.apache.zookeeper.server.OrcaZooKeeperServerMain;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.quorum.OrcaQuorumPeer;
import org.apache.zookeeper.server.quorum.OrcaQuorumPeerMain;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.admin.DurabilityAuthenticationProvider;
import org.orcagrid.server.admin.OrcaAdminCommand;
import org.orcagrid.server.console.Console;
import org.orcagrid.server.console.ConsoleView;
import org.orcagrid.server.console.GridWatch;
import org.orcagrid.server.console.RoleHistory;
import org.orcagrid.server.grid.HostedGridNode;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.HostedGrid;
import org.orcagrid.server.settings.OrcaConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server in this JVM: {@code try (var server = OrcaServer.start(config)) { … }}.
 *
 * <p>Several may run in one JVM, with settings of their own; what stock ZooKeeper keeps in system
 * properties and static fields (metrics provider, authentication providers, AdminServer port,
 * read-only mode) they share.
 */
public final class OrcaServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaServer.class);
  private static final String NIO_WORKERS = "zookeeper.nio.numWorkerThreads";
  private static final String NIO_SELECTORS = "zookeeper.nio.numSelectorThreads";
  private static final String FACTORY_PROPERTY = ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY;
  private static final long QUIET_START_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long STOP_MILLIS_MAX = 5_000;

  private final Life life;
  private final Thread thread;

  /** Set before anybody else sees this object. */
  private Console console;

  /** Null if there is none, and before it is started. */
  private volatile HostedGridNode gridNode;

  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /** The two kinds of server, as far as starting and stopping goes. */
  private interface Life {
    /** Runs until stopped. */
    void run() throws IOException, InterruptedException, OrcaConfigException;

    /** Where clients connect, or null until then. */
    InetSocketAddress clientAddress();

    /** Makes {@link #run} end. */
    void stop();

    /** What its console shows. */
    ConsoleView view();
  }

  private OrcaServer(Life life, String name) {
    this.life = life;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /**
   * Starts a server and returns when it accepts connections; a member of an ensemble serves them
   * once a leader is elected. It reads its whole tree before that, however long it takes.
   *
   * @throws IOException if a port is taken or a folder cannot be used
   * @throws OrcaConfigException if the configuration cannot be used
   */
  public static OrcaServer start(OrcaServerConfig config) throws IOException, OrcaConfigException {
    config.warnings().forEach(LOG::warn);
    requireGridFits(config);
    prepareJvm();
    config.publish();
    OrcaServer server =
        config.isMember()
            ? new OrcaServer(new Member(config), "OrcaMember:" + memberId(config))
            : new OrcaServer(new Standalone(config), "OrcaStandalone");
    server.thread.start();
    server.awaitStarted();
    server.startConsole(config);
    server.startGridNode(config);
    return server;
  }

  private void startConsole(OrcaServerConfig config) throws IOException {
    InetSocketAddress address = config.settings().console();
    if (address == null) {
      return;
    }
    NodeSettings grid = gridSettings(config, connectString());
    try {
      console =
          Console.ofServer(
              address, life.view(), grid == null ? null : new GridWatch(grid, this::gridMember));
    } catch (IOException e) {
      close();
      throw new IOException(e.getMessage() + " See orca.consolePort.", e);
    }
  }

  /** Before anything runs: a size that no grid has is not found after the server has started. */
  private static void requireGridFits(OrcaServerConfig config) throws OrcaConfigException {
    try {
      gridSettings(config, "localhost:1");
    } catch (IllegalArgumentException e) {
      throw new OrcaConfigException(
          "The node of the grid that orca.grid asks for: "
              + e.getMessage()
              + "; set orca.grid.size.",
          e);
    }
  }

  /** Null if the server hosts none. */
  private static NodeSettings gridSettings(OrcaServerConfig config, String ensemble) {
    HostedGrid grid = config.settings().grid();
    if (grid == null) {
      return null;
    }
    int voters =
        config.isMember()
            ? config
                .zooCfg()
                .map(cfg -> cfg.getQuorumVerifier().getVotingMembers().size())
                .orElse(1)
            : 1;
    return grid.settings(ensemble, voters, config.dataDir().resolve("grid"));
  }

  private void startGridNode(OrcaServerConfig config) {
    NodeSettings settings = gridSettings(config, connectString());
    if (settings != null) {
      gridNode = HostedGridNode.start(settings);
    }
  }

  private GridMember gridMember() {
    HostedGridNode now = gridNode;
    return now == null ? null : now.member();
  }

  private static long memberId(OrcaServerConfig config) {
    return config.zooCfg().map(QuorumPeerConfig::getServerId).orElse(0L);
  }

  /** Where clients connect, as {@code host:port}. */
  public String connectString() {
    InetSocketAddress address = life.clientAddress();
    String host =
        address.getAddress().isAnyLocalAddress()
            ? "127.0.0.1"
            : address.getAddress().getHostAddress();
    return host + ":" + address.getPort();
  }

  /** What it does about durability in its present part; null while it has none. */
  OrcaRole role() {
    return life.view().server() instanceof OrcaHost host ? host.role() : null;
  }

  /** Returns when the server has stopped. */
  public void join() throws InterruptedException {
    thread.join();
  }

  /**
   * Stops the console, the node of a grid and the server. A leader first waits until what it has
   * acknowledged is durable on a majority, for two seconds at most. The shutdown itself has no
   * limit; after it, this waits five seconds at most for the server's thread.
   */
  @Override
  public void close() {
    if (console != null) {
      console.close();
    }
    if (gridNode != null) {
      gridNode.close();
    }
    life.stop();
    try {
      thread.join(STOP_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      life.run();
    } catch (IOException | OrcaConfigException | RuntimeException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitStarted() throws IOException, OrcaConfigException {
    long begun = System.nanoTime();
    long said = begun;
    try {
      while (life.clientAddress() == null) {
        thread.join(10);
        if (!thread.isAlive()) {
          throwFailure();
          throw new IOException("The server stopped while it started; see its log");
        }
        // A large tree may take minutes to read: there is no limit.
        long now = System.nanoTime();
        if (now - said >= QUIET_START_NANOS) {
          said = now;
          LOG.info(
              "Not listening yet, reading the data folder: seconds={}",
              TimeUnit.NANOSECONDS.toSeconds(now - begun));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the server started", e);
    }
  }

  private void throwFailure() throws IOException, OrcaConfigException {
    Exception thrown = failure.get();
    if (thrown instanceof OrcaConfigException e) {
      throw e;
    } else if (thrown instanceof IOException e) {
      throw e;
    } else if (thrown != null) {
      throw new IOException(thrown.getMessage(), thrown);
    }
  }

  /** What ZooKeeper reads from system properties when it makes connections and sessions. */
  private static void prepareJvm() {
    String factory = System.getProperty(FACTORY_PROPERTY, "");
    if (factory.isEmpty() || factory.equals("org.apache.zookeeper.server.NIOServerCnxnFactory")) {
      System.setProperty(FACTORY_PROPERTY, OrcaNIOServerCnxnFactory.class.getName());
    } else if (factory.equals("org.apache.zookeeper.server.NettyServerCnxnFactory")) {
      System.setProperty(FACTORY_PROPERTY, OrcaNettyServerCnxnFactory.class.getName());
    }
    // A read is executed where it is received: to hand it to another thread would cost more.
    setIfUnset(NIO_WORKERS, 0);
    setIfUnset(NIO_SELECTORS, Runtime.getRuntime().availableProcessors());
    DurabilityAuthenticationProvider.register();
    OrcaAdminCommand.register();
  }

  private static void setIfUnset(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  private static IOException explain(IOException thrown, InetSocketAddress address) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof BindException) {
        return new IOException(
            "Port "
                + (address == null ? "of the server" : address.getPort())
                + " is taken; stop the program that listens there or change clientPort.",
            thrown);
      }
    }
    return thrown;
  }

  private static final class Member implements Life {
    private final OrcaServerConfig config;

    private final OrcaQuorumPeerMain main;

    private Member(OrcaServerConfig config) {
      this.config = config;
      this.main = new OrcaQuorumPeerMain(config.settings(), config.storage());
    }

    @Override
    public void run() throws IOException, OrcaConfigException {
      try {
        main.runFromConfig(config.zooCfg().orElseThrow());
      } catch (IOException e) {
        throw explain(e, config.clientAddress());
      } catch (org.apache.zookeeper.server.admin.AdminServer.AdminServerException e) {
        throw new IOException("The AdminServer cannot start: " + e.getMessage(), e);
      } catch (IllegalStateException e) {
        throw new OrcaConfigException(e.getMessage(), e);
      }
    }

    @Override
    public InetSocketAddress clientAddress() {
      QuorumPeer peer = main.peer();
      if (peer == null || !peer.isAlive()) {
        return null;
      }
      int port = peer.getClientPort();
      if (port > 0) {
        return new InetSocketAddress(config.clientAddress().getAddress(), port);
      }
      return config.zooCfg().map(QuorumPeerConfig::getSecureClientPortAddress).orElse(null);
    }

    @Override
    public void stop() {
      QuorumPeer peer = main.peer();
      if (peer != null) {
        LeaderStop.prepare(peer, view().server(), config.leaderStopLimit());
        peer.shutdown();
      }
    }

    @Override
    public ConsoleView view() {
      return new MemberView((OrcaQuorumPeer) main.peer());
    }
  }

  private static final class Standalone implements Life {
    private final OrcaServerConfig config;
    private final OrcaZooKeeperServerMain main;

    private Standalone(OrcaServerConfig config) {
      this.config = config;
      this.main = new OrcaZooKeeperServerMain(config.settings(), config.storage());
    }

    @Override
    public void run() throws IOException {
      try {
        if (config.zooCfg().isPresent()) {
          ServerConfig stock = new ServerConfig();
          stock.readFrom(config.zooCfg().get());
          main.runFromConfig(stock);
        } else {
          main.runEmbedded(config.dataDir().toFile(), config.clientAddress());
        }
      } catch (IOException e) {
        throw explain(e, config.clientAddress());
      } catch (org.apache.zookeeper.server.admin.AdminServer.AdminServerException e) {
        throw new IOException("The AdminServer cannot start: " + e.getMessage(), e);
      }
    }

    @Override
    public InetSocketAddress clientAddress() {
      return main.address();
    }

    @Override
    public void stop() {
      main.close();
    }

    @Override
    public ConsoleView view() {
      return new StandaloneView(main);
    }
  }

  /** A member of an ensemble, as its console sees it. */
  private record MemberView(OrcaQuorumPeer peer) implements ConsoleView {
    @Override
    public ZooKeeperServer server() {
      return peer.getActiveServer();
    }

    @Override
    public long id() {
      return peer.getMyId();
    }

    @Override
    public String role() {
      return peer.getPeerState().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public long leader() {
      return peer.getLeaderId();
    }

    @Override
    public List<RoleHistory.Entry> history() {
      return peer.history().entries();
    }
  }

  /** A server that is alone, as its console sees it. */
  private record StandaloneView(OrcaZooKeeperServerMain main) implements ConsoleView {
    @Override
    public ZooKeeperServer server() {
      return main.server();
    }

    @Override
    public long id() {
      return 0;
    }

    @Override
    public String role() {
      return "standalone";
    }

    @Override
    public long leader() {
      return 0;
    }

    @Override
    public List<RoleHistory.Entry> history() {
      return List.of();
    }
  }
}
